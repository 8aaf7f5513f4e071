import { describe, expect, test } from "vitest";
import { plainText } from "../../src/cli/terminal.js";
import { barChart, histogramChart } from "../../src/cli/terminal-chart.js";

describe("histogramChart", () => {
  test("draws the fullest bin to the top and shows a sliver for the smallest", () => {
    const lines = histogramChart(
      { scale: "linear", edges: [0, 10, 20, 30], counts: [100, 0, 1] },
      { width: 12, height: 2 },
    );
    expect(lines).toEqual(["████", "████    ▁▁▁▁", "────────────", "0   10    30"]);
  });

  test("says when there is nothing", () => {
    expect(histogramChart({ scale: "linear", edges: [], counts: [] })).toEqual(["(nothing to show)"]);
  });

  test("stays within the width", () => {
    const counts = Array.from({ length: 30 }, (_, k) => k);
    const edges = Array.from({ length: 31 }, (_, k) => 1000 * k);
    for (const width of [40, 80, 120])
      for (const line of histogramChart({ scale: "linear", edges, counts }, { width }))
        expect(line.length).toBeLessThanOrEqual(width);
  });
});

describe("barChart", () => {
  test("bars are in proportion", () => {
    const lines = barChart(
      [
        { label: "a", value: 4 },
        { label: "bb", value: 2 },
        { label: "c", value: 0 },
      ],
      { width: 14 },
    );
    expect(lines).toEqual(["a   ████████ 4", "bb  ████     2", "c            0"]);
  });

  test("long names are cut, characters that steer a terminal are taken out", () => {
    const [line] = barChart([{ label: `\u001b[31m${"x".repeat(40)}`, value: 1 }]);
    expect(line).not.toContain("\u001b");
    expect(line).toContain("…");
    expect(plainText("a\u001b]0;b\u0007\u202e")).toBe("a�]0;b��");
  });
});
