import { joined } from "../base/joined.js";

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

/** What is hashed: text (as UTF-8), an array, or pieces of which where they are cut is part of what they are. */
export type Hashed = string | ArrayBufferView | Iterable<Uint8Array>;

/** The web's digest takes less than 2 GiB, and a copy of what it is given; pieces of this size keep both small. */
const PIECE_BYTES = 2 ** 26;

/**
 * SHA-256 as hexadecimal digits, of the part or of the digests of several parts. Of a part beyond 64 MiB, or of one given in pieces, it is
 * that of the digests of its pieces: the same everywhere, with no limit and in little memory.
 */
export const hashOf = (...parts: Hashed[]): Promise<string> => hashInPieces(parts, PIECE_BYTES);

export async function hashInPieces(parts: readonly Hashed[], pieceBytes: number): Promise<string> {
  const digests: Uint8Array<ArrayBuffer>[] = [];
  for (const part of parts) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (const bytes of bytesOf(part))
      for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes)
        pieces.push(await sha256(bytes.subarray(at, at + pieceBytes)));
    digests.push(await ofDigests(pieces));
  }
  return Array.from(await ofDigests(digests), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ofDigests = async (digests: readonly Uint8Array<ArrayBuffer>[]) =>
  digests.length === 1 ? digests[0] : sha256(joined(digests));

function bytesOf(part: Hashed): Iterable<Uint8Array> {
  if (typeof part === "string") return [new TextEncoder().encode(part)];
  return ArrayBuffer.isView(part) ? [new Uint8Array(part.buffer, part.byteOffset, part.byteLength)] : part;
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  // the web's digest takes no shared memory, so that is copied
  const plain = (bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice()) as Uint8Array<ArrayBuffer>;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", plain));
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
