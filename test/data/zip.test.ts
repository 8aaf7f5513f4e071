import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { bytesSource, collect } from "../../src/data/bytes.js";
import { type Inflate, webInflate } from "../../src/data/inflate.js";
import { openZip } from "../../src/data/zip.js";
import { nodeInflate } from "../../src/node/file-source.js";

const text = "0 1\n1 2\n".repeat(500);
const archive = zipSync({
  "a/deflated.txt": strToU8(text),
  "stored.txt": [strToU8(text), { level: 0 }],
  "empty.txt": new Uint8Array(0),
});

const open = (bytes: Uint8Array, inflate: Inflate = webInflate, limit = 1e9) =>
  openZip(bytesSource("x.zip", bytes), inflate, limit);
const unpack = async (bytes: Uint8Array, inflate?: Inflate) => {
  const out: Record<string, string> = {};
  for (const [path, source] of (await open(bytes, inflate)).files)
    out[path] = new TextDecoder().decode(await collect(source.stream()));
  return out;
};

describe.each([
  ["the web's", webInflate],
  ["Node's", nodeInflate],
])("a zip file with %s inflate", (_, inflate) => {
  it("gives back stored, deflated and empty entries", async () => {
    expect(await unpack(archive, inflate)).toEqual({
      "a/deflated.txt": text,
      "stored.txt": text,
      "empty.txt": "",
    });
  });

  it("gives a part of an entry", async () => {
    const { files } = await open(archive, inflate);
    expect(new TextDecoder().decode(await collect(files.get("a/deflated.txt")!.stream(2, 7)))).toBe(
      text.slice(2, 7),
    );
  });

  it("is refused with our sentence when cut off anywhere", async () => {
    for (let length = 4; length < archive.length; length += 97)
      await expect(unpack(archive.slice(0, length), inflate)).rejects.toThrow(/x\.zip.*(damaged|cut off)/);
  });

  it("never gives wrong text: any changed byte ends in our error or changes nothing that is read", async () => {
    for (let at = 0; at < archive.length; at += 3) {
      const bytes = archive.slice();
      bytes[at] ^= 0x55;
      try {
        for (const value of Object.values(await unpack(bytes, inflate))) expect([text, ""]).toContain(value);
      } catch (error) {
        expect(error).toBeInstanceOf(GraphdosError);
      }
    }
  });
});

describe("openZip", () => {
  it.each(["../evil.txt", "a/../../evil.txt", "/etc/passwd", "C:\\evil.txt", "..\\evil.txt"])(
    "refuses the path %s",
    async (path) => {
      await expect(open(zipSync({ [path]: strToU8("x") }))).rejects.toThrow(
        `x.zip: refused: the entry ${JSON.stringify(path)} has a path that climbs out of the archive`,
      );
    },
  );

  it("refuses a zip bomb by what its directory declares", async () => {
    const bomb = zipSync({ "zeros.txt": new Uint8Array(50_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(open(bomb, webInflate, 10_000_000)).rejects.toMatchObject({
      code: "limit",
      message: expect.stringContaining(
        "x.zip: unpacks to more than 10000000 bytes, the limit that guards against zip bombs",
      ),
    });
  });

  it("refuses a zip bomb that lies about its size", async () => {
    const bomb = zipSync({ "zeros.txt": new Uint8Array(5_000_000) });
    const lie = new DataView(bomb.buffer, bomb.byteOffset, bomb.length);
    for (let at = 0; at < bomb.length - 4; at++)
      if (lie.getUint32(at, true) === 5_000_000) lie.setUint32(at, 1000, true);
    await expect(unpack(bomb)).rejects.toThrow(
      "x.zip: zeros.txt: the zip file is damaged or cut off: it unpacks to more than the 1000 bytes",
    );
  });

  it("keeps names in an old code page apart", async () => {
    // "Müller" and "Mäller" in Latin-1; the local headers come first, the directory behind them
    const packed = zipSync({ "M?1.txt": strToU8("0 1\n"), "M?2.txt": strToU8("1 2\n") }, { level: 0 });
    for (let at = 0; at < packed.length; at++)
      if (packed[at] === 0x3f) packed[at] = packed[at + 1] === 0x31 ? 0xfc : 0xe4;
    expect([...(await open(packed)).files.keys()]).toEqual(["M\u00fc1.txt", "M\u00e42.txt"]);
  });

  it("refuses encrypted entries", async () => {
    const bytes = archive.slice();
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length - 4; at++)
      if (view.getUint32(at, true) === 0x02014b50)
        view.setUint16(at + 8, view.getUint16(at + 8, true) | 1, true);
    await expect(unpack(bytes)).rejects.toThrow("x.zip: a/deflated.txt: encrypted entries cannot be read");
  });
});
