/**
 * Where finished results are kept between runs, by a key that is a hash of everything that went into them. A store may forget
 * anything at any time; it never returns anything but what was put under that key. Keys hold the version of the package; a store that
 * outlives the program adds a hash of the code, as DiskStore does (`codeHash` of graphdos/node): code changes while a version stays.
 */
export interface ResultStore {
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, bytes: Uint8Array): Promise<void>;
}

/** Thrown where only what a store has is wanted, and it does not have it. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

export function memoryStore(): ResultStore {
  const kept = new Map<string, Uint8Array>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, bytes) => void kept.set(key, bytes.slice()),
  };
}

/** SHA-256 of the part, or of the digests of several parts, as hexadecimal digits. Text is taken as UTF-8. */
export async function hashOf(...parts: (string | ArrayBufferView)[]): Promise<string> {
  const digests: Uint8Array[] = [];
  for (const part of parts) {
    const bytes =
      typeof part === "string"
        ? new TextEncoder().encode(part)
        : new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
    // the web's digest takes no shared memory, so that is copied
    const plain = (bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice()) as Uint8Array<ArrayBuffer>;
    digests.push(new Uint8Array(await crypto.subtle.digest("SHA-256", plain)));
  }
  const all = new Uint8Array(32 * digests.length);
  digests.forEach((digest, k) => {
    all.set(digest, 32 * k);
  });
  const digest =
    digests.length === 1 ? digests[0] : new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON through a store: what cannot be read back is computed anew. */
export async function remember<T>(store: ResultStore, key: string, compute: () => Promise<T>): Promise<T> {
  const kept = await store.get(key);
  if (kept !== null) {
    try {
      return JSON.parse(new TextDecoder().decode(kept)) as T;
    } catch {
      // not JSON: someone else's bytes
    }
  }
  const value = await compute();
  await store.put(key, new TextEncoder().encode(JSON.stringify(value)));
  return value;
}
