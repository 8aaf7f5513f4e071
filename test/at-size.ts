/** Tests of time and size: left out where every step of the code is counted (scripts/mutants.ts), which makes them last for minutes. */
import { it } from "vitest";

export const itAtSize = it.skipIf(process.env.GRAPHDOS_MUTANTS !== undefined);
