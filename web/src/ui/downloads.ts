/** Pictures, tables and arrays as files: nothing is asked of a server. */
export interface Download {
  /** What the button says: "SVG". */
  label: string;
  /** Name of the file. */
  file: string;
  make(): Blob | Promise<Blob>;
}

/** A name that every file system takes. */
export const fileName = (...parts: (string | number)[]) =>
  parts
    .join("-")
    .replace(/[^\w.+-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 120);

export function save(file: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const svgBlob = (svg: string) => new Blob([svg], { type: "image/svg+xml" });
export const csvBlob = (text: string) => new Blob([text], { type: "text/csv" });

/** An SVG that stands alone as a PNG, twice as large as it is drawn. */
export async function pngBlob(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob === null ? reject(new Error("the picture could not be drawn")) : resolve(blob),
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Rows as CSV; texts with separators or quotes are quoted. */
export function csvTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const field = (value: string | number) => {
    const text = String(value);
    return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[head, ...rows].map((row) => row.map(field).join(",")).join("\n")}\n`;
}

/** A picture as SVG and as PNG. */
export const pictureDownloads = (name: string, draw: () => string | Promise<string>): Download[] => [
  { label: "SVG", file: `${name}.svg`, make: async () => svgBlob(await draw()) },
  { label: "PNG", file: `${name}.png`, make: async () => pngBlob(await draw()) },
];
