/**
 * JSON text to a value, with line and column in the error. Engines word their errors differently and often give no position,
 * so when JSON.parse refuses a text, a walk over it by the grammar of RFC 8259 finds the first character that cannot stand
 * where it does. O(size), no recursion.
 */
import { badData, GraphdosError, throwIfAborted } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";

/** The longest string that every engine can hold. */
const MAX_CHARACTERS = 2 ** 29 - 25;

/** The whole source as one JSON value. */
export async function readJsonValue(source: ByteSource, signal?: AbortSignal): Promise<unknown> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of source.stream()) {
    throwIfAborted(signal);
    const part = decoder.decode(chunk, { stream: true });
    length += part.length;
    if (length > MAX_CHARACTERS)
      throw new GraphdosError(
        "limit",
        `${source.name}: too long for JSON: more than ${MAX_CHARACTERS} characters; give an edge list or Matrix Market instead`,
      );
    parts.push(part);
  }
  parts.push(decoder.decode());
  return parseJson(source.name, parts.join(""));
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = findSyntaxError(text);
    const lines = text.slice(0, at).split("\n");
    const place = `${name} line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    const got = at < text.length ? `got ${JSON.stringify(text[at])}` : "the file ends too early";
    throw badData(`${place}: not valid JSON: ${got}`, cause);
  }
}

const LITERALS = ["true", "false", "null"];
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;

/** What may stand next: a value, a key, behind an opening bracket also the closing one, or what follows a value. */
type Expected = "value" | "first value" | "key" | "first key" | "after";

/** Position of the first character that breaks the grammar; the length when the text only ends too early. */
export function findSyntaxError(text: string): number {
  /** The brackets that are still to be closed. */
  const closing: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  const skipBlanks = () => {
    while (at < text.length && " \t\r\n".includes(text[at])) at++;
  };
  for (;;) {
    skipBlanks();
    const c = text[at];
    if (
      (expected === "first value" || expected === "first key" || expected === "after") &&
      c === closing.at(-1)
    ) {
      if (closing.pop() === undefined) return at;
      at++;
      expected = "after";
    } else if (expected === "after") {
      if (c !== "," || closing.length === 0) return at;
      at++;
      expected = closing.at(-1) === "]" ? "value" : "key";
    } else if (expected === "key" || expected === "first key") {
      const end = c === '"' ? stringEnd(text, at) : -at - 1;
      if (end < 0) return -end - 1;
      at = end;
      skipBlanks();
      if (text[at] !== ":") return at;
      at++;
      expected = "value";
    } else if (c === "[" || c === "{") {
      closing.push(c === "[" ? "]" : "}");
      at++;
      expected = c === "[" ? "first value" : "first key";
    } else {
      const end = scalarEnd(text, at);
      if (end < 0) return -end - 1;
      at = end;
      expected = "after";
    }
  }
}

/** End of the string, number or word at `at`; else minus the position of the culprit, minus 1. */
function scalarEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  for (const literal of LITERALS)
    if (text[at] === literal[0]) {
      for (let k = 0; k < literal.length; k++) if (text[at + k] !== literal[k]) return -(at + k) - 1;
      return at + literal.length;
    }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number !== null) return at + number[0].length;
  return text[at] === "-" ? -(at + 1) - 1 : -at - 1;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] < " ") return -at - 1;
    if (text[at] !== "\\") continue;
    at++;
    if (at >= text.length) break;
    if (text[at] === "u") {
      for (let k = 1; k <= 4; k++) if (!/^[0-9a-fA-F]$/.test(text[at + k] ?? "")) return -(at + k) - 1;
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at])) return -at - 1;
  }
  return -text.length - 1;
}
