/** The buffers of an answer that can be moved instead of copied: those of its typed arrays, wherever they are in it. */
export function ownedBuffers(value: unknown, found: Set<ArrayBuffer> = new Set()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value)) {
    // lists are of one kind: where the first is no object, none is
    if (typeof value[0] === "object") for (const entry of value) ownedBuffers(entry, found);
  } else if (typeof value === "object" && value !== null)
    for (const entry of Object.values(value)) ownedBuffers(entry, found);
  return [...found];
}
