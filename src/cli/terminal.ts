/**
 * Text on its way to a terminal. Names of classes, graphs, nodes and files come from data; what in them would steer a terminal (escape
 * sequences, carriage returns, direction marks) is replaced. All text of the commands passes through here; what is data (CSV) does
 * not, and JSON writes such characters as escapes, which loses nothing.
 */
import pc from "picocolors";

/** The colours and weights that the commands themselves use; none hides text or moves the cursor. */
const ESCAPE = String.fromCharCode(27);
const PAINT = new RegExp(`(${ESCAPE}\\[(?:0|1|2|22|3[0-7]|39|9[0-7])m)`);

/** A name: not even a new line is left in it. */
export const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");

/** Several lines, with colours where the terminal has them. */
export function terminalText(text: string): string {
  const pieces = pc.isColorSupported ? text.split(PAINT) : [text];
  // every second piece is what the pattern matched
  return pieces
    .map((piece, k) => (k % 2 === 1 ? piece : piece.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�")))
    .join("");
}

/** A sentence to stderr, on one line. */
export function say(sentence: string): void {
  process.stderr.write(`${terminalText(sentence.replaceAll("\n", "�"))}\n`);
}

/** JSON in which steering characters are escaped. */
export const terminalJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    // those beyond 16 bits are two halves
    Array.from({ length: character.length }, (_, k) => character.charCodeAt(k))
      .map((code) => `\\u${code.toString(16).padStart(4, "0")}`)
      .join(""),
  );
