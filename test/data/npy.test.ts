import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { type NpyData, npyHeader, readNpy, writeNpy } from "../../src/data/npy.js";
import { readNpz, writeNpz } from "../../src/data/npz.js";

const python = ["/usr/bin/python3", "python3"].find(
  (command) => spawnSync(command, ["-c", "import numpy"], { stdio: "ignore" }).status === 0,
);

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const withHeader = (header: string, elements: number) => {
  const bytes = new Uint8Array(10 + header.length + elements);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  bytes.set(new TextEncoder().encode(header), 10);
  return bytes;
};
const thrown = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
};

describe("npy files", () => {
  it("have the header that the format describes, a multiple of 64 bytes", () => {
    const header = npyHeader("float64", [3, 4]);
    expect(header.length % 64).toBe(0);
    expect(text(header.subarray(0, 8))).toBe("\x93NUMPY\x01\x00");
    expect(text(header.subarray(10)).trimEnd()).toBe(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }",
    );
    expect(header.at(-1)).toBe(10);
    expect(text(npyHeader("bool", [5]))).toContain("'descr': '|b1', 'fortran_order': False, 'shape': (5,)");
    expect(text(npyHeader("int32", []))).toContain("'shape': ()");
  });

  it("hold nothing, one number, or no rows of three", () => {
    for (const [data, shape] of [
      [new Float64Array(0), [0]],
      [Float64Array.of(7), []],
      [new Int32Array(0), [0, 3]],
    ] as [NpyData, number[]][]) {
      const back = readNpy(writeNpy(data, shape));
      expect(back.shape).toEqual(shape);
      expect(back.data).toEqual(data);
    }
  });

  it("come back as they were written, bit for bit", () => {
    fc.assert(
      fc.property(fc.float64Array(), fc.float32Array(), fc.int32Array(), fc.uint8Array(), (a, b, c, d) => {
        for (const data of [a, b, c, d]) {
          const back = readNpy(writeNpy(data));
          expect(back.data.constructor).toBe(data.constructor);
          expect(new Uint8Array(back.data.buffer)).toEqual(new Uint8Array(data.slice().buffer));
        }
      }),
    );
    const big = BigInt64Array.of(0n, -1n, 2n ** 63n - 1n, -(2n ** 63n));
    expect(readNpy(writeNpy(big)).data).toEqual(big);
  });

  it("are written from a view into a larger buffer without its neighbours", () => {
    expect(readNpy(writeNpy(Float64Array.of(9, 1, 2, 9).subarray(1, 3))).data).toEqual(Float64Array.of(1, 2));
  });

  it("are refused when cut off anywhere, or longer than they say", () => {
    const bytes = writeNpy(Float64Array.of(1, 2, 3));
    for (let end = 0; end < bytes.length; end++)
      expect(thrown(() => readNpy(bytes.subarray(0, end)))).toBeInstanceOf(GraphdosError);
    expect(() => readNpy(Uint8Array.of(...bytes, 0), "a.npy")).toThrow(
      "a.npy: damaged or cut off: got 25 bytes",
    );
  });

  it("are refused or read, and never crash otherwise, when any byte is changed", () => {
    const bytes = writeNpy(Int32Array.of(1, 2, 3, 4), [2, 2]);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const damaged = bytes.slice();
        damaged[at] = value;
        const error = thrown(() => readNpy(damaged));
        expect(error === null || error instanceof GraphdosError).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("of other kinds are refused with a sentence", () => {
    const refuse = (header: string) => () => readNpy(withHeader(header, 8), "x.npy");
    expect(refuse("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }")).toThrow(
      'element type: got "<c16"',
    );
    expect(refuse("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }")).toThrow('got "|O"');
    expect(refuse("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }")).toThrow("records");
    expect(refuse("{'descr': '<f8', 'shape': (1,), }")).toThrow("header is not readable");
    expect(refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }")).toThrow(
      "shape",
    );
    expect(refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000,), }")).toThrow("cut off");
    const version = writeNpy(Float64Array.of(1));
    version[6] = 9;
    expect(() => readNpy(version)).toThrow("got 9, expected 1, 2 or 3");
  });

  it("are not written with a wrong shape or type", () => {
    expect(() => writeNpy(new Float64Array(5), [2, 2])).toThrow("got 5 elements for shape (2, 2)");
    expect(() => writeNpy(new Float64Array(1), [1], "int32")).toThrow("got int32 for an array of float64");
    expect(() => npyHeader("float16" as never, [1])).toThrow("got float16");
    expect(() => npyHeader("uint8", [-1])).toThrow("got (-1)");
  });
});

