/**
 * The one error class of graphdos.
 *
 * Text: `<where>: <what is wrong>: got <value>, expected <what>`, then what to do about it.
 * The code tells a program what the sentence tells a person; the command line turns it into an exit code.
 */
export type ErrorCode =
  /** The data is wrong: a file, a line, a weight, a graph. Exit code 1. */
  | "bad-data"
  /** Something on disk or on the network is not there or cannot be used. Exit code 1. */
  | "io"
  /** A limit that protects the machine was reached (zip bomb, memory). Exit code 1. */
  | "limit"
  /** The call is wrong: an unknown option, name or command, a value out of range. Exit code 2. */
  | "bad-call"
  /** Stopped by the user or by an AbortSignal. Exit code 130. */
  | "interrupted";

export class GraphdosError extends Error {
  override readonly name = "GraphdosError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A file that holds nothing, or comments alone: refused by itself, left out of a folder. */
export class EmptyFileError extends GraphdosError {
  constructor(message: string) {
    super("bad-data", message);
  }
}

export const badData = (message: string, cause?: unknown) =>
  new GraphdosError("bad-data", message, { cause });
export const badCall = (message: string) => new GraphdosError("bad-call", message);

/** Throws "interrupted" when the signal was aborted: call it between units of work. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GraphdosError("interrupted", "interrupted", { cause: signal.reason });
}

/** "unknown kernel: ldoss; did you mean ldos?" The nearest of the known names, if one is near. */
export function unknownName(what: string, got: string, known: readonly string[]): GraphdosError {
  const near = nearestName(got, known);
  const list = known.length <= 24 ? `; known: ${known.join(", ")}` : "";
  return badCall(`unknown ${what}: ${got}${near ? `; did you mean ${near}?` : list}`);
}

/** The known name with the smallest edit distance, when that is at most a third of the length. */
export function nearestName(got: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(got.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(got.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Levenshtein distance, O(|a|·|b|) time, one row of memory. */
function editDistance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j];
      row[j] = Math.min(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1));
      diagonal = above;
    }
  }
  return row[b.length];
}
