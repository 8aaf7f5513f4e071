/** The value in a sentence, cut when it is long: only its beginning is looked at, however large or deep it is. */
export function shown(value: unknown): string {
  const text = beginning(value, 41);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** At least the first `characters` of the value as JSON, or all of it. Numbers that JSON cannot write stand as they are called. */
function beginning(value: unknown, characters: number): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, characters));
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  let separator = "";
  for (const key in value) {
    if (text.length >= characters) return text;
    const name = isList ? "" : `${JSON.stringify(key.slice(0, characters))}:`;
    text += separator + name;
    text += beginning((value as Record<string, unknown>)[key], Math.max(1, characters - text.length));
    separator = ",";
  }
  return text + (isList ? "]" : "}");
}
