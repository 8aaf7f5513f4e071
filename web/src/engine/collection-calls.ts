/** What the Collection view asks the engine: calls are added here, and their handlers in collection-handlers.ts. */
export type CollectionCalls = Record<never, never>;
