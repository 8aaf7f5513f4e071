/**
 * The border between files and data sets: what every reader takes and gives.
 *
 * A reader gets bytes (ByteSource) or a folder of them (FileTree: a directory, an opened zip, a folder dropped on a page) and
 * gives a Dataset. It streams, parses bytes, and says file and line when it refuses.
 */
import type { RunControl } from "../base/progress.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import type { Inflate } from "./inflate.js";

export interface ReadOptions extends RunControl {
  /** Format by name, instead of finding it by content and file name. */
  format?: string;
  /** Edge lists: read ids as words even where they look like numbers. Default: numbers when all are integers below 2^31. */
  ids?: "auto" | "words";
  /** Edge lists and matrices: whether the first line is a header. Default: auto, which the lines below decide. */
  header?: "auto" | "yes" | "no";
  /** TU sets: take the first edge attribute as the weight of the edge. Default: no weights. */
  edgeWeights?: boolean;
  /** The most bytes that zip or gzip may unpack to, in all: guards against zip bombs. Default 16 GiB. */
  maxUnpackedBytes?: number;
  /** How to unpack. Default: the web's DecompressionStream; graphdos/node hands in zlib. */
  inflate?: Inflate;
}

export const DEFAULT_MAX_UNPACKED_BYTES = 16 * 2 ** 30;

/** Files by path ("MUTAG/MUTAG_A.txt"), with forward slashes, relative to the folder. */
export interface FileTree {
  readonly name: string;
  readonly files: ReadonlyMap<string, ByteSource>;
}

/** One format of a single file. */
export interface FileFormat {
  /** Name for --format: "edges", "mtx", "gml". */
  readonly name: string;
  /** For people: "edge list", "Matrix Market". */
  readonly title: string;
  /** Lower-case endings, without the dot, .gz taken off. */
  readonly extensions: readonly string[];
  /** True when the first bytes (decoded as UTF-8, up to 4 kB, byte order mark taken off) can only be of this format. */
  recognises(head: string): boolean;
  /** `source` is already unpacked. */
  read(source: ByteSource, options: ReadOptions): Promise<Dataset>;
}
