/**
 * What a worker has fetched, by content hash, kept up to a number of bytes: the least recently used goes first. Data that several units
 * read is fetched once, and lies on shared memory where it did so with the coordinator: all threads then read one copy.
 */
import { GraphdosError } from "../../base/errors.js";

export class Fetched {
  private readonly kept = new Map<string, Uint8Array>();
  private readonly coming = new Map<string, Promise<Uint8Array>>();
  private bytes = 0;

  constructor(
    private readonly most: number,
    private readonly fetch: (hash: string, length: number) => Promise<Uint8Array | null>,
  ) {}

  /** Fetches what is not there yet of the data that a unit refers to, and gives a finder for it. */
  async gather(apart: readonly (readonly [string, number])[]) {
    // the unit has its data whatever goes from those that are kept meanwhile
    const own = new Map<string, Uint8Array>();
    for (const [hash, length] of apart) own.set(hash, this.touch(hash) ?? (await this.load(hash, length)));
    return (hash: string, shared: boolean): ArrayBufferLike => {
      const listed = own.get(hash);
      if (listed === undefined)
        throw new GraphdosError("bad-data", "a unit refers to data that it does not list");
      if (!shared) return new Uint8Array(listed).buffer;
      // another unit may have put it on shared memory
      const bytes = this.kept.get(hash) ?? listed;
      if (bytes.buffer instanceof SharedArrayBuffer) return bytes.buffer;
      const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
      copy.set(bytes);
      own.set(hash, copy);
      if (this.kept.has(hash)) this.kept.set(hash, copy);
      return copy.buffer;
    };
  }

  /** One fetch for all units that ask meanwhile; one that fails is forgotten. */
  private load(hash: string, length: number): Promise<Uint8Array> {
    const before = this.coming.get(hash);
    if (before !== undefined) return before;
    const coming = this.loadNow(hash, length).finally(() => this.coming.delete(hash));
    this.coming.set(hash, coming);
    return coming;
  }

  private async loadNow(hash: string, length: number): Promise<Uint8Array> {
    const bytes = await this.fetch(hash, length);
    if (bytes === null)
      throw new GraphdosError(
        "io",
        `data of a unit is missing or damaged (${hash.slice(0, 12)}…, ${length} bytes)`,
      );
    this.kept.set(hash, bytes);
    this.bytes += bytes.length;
    for (const [old, { length: freed }] of this.kept) {
      if (this.bytes <= this.most || old === hash) break;
      this.kept.delete(old);
      this.bytes -= freed;
    }
    return bytes;
  }

  /** What is kept becomes the last to go. */
  private touch(hash: string): Uint8Array | undefined {
    const bytes = this.kept.get(hash);
    if (bytes === undefined) return undefined;
    this.kept.delete(hash);
    this.kept.set(hash, bytes);
    return bytes;
  }
}
