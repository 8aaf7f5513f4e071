/**
 * Stands in for linkedom in the page: pictures that the library draws into a small document are drawn into the page's own. Nothing
 * is attached to it.
 */
export const parseHTML = (): { document: Document } => ({ document: globalThis.document });
