/**
 * What the address keeps: `#view=spectrum&set=synthetic:threads&graph=12&moments=80`. A field is in the address when it differs from its
 * default, so that a short address is a plain view. Anything unknown or out of range in an address is passed over.
 */
interface Field<T> {
  readonly default: T;
  /** The value that a text stands for; undefined when it stands for none. */
  read(text: string): T | undefined;
}

const word = <T extends string>(...names: readonly [T, ...T[]]): Field<T> => ({
  default: names[0],
  read: (text) => names.find((name) => name === text),
});

const whole = (value: number, from: number, to: number): Field<number> => ({
  default: value,
  read: (text) => {
    const number = Number(text);
    return text !== "" && Number.isInteger(number) && number >= from && number <= to ? number : undefined;
  },
});

/** A number of an interval, or nothing. */
const maybe = (from: number, to: number): Field<number | null> => ({
  default: null,
  read: (text) => {
    const number = Number(text);
    return text !== "" && number >= from && number <= to ? number : undefined;
  },
});

const maybeWhole = (from: number, to: number): Field<number | null> => ({
  ...whole(0, from, to),
  default: null,
});

const text = (value: string): Field<string> => ({ default: value, read: (given) => given });

const flag: Field<boolean> = {
  default: false,
  read: (given) => (given === "1" ? true : given === "0" ? false : undefined),
};

export const MOMENTS = { from: 4, to: 200 } as const;
export const PROBES = { from: 2, to: 256 } as const;

export const fields = {
  view: word("open", "graph", "spectrum", "compare", "collection"),
  /** "synthetic:threads", or the name of a file that was opened. */
  set: text(""),
  /** Beyond the last graph: the last one, as soon as the set is open. */
  graph: whole(0, 0, Number.MAX_SAFE_INTEGER),
  /** The second graph of Compare. */
  other: whole(1, 0, Number.MAX_SAFE_INTEGER),
  moments: whole(50, MOMENTS.from, MOMENTS.to),
  damping: word("jackson", "lorentz", "none"),
  /** exact where that is cheap enough (auto), or against an estimate by probes or by a sample of nodes. */
  estimator: word("auto", "probes", "sample"),
  probes: whole(32, PROBES.from, PROBES.to),
  seed: whole(0, 0, 2 ** 31 - 1),
  loops: flag,
  filter: word("all", "paper", "none"),
  /** The chosen eigenvalue. */
  lambda: maybe(-1, 1),
  colour: word("return", "density", "none"),
  steps: whole(4, 1, MOMENTS.to),
  motifs: flag,
  /** A node that was chosen by clicking it. */
  node: maybeWhole(0, 2 ** 31 - 1),
  kernel: text("dos+ldos"),
} satisfies Record<string, Field<unknown>>;

export type View = { -readonly [K in keyof typeof fields]: (typeof fields)[K]["default"] };

const names = Object.keys(fields) as (keyof View)[];

export const defaultView = (): View =>
  Object.fromEntries(names.map((name) => [name, fields[name].default])) as unknown as View;

/** The view of an address's hash. */
export function readAddress(hash: string): View {
  const view: Record<string, unknown> = defaultView();
  for (const [name, given] of new URLSearchParams(hash.replace(/^#/, "")))
    if (Object.hasOwn(fields, name)) {
      const value = fields[name as keyof View].read(given);
      if (value !== undefined) view[name] = value;
    }
  return view as View;
}

/** The hash of a view, "" for the default one. */
export function writeAddress(view: View): string {
  const parameters = new URLSearchParams();
  for (const name of names) {
    const value = view[name];
    if (value === fields[name].default || value === null) continue;
    parameters.set(name, typeof value === "boolean" ? (value ? "1" : "0") : String(value));
  }
  const written = parameters.toString().replaceAll("%3A", ":");
  return written === "" ? "" : `#${written}`;
}
