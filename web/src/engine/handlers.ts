/** Every call of the protocol with the function that answers it. */
import { collectionHandlers } from "./collection-handlers.js";
import type { Calls } from "./protocol.js";
import type { Handlers } from "./session.js";
import { setHandlers } from "./set-handlers.js";

export const handlers: Handlers<Calls> = { ...setHandlers, ...collectionHandlers };
