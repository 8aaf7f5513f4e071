import { unzlibSync } from "fflate";
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { Kernels } from "../../src/compute/kernels.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { localDensityMap, spectralOrder } from "../../src/experiment/local-map.js";
import { type GraphSpectrum, graphSpectrum } from "../../src/experiment/spectrum.js";
import { eigenvalueText, kindsText } from "../../src/experiment/spectrum-words.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, complete, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { densityPicture } from "../../src/report/density-figure.js";
import { type Box, placeLabels } from "../../src/report/label-places.js";
import { pictureBytes } from "../../src/report/picture.js";
import { encodePng } from "../../src/report/png.js";
import { exactProfile } from "../../src/spectrum/exact.js";
import { sampleProfile } from "../../src/spectrum/sample.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";

let kernels: Kernels;
beforeAll(async () => {
  kernels = await loadKernels();
});

const profileOf = (graph: Graph) => exactProfile(graph, { moments: 30, kernels });
const spectrumOf = (graph: Graph, name = "g") => graphSpectrum(graph, profileOf(graph), { name });
const web = barabasiAlbert(120, 2, 5);

describe("picture of a density", () => {
  test("stands alone: its own ground and ink, nothing from outside", () => {
    const svg = densityPicture([spectrumOf(web)], { localMap: localDensityMap(profileOf(web)) });
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg).toContain('<rect width="100%" height="100%" fill="#ffffff"/>');
    expect(svg).toMatch(/<svg[^>]* color="#1f2430"/);
    expect(svg).not.toMatch(/href="(?!data:)|url\(http|@import|var\(--/);
  });

  test("has axes with units, a legend and a label for a spike", () => {
    const { document } = parseHTML(densityPicture([spectrumOf(star(20), "a star")]));
    const words = document.querySelector("svg")!.textContent!;
    for (const part of [
      "a star: 21 nodes, 20 edges",
      "eigenvalue λ",
      "density per unit of λ",
      "share of all eigenvalues",
      "known eigenvalues (right axis)",
      "0 (90.5 %)",
    ])
      expect(words).toContain(part);
  });

  test("two graphs have two curves of different colour and dash, and a note", () => {
    const pair: [GraphSpectrum, GraphSpectrum] = [spectrumOf(web, "one"), spectrumOf(path(30), "two")];
    const svg = densityPicture(pair, { note: "distance 0.1" });
    const { document } = parseHTML(svg);
    const lines = [...document.querySelectorAll('[aria-label="line"]')];
    expect(new Set(lines.map((line) => line.getAttribute("stroke"))).size).toBe(2);
    expect(svg).toContain("stroke-dasharray");
    expect(svg).toContain("distance 0.1");
  });

  test("draws a band where nodes were sampled", async () => {
    const profile = await sampleProfile(web, inlineRunner(kernels), { moments: 30, sample: 20, seed: 1 });
    const { document } = parseHTML(densityPicture([graphSpectrum(web, profile, { name: "g" })]));
    expect(document.querySelectorAll('[aria-label="area"]').length).toBe(2);
    expect(document.querySelector("svg")!.textContent).toContain("± 2 standard errors");
  });

  test("a name like markup, or with characters that XML forbids, stays text", () => {
    const svg = densityPicture([spectrumOf(path(3), '<script>alert("1")</script>\u0000\u001b')]);
    expect(parseHTML(svg).document.querySelector("script")).toBeNull();
    for (const letter of svg) expect(letter >= " " || letter === "\n").toBe(true);
  });

  test.each([
    ["no nodes", 0],
    ["one node", 1],
    ["three nodes", 3],
  ])("%s and no edges: no nonsense", (_, nodeCount) => {
    const { graph } = buildGraph({ nodeCount, sources: [], targets: [] });
    const svg = densityPicture([spectrumOf(graph)], { localMap: localDensityMap(profileOf(graph)) });
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("becomes a PNG of twice the size", async () => {
    const png = (await pictureBytes(densityPicture([spectrumOf(web)]), "png")) as Uint8Array;
    const view = new DataView(png.buffer, png.byteOffset);
    expect(view.getUint32(16)).toBe(2 * 920);
  });
});

describe("labels of stems", () => {
  const frame: Box = { left: 0, right: 400, top: 0, bottom: 200 };

  it("never overlap each other or leave the frame", () => {
    const stems = Array.from({ length: 12 }, (_, k) => ({
      x: 10 + 33 * k,
      y: 20 + 11 * ((k * 7) % 12),
      text: "−1/3 (12 %)",
    }));
    const boxes = placeLabels(stems, frame).flatMap((place) => {
      if (place === null) return [];
      const width = 6.6 * 11;
      const left = place.x - (place.anchor === "end" ? width : place.anchor === "middle" ? width / 2 : 0);
      return [{ left, right: left + width, top: place.y - 8, bottom: place.y + 8 }];
    });
    expect(boxes.length).toBeGreaterThan(3);
    for (const [k, a] of boxes.entries()) {
      expect(a.left >= 0 && a.right <= 400 && a.top >= 0 && a.bottom <= 200).toBe(true);
      for (const b of boxes.slice(k + 1))
        expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
    }
  });

  it("cover a soft box only where nothing else is free", () => {
    const stem = { x: 200, y: 100, text: "0" };
    const right = { left: 201, right: 260, top: 90, bottom: 110 };
    expect(placeLabels([stem], frame)[0]!.anchor).toBe("start");
    expect(placeLabels([stem], frame, [right])[0]!.anchor).toBe("end");
    expect(placeLabels([stem], frame, [frame])[0]!.anchor).toBe("start");
  });
});

describe("the map of local densities", () => {
  it("has every node once, each with the whole mass", () => {
    const { rows, values, grid, nodes } = localDensityMap(profileOf(web));
    expect([rows, nodes]).toEqual([120, 120]);
    for (let r = 0; r < rows; r++) {
      const mass = values.subarray(r * grid.length, (r + 1) * grid.length).reduce((a, b) => a + b, 0);
      expect(mass * (2 / grid.length)).toBeCloseTo(1, 9);
    }
  });

  it("gives twins rows by their number: seven alike leaves and a centre", () => {
    const { rows, values, grid } = localDensityMap(profileOf(star(7)));
    const keys = Array.from({ length: rows }, (_, r) =>
      values.subarray(r * grid.length, (r + 1) * grid.length).join(),
    );
    const sizes = [...new Set(keys)].map((key) => keys.filter((other) => other === key).length);
    expect(sizes.sort()).toEqual([1, 7]);
  });

  it("takes quantiles of the nodes where there are more than rows", () => {
    const { rows, nodes } = localDensityMap(profileOf(web), { rows: 12, columns: 30 });
    expect([rows, nodes]).toEqual([12, 120]);
  });

  it("puts alike nodes together: the end points of a path first or last", () => {
    const profile = profileOf(path(9));
    const order = [...spectralOrder(profile, "jackson")];
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: profile.rowCount }, (_, r) => r));
    const place = (node: number) => order.indexOf(profile.rowOf[node]);
    expect(Math.abs(place(0) - place(8))).toBeLessThanOrEqual(1);
  });
});

describe("eigenvalues in words", () => {
  test.each([
    [0, "0"],
    [1, "1"],
    [-1, "−1"],
    [-1 / 3, "−1/3"],
    [1 / 2, "1/2"],
    [0.42, "0.420"],
    [-0.00412, "−0.0041"],
  ])("%d is %s", (value, words) => expect(eigenvalueText(value)).toBe(words));

  test("motifs are named", () => {
    expect(spectrumOf(complete(4)).atoms.map(kindsText)).toEqual([
      "clique twins (adjacent, same neighbours)",
      "connected components",
    ]);
  });
});

test("a PNG holds its pixels: unpacked, every row is a zero and the row", () => {
  const rgb = Uint8Array.from({ length: 2 * 3 * 3 }, (_, k) => 10 * k);
  const png = encodePng(3, 2, rgb);
  const view = new DataView(png.buffer);
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([3, 2]);
  const length = view.getUint32(33);
  const raw = unzlibSync(png.subarray(41, 41 + length));
  expect([...raw]).toEqual([0, ...rgb.subarray(0, 9), 0, ...rgb.subarray(9)]);
});
