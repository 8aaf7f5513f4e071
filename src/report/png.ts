/**
 * A PNG of plain RGB pixels (8 bits a channel), written by hand: signature, IHDR, one IDAT, IEND. For pictures inside of an SVG that
 * would else be tens of thousands of rectangles.
 */

import { zlibSync } from "fflate";
import { crc32 } from "../base/crc32.js";
import { joined } from "../base/joined.js";

/** `rgb` holds height rows of width × 3 bytes. */
export function encodePng(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const stride = 3 * width;
  // every row begins with its filter: 0, none
  const raw = new Uint8Array(height * (stride + 1));
  for (let row = 0; row < height; row++)
    raw.set(rgb.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 2, 0, 0, 0], 8);
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("IDAT", zlibSync(raw, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let k = 0; k < 4; k++) bytes[4 + k] = name.charCodeAt(k);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** The image as a data address. */
export function dataAddress(png: Uint8Array): string {
  let binary = "";
  for (let k = 0; k < png.length; k += 8192) binary += String.fromCharCode(...png.subarray(k, k + 8192));
  return `data:image/png;base64,${btoa(binary)}`;
}
