/** The engine's side of the calls of the Collection view. */
import type { CollectionCalls } from "./collection-calls.js";
import type { Handlers } from "./session.js";

export const collectionHandlers: Handlers<CollectionCalls> = {};
