/** Every call of the protocol with the function that answers it. */
import { collectionHandlers } from "./collection-handlers.js";
import { compareHandlers } from "./compare-handlers.js";
import { graphHandlers } from "./graph-handlers.js";
import type { Calls } from "./protocol.js";
import type { Handlers } from "./session.js";
import { setHandlers } from "./set-handlers.js";

export const handlers: Handlers<Calls> = {
  ...setHandlers,
  ...graphHandlers,
  ...compareHandlers,
  ...collectionHandlers,
};
