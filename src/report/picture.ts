/** An SVG as the bytes of a picture file: itself, or a PNG at twice its size by resvg, which needs no browser. */
import { GraphdosError } from "../base/errors.js";

export const PICTURE_FORMATS = ["svg", "png"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

const PNG_SCALE = 2;

export async function pictureBytes(svg: string, format: PictureFormat): Promise<string | Uint8Array> {
  if (format === "svg") return svg;
  // a native module: only when a PNG is wanted
  const { Resvg } = await import("@resvg/resvg-js");
  const probe = new Resvg('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">a</text></svg>');
  if (probe.getBBox() === undefined)
    throw new GraphdosError(
      "io",
      "a PNG needs a font and this system has none: install one (fonts-dejavu-core on Debian), or write an .svg",
    );
  return new Resvg(svg, { fitTo: { mode: "zoom", value: PNG_SCALE }, background: "#ffffff" })
    .render()
    .asPng();
}
