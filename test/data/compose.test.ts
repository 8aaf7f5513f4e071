import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource, textSource } from "../../src/data/bytes.js";
import { fileFormats, findFormat, readDataset } from "../../src/data/read.js";

describe("readDataset", () => {
  it("finds the format by content, whatever the name", async () => {
    const heads: [string, string][] = [
      ["%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "mtx"],
      ['<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns"></graphml>', "graphml"],
      ['<?xml version="1.0"?>\n<gexf version="1.3"></gexf>', "gexf"],
      ['Creator "x"\ngraph [ node [ id 1 ] ]', "gml"],
      ['// x\n/* y */ strict digraph "G" {', "dot"],
      ["% x\n*Vertices 3\n", "pajek"],
      [">>graph6<<A_", "graph6"],
      ["nodedef>name VARCHAR\n", "gdf"],
      ["#run.py\n# GMT Wed Nov 18 2026\n#\n0 1 2\n1\n2\n", "adjlist"],
      ["#run.py\n# GMT Wed Nov 18 2026\n#\n0 1\n1 {}\n1 0\n", "multiline-adjlist"],
      ['{"nodes": []}', "json"],
      ["0 1\n", "edges"],
    ];
    for (const [head, format] of heads) expect(findFormat("anything.bin", head).name).toBe(format);
    // the first two have no mark: their endings say what they are; a matrix looks like an edge list, whose reader tells them apart
    expect(findFormat("x.metis", "3 2\n2 3\n1\n1\n").name).toBe("metis");
    expect(findFormat("x.lgl", "# a\nb\n").name).toBe("lgl");
    expect(fileFormats.map((f) => f.name).sort()).toEqual(
      [...heads.map(([, f]) => f), "lgl", "matrix", "metis"].sort(),
    );
  });

  it("refuses text that is no format that is read and does not look like an edge list", () => {
    const formats =
      "Matrix Market (mtx), GraphML, GEXF, GML, DOT, Pajek, graph6, sparse6, digraph6 (graph6), GDF, METIS, adjacency list (adjlist), multiline adjacency list (multiline-adjlist), LGL, JSON, adjacency matrix as text (matrix), edge list (edges)";
    for (const [name, head, why] of [
      ["x.html", "<!doctype html><html>", "looks like HTML or XML, and not like a format that is read"],
      ["x.txt", "\n <html>", "looks like HTML or XML, and not like a format that is read"],
      ["x.bin", "ab\0c d", "is not text, and its format is not one that is read"],
      [
        "x",
        "# a letter\nDear Ada!\n\nthe engine is ready when you are.\n",
        "its format cannot be told, and its lines differ in their number of fields, unlike those of an edge list",
      ],
      [
        "x.log",
        "it is done\n",
        "its format cannot be told, and the third field is no weight, as in an edge list: got done",
      ],
      ["x.g", "abc\n", "its format cannot be told, and no line names two nodes, as those of an edge list do"],
    ])
      expect(() => findFormat(name, head)).toThrow(
        `${name}: ${why}; give --format NAME if it is one of these: ${formats}`,
      );
    for (const head of [
      "# c\r\n1 2\r\n7\r\n3 4\r\n5 6 cut",
      "a b {'weight': 2, 'x': 1}\nb c {}\n",
      "u,v,w\n1,2,3",
      "1\t2\n",
    ])
      expect(findFormat("x", head).name).toBe("edges");
    expect(findFormat("x.html", "<html>", "edges").name).toBe("edges");
  });

  it("takes the named format, and suggests one for a mistyped name", () => {
    expect(findFormat("x.json", "{", "edges").name).toBe("edges");
    expect(() => findFormat("x", "", "graphmll")).toThrow("unknown format: graphmll; did you mean graphml?");
  });

  it("reads a zipped folder of graph files with labels.csv", async () => {
    const zip = zipSync({
      "a.txt": strToU8("0 1\n"),
      "b.txt": strToU8("0 1\n1 2\n"),
      "labels.csv": strToU8("file,label\na.txt,x\nb.txt,y\n"),
    });
    const set = await readDataset(bytesSource("set.zip", zip));
    expect(set.graphs.map((g) => g.edgeCount)).toEqual([1, 2]);
    expect(set.classNames).toEqual(["x", "y"]);
  });

  it("refuses an empty folder, an empty file and a zip whose beginning is damaged", async () => {
    await expect(readDataset({ name: "folder", files: new Map() })).rejects.toThrow(
      "folder: the folder is empty",
    );
    await expect(readDataset(textSource("x.graphml", ""))).rejects.toThrow("x.graphml: the file is empty");
    await expect(readDataset(textSource("x.zip", "PK??"))).rejects.toThrow(
      "x.zip: looks like a zip file, but its beginning is damaged",
    );
  });

  it("refuses text that is called zip or gz, unless it is told what it is", async () => {
    const page = "<html>not found</html>";
    await expect(readDataset(textSource("x.zip", page))).rejects.toThrow("x.zip: not a zip file");
    await expect(readDataset(textSource("x.txt.GZ", "0 1"))).rejects.toThrow("x.txt.GZ: not a gz file");
    const { graphs } = await readDataset(textSource("x.zip", "0 1"), { format: "edges" });
    expect(graphs[0].edgeCount).toBe(1);
  });
});
