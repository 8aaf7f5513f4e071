/** CRC-32 (IEEE 802.3, as in zip and gzip), eight bytes a step ("slicing by 8"). Signed tables, which V8 keeps as small integers. */
const tables = makeTables();

function makeTables(): Int32Array[] {
  const all = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    all[0][i] = c;
  }
  for (let i = 0; i < 256; i++)
    for (let t = 1; t < 8; t++) all[t][i] = (all[t - 1][i] >>> 8) ^ all[0][all[t - 1][i] & 255];
  return all;
}

/** The checksum of the bytes, or of bytes that follow others whose checksum is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let c = ~before;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    const low = c ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    c =
      t7[low & 255] ^
      t6[(low >>> 8) & 255] ^
      t5[(low >>> 16) & 255] ^
      t4[low >>> 24] ^
      t3[bytes[i + 4]] ^
      t2[bytes[i + 5]] ^
      t1[bytes[i + 6]] ^
      t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) c = t0[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}
