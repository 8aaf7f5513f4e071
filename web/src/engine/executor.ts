/** Where the engine's work units run. */
import { type Executor, inlineExecutor } from "graphdos";

export const engineExecutor = (): Executor => inlineExecutor();