describe("npz files", () => {
  const entries = {
    signature: { data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] },
    labels: { data: Int32Array.of(-1, 1) },
    mask: { data: Uint8Array.of(1, 0), dtype: "bool" as const },
  };

  it("come back as they were written, stored or deflated", async () => {
    for (const compress of [false, true]) {
      const arrays = await readNpz(writeNpz(entries, { compress }));
      expect([...arrays.keys()]).toEqual(["signature", "labels", "mask"]);
      expect(arrays.get("signature")).toEqual({
        dtype: "float64",
        shape: [2, 3],
        data: entries.signature.data,
      });
      expect(arrays.get("labels")).toEqual({ dtype: "int32", shape: [2], data: entries.labels.data });
      expect(arrays.get("mask")!.dtype).toBe("bool");
    }
  });

  it("have the same bytes whenever and wherever they are written", () => {
    expect(writeNpz(entries)).toEqual(writeNpz(entries));
    // the time in the first local header: 1980-01-01 12:00:00
    const bytes = writeNpz(entries);
    expect([bytes[10], bytes[11], bytes[12], bytes[13]]).toEqual([0x00, 0x60, 0x21, 0x00]);
  });

  it("are the archive that a zip library makes of the same files", () => {
    const named = { ...entries, größe: { data: new Float64Array(0) } };
    const files = Object.entries(named).map(([name, { data, ...rest }]) => [
      `${name}.npy`,
      writeNpy(data, "shape" in rest ? rest.shape : undefined, "dtype" in rest ? rest.dtype : undefined),
    ]);
    const archive = zipSync(Object.fromEntries(files), { level: 0, mtime: new Date(1980, 0, 1, 12) });
    expect(writeNpz(named)).toEqual(archive);
    expect(writeNpz({})).toEqual(zipSync({}));
  });

  it("are refused when cut off anywhere", async () => {
    for (const compress of [false, true]) {
      const bytes = writeNpz(entries, { compress });
      for (let end = 0; end < bytes.length; end++)
        await expect(readNpz(bytes.subarray(0, end))).rejects.toBeInstanceOf(GraphdosError);
    }
  });

  it("are refused when an element is changed: the checksum tells", async () => {
    const bytes = writeNpz(entries);
    bytes[30 + "signature.npy".length + 128 + 3] ^= 1;
    await expect(readNpz(bytes, "f.npz")).rejects.toThrow("its checksum does not match");
  });

  it("refuse names with slashes and unknown options", () => {
    expect(() => writeNpz({ "../x": { data: new Float64Array(1) } })).toThrow("without slashes");
    expect(() => writeNpz({}, { compres: true } as never)).toThrow("did you mean compress?");
  });

  it("may be empty", async () => {
    expect((await readNpz(writeNpz({}))).size).toBe(0);
  });
});

describe.skipIf(python === undefined)("numpy itself (skipped where no python3 has numpy)", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "graphdos-npy-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (script: string) =>
    execFileSync(python!, ["-c", `import numpy as np\n${script}`], { cwd: folder, encoding: "utf8" }).trim();

  it("reads what we write", () => {
    writeFileSync(join(folder, "a.npy"), writeNpy(Float64Array.of(1.5, -2, Number.NaN, 4, 5, 6), [2, 3]));
    expect(run("a = np.load('a.npy'); print(a.dtype, a.shape, a.tolist())")).toBe(
      "float64 (2, 3) [[1.5, -2.0, nan], [4.0, 5.0, 6.0]]",
    );
    for (const compress of [false, true]) {
      const entries = {
        f: { data: Float32Array.of(0.5, 1), shape: [2, 1] },
        i: { data: BigInt64Array.of(-5n) },
        b: { data: Uint8Array.of(1, 0), dtype: "bool" as const },
        s: { data: Float64Array.of(3), shape: [] },
      };
      writeFileSync(join(folder, "a.npz"), writeNpz(entries, { compress }));
      expect(run("z = np.load('a.npz')\nfor k in z: print(k, z[k].dtype, z[k].shape, z[k].tolist())")).toBe(
        "f float32 (2, 1) [[0.5], [1.0]]\ni int64 (1,) [-5]\nb bool (2,) [True, False]\ns float64 () 3.0",
      );
    }
  });

  it("writes what we read: types, byte orders, Fortran order, versions", async () => {
    run(`
for name, dtype in [('f8', '<f8'), ('f4', '<f4'), ('i4', '<i4'), ('i8', '<i8'), ('u1', '|u1'), ('big', '>f8'), ('bigint', '>i8')]:
    np.save(name + '.npy', np.arange(24).reshape(2, 3, 4).astype(dtype))
np.save('fortran.npy', np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
np.save('bool.npy', np.array([True, False, True]))
np.save('scalar.npy', np.float64(2.5))
np.lib.format.write_array(open('v2.npy', 'wb'), np.arange(24.0).reshape(2, 3, 4), version=(2, 0))
np.savez('stored.npz', x=np.arange(3.0), y=np.zeros((0, 2)))
np.savez_compressed('deflated.npz', x=np.arange(1000.0))`);
    const load = (name: string) => readNpy(new Uint8Array(readFileSync(join(folder, name))), name);
    for (const name of ["f8", "f4", "i4", "i8", "u1", "big", "bigint", "fortran", "v2"]) {
      const { shape, data } = load(`${name}.npy`);
      expect(shape).toEqual([2, 3, 4]);
      expect(Array.from(data as ArrayLike<number | bigint>, Number)).toEqual(
        Array.from({ length: 24 }, (_, i) => i),
      );
    }
    expect(load("bool.npy")).toEqual({ dtype: "bool", shape: [3], data: Uint8Array.of(1, 0, 1) });
    expect(load("scalar.npy")).toEqual({ dtype: "float64", shape: [], data: Float64Array.of(2.5) });
    const stored = await readNpz(new Uint8Array(readFileSync(join(folder, "stored.npz"))));
    expect(stored.get("x")!.data).toEqual(Float64Array.of(0, 1, 2));
    expect(stored.get("y")!.shape).toEqual([0, 2]);
    const deflated = await readNpz(new Uint8Array(readFileSync(join(folder, "deflated.npz"))));
    expect(deflated.get("x")!.data).toEqual(Float64Array.from({ length: 1000 }, (_, i) => i));
  });
});
