import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import { markedRows } from "../../src/signature/labelled-rows.js";
import { nodeMarks } from "../../src/signature/node-marks.js";
import { allocateNodeRows } from "../../src/signature/node-rows.js";

test.each([0, 2 ** 21 - 1, 2 ** 21, 2 ** 21 + 1])(
  "nodes of row %d with different labels stay apart",
  (row) => {
    const labels = [0, 1, 1, -1];
    const { graph } = buildGraph({ nodeCount: 4, sources: [], targets: [], labels });
    const marks = nodeMarks([graph], { labels: true, attributes: false, attributeWidth: 0 });
    const rows = allocateNodeRows([row + 1], 1);
    const node = { shape: "gaussian", width: 1 } as const;
    const marked = markedRows(rows, [graph], [Uint32Array.of(row, row, row, row)], marks, node);
    expect([...marked.masses]).toEqual([0.25, 0.5, 0.25]);
  },
);
