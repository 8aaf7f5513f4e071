/** A unit of work as the coordinator has it: named by the SHA-256 of its bytes, with its large arrays apart, each by its own hash. */
import type { Task } from "../../compute/executor.js";
import { encodePlain } from "../../compute/plain-data.js";
import { sha256 } from "./data.js";
import { type JobData, LIMITS } from "./protocol.js";

export interface Unit {
  name: string;
  job: JobData;
  bytes: Uint8Array;
  apart: Map<string, Uint8Array>;
  /** Which inputs it is: equal inputs are one unit. */
  indices: number[];
  /** When it was sent, by performance.now; 0 before. */
  added: number;
  taking: boolean;
}

/** What is sent of a unit, by name. */
export const piecesOf = ({ name, bytes, apart }: Unit): [string, Uint8Array][] => [[name, bytes], ...apart];

/** Makes the units of one map. Many of them share large arrays: each is hashed once. Between maps their numbers may change. */
export class UnitMaker {
  private readonly hashes = new WeakMap<ArrayBufferLike, Map<string, string>>();

  constructor(private readonly code: string) {}

  make<I, O>(task: Task<I, O>, input: I, index: number): Unit {
    const apart = new Map<string, Uint8Array>();
    const bytes = encodePlain(
      { code: this.code, task: task.name, input },
      {
        elsewhere: (part) => {
          if (part.length < LIMITS.apartBytes) return null;
          const hash = this.hashOf(part);
          apart.set(hash, part);
          return hash;
        },
      },
    );
    const name = sha256(bytes);
    const job: JobData = {
      unit: name,
      bytes: bytes.length,
      apart: Array.from(apart, ([hash, { length }]) => [hash, length]),
    };
    return { name, job, bytes, apart, indices: [index], added: 0, taking: false };
  }

  private hashOf(part: Uint8Array): string {
    const known = this.hashes.get(part.buffer) ?? new Map<string, string>();
    this.hashes.set(part.buffer, known);
    const range = `${part.byteOffset} ${part.byteLength}`;
    const hash = known.get(range) ?? sha256(part);
    known.set(range, hash);
    return hash;
  }
}
