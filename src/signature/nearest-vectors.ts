/**
 * Lower bounds on the distance of every vector to the nearest other one, while the vectors get more numbers.
 *
 * All distances are computed once, tile by tile: O(vectors² · dimension / 2). Each vector then keeps its eight nearest others, whose
 * distances are followed exactly, and the distance of the ninth, below which no other can fall: distances only grow.
 */
import type { Executor } from "../compute/executor.js";
import { part } from "./node-rows.js";
import { type VectorTile, vectorTask } from "./vector-distances.js";

const TILE = 256;
const KEPT = 8;

export class NearestVectors {
  /** The squared distances of each vector to its nearest ones, ascending when found, KEPT + 1 for each; infinite where there are fewer. */
  private readonly squares: Float64Array;
  private readonly others: Uint32Array;

  private constructor(private readonly count: number) {
    this.squares = new Float64Array((KEPT + 1) * count).fill(Number.POSITIVE_INFINITY);
    this.others = new Uint32Array((KEPT + 1) * count);
  }

  /** The vectors lie row by row. */
  static async among(
    vectors: Float64Array,
    count: number,
    executor: Executor,
    signal?: AbortSignal,
  ): Promise<NearestVectors> {
    const found = new NearestVectors(count);
    const dimension = count === 0 ? 0 : vectors.length / count;
    if (dimension === 0) {
      if (count > 1) found.squares.fill(0);
      return found;
    }
    const end = (from: number) => Math.min(count, from + TILE);
    for (let from = 0; from < count; from += TILE) {
      const a = part(vectors, from * dimension, end(from) * dimension);
      const firsts: number[] = [];
      for (let first = from; first < count; first += TILE) firsts.push(first);
      const tiles = firsts.map((first): VectorTile => {
        const b = first === from ? null : part(vectors, first * dimension, end(first) * dimension);
        return { metric: "euclidean", dimension, a, b };
      });
      await executor.map(vectorTask, tiles, {
        signal,
        onResult(t, distances) {
          for (let g = from, k = 0; g < end(from); g++)
            for (let h = firsts[t]; h < end(firsts[t]); h++, k++) {
              if (g !== h) found.offer(g, h, distances[k] ** 2);
              if (firsts[t] !== from) found.offer(h, g, distances[k] ** 2);
            }
        },
      });
    }
    return found;
  }

  /** Adds what further numbers add to squared distances, for the vectors of `wanted`. */
  grow(wanted: readonly number[], addedSquare: (g: number, h: number) => number): void {
    for (const g of wanted)
      for (let k = (KEPT + 1) * g; k < (KEPT + 1) * g + Math.min(KEPT, this.count - 1); k++)
        this.squares[k] += addedSquare(g, this.others[k]);
  }

  /** No other vector is nearer; infinite for a vector alone. */
  atLeast(g: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let k = (KEPT + 1) * g; k < (KEPT + 1) * (g + 1); k++) least = Math.min(least, this.squares[k]);
    return Math.sqrt(least);
  }

  private offer(g: number, h: number, square: number): void {
    const first = (KEPT + 1) * g;
    let k = first + KEPT;
    // equal distances: the vector that comes first stays, whatever the order of the tiles
    const before = (place: number) =>
      square < this.squares[place] || (square === this.squares[place] && h < this.others[place]);
    if (!before(k)) return;
    for (; k > first && before(k - 1); k--) {
      this.squares[k] = this.squares[k - 1];
      this.others[k] = this.others[k - 1];
    }
    this.squares[k] = square;
    this.others[k] = h;
  }
}
