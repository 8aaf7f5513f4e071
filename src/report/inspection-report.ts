/** The HTML report of `inspect`: headline numbers, classes, sizes, typical graphs, copies, and how the data was read. */
import { Random } from "../base/random.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import { readingSentences } from "../experiment/cleaning-sentences.js";
import { binCounts, type Distribution } from "../experiment/distribution.js";
import { type Inspection, largestClasses } from "../experiment/inspection.js";
import { copySentences, structureSentences } from "../experiment/inspection-sentences.js";
import { formatNumber, formatShare, quantity } from "../experiment/wording.js";
import { version } from "../version.js";
import { barFigure, histogramFigure, type ScatterPoint, type Series, scatterFigure } from "./charts.js";
import { legend, NEUTRAL, PALETTE, seriesColour } from "./figure.js";
import { html, type SafeHtml } from "./html.js";
import { type Card, panel, renderPage, type Section, sentenceList, table } from "./page.js";
import { drawable, graphDrawing, typicalGraphs } from "./thumbnail.js";

export interface ReportOptions {
  /** The command that made the report, for its foot. */
  command?: string;
  /** When it was made; the report itself never looks at a clock. */
  date?: string;
}

/** Points of the scatter plot; more would only make the file large. */
const MAX_POINTS = 2500;
const MAX_LISTED_CLASSES = 24;
const MAX_DRAWN_CLASSES = 6;
const DRAWN_EACH = 6;

export function inspectionReport(
  inspection: Inspection,
  dataset: Dataset,
  options: ReportOptions = {},
): string {
  const many = inspection.graphs > 1;
  const sections: (Section | null)[] = [
    inspection.classes > 0 ? classSection(inspection) : null,
    sizeSection(inspection, dataset),
    many ? scatterSection(inspection, dataset) : null,
    drawingSection(inspection, dataset),
    {
      title: "Structure",
      body: sentenceList([...copySentences(inspection), ...structureSentences(inspection)]),
    },
    {
      title: "Reading and cleaning",
      body: sentenceList(readingSentences(inspection)),
    },
  ];
  const provenance: [string, string][] = [
    ["Data", inspection.name],
    ["Made by", `graphdos ${version}`],
  ];
  if (options.command) provenance.push(["Command", options.command]);
  if (options.date) provenance.push(["Date", options.date]);
  return renderPage({
    title: inspection.name,
    subtitle: subtitle(inspection),
    cards: cards(inspection),
    sections: sections.filter((section) => section !== null),
    provenance,
  });
}

/** "1,000 graphs in 2 classes, without weights". */
function subtitle({ graphs, classes, totalNodes, totalEdges, weighted, nodeLabels }: Inspection): string {
  const parts = [
    graphs === 1
      ? `One graph of ${quantity(totalNodes, "node")} and ${quantity(totalEdges, "edge")}`
      : `${quantity(graphs, "graph")}${classes > 0 ? ` in ${quantity(classes, "class", "classes")}` : ""}`,
  ];
  if (weighted) parts.push("weighted");
  if (nodeLabels > 0) parts.push(quantity(nodeLabels, "node label"));
  return parts.join(", ");
}

function cards(inspection: Inspection): Card[] {
  const { graphs, nodes, edges, degrees, isomorphic, twins, components } = inspection;
  const range = ({ min, max }: Distribution) => `${formatNumber(min)} to ${formatNumber(max)}`;
  const shared: Card[] = [
    { label: "mean degree", value: formatNumber(degrees.mean), note: range(degrees) },
    { label: "nodes with a twin", value: formatShare(twins.share), note: "same neighbours as another node" },
  ];
  if (graphs === 1)
    return [
      { label: "nodes", value: formatNumber(inspection.totalNodes) },
      { label: "edges", value: formatNumber(inspection.totalEdges) },
      ...shared,
      { label: "components", value: formatNumber(components.max) },
      { label: "isolated nodes", value: formatNumber(inspection.isolatedNodes) },
      { label: "self-loops", value: formatNumber(inspection.selfLoops) },
    ];
  return [
    { label: "graphs", value: formatNumber(graphs) },
    { label: "mean nodes", value: formatNumber(inspection.meanNodes), note: range(nodes) },
    { label: "mean edges", value: formatNumber(inspection.meanEdges), note: range(edges) },
    ...shared,
    { label: "mean density", value: formatNumber(inspection.meanDensity) },
    { label: "connected", value: formatShare(components.connectedShare), note: "of the graphs" },
    {
      label: "different graphs",
      value: formatNumber(isomorphic.distinct),
      note: `${quantity(isomorphic.copies, "isomorphic copy", "isomorphic copies")}`,
    },
  ];
}

interface ClassGroup {
  name: string;
  colour: string;
  classes: ReadonlySet<number>;
}

/** Classes by colour: with more classes than colours, the largest have one each and the others share a neutral one. */
function classGroups(inspection: Inspection): ClassGroup[] {
  const { classNames } = inspection;
  const own = largestClasses(inspection, PALETTE.length);
  const groups: ClassGroup[] = own.map((c, k) => ({
    name: classNames[c],
    colour: seriesColour(k),
    classes: new Set([c]),
  }));
  const others = new Set(classNames.keys());
  for (const c of own) others.delete(c);
  if (others.size > 0)
    groups.push({
      name: quantity(others.size, "other class", "other classes"),
      colour: NEUTRAL,
      classes: others,
    });
  return groups;
}

function classColours(inspection: Inspection): string[] {
  const colours = inspection.classNames.map(() => NEUTRAL);
  for (const { colour, classes } of classGroups(inspection)) for (const c of classes) colours[c] = colour;
  return colours;
}

function classLegend(inspection: Inspection): SafeHtml {
  const groups = classGroups(inspection);
  return legend(
    groups.map((group) => group.name),
    groups.map((group) => group.colour),
  );
}

function classSection(inspection: Inspection): Section {
  const { graphs, perClass, largestClassShare } = inspection;
  const colours = classColours(inspection);
  const shown = largestClasses(inspection, MAX_LISTED_CLASSES);
  const bars = shown.map((c) => ({
    name: perClass[c].name,
    value: perClass[c].graphs,
    colour: colours[c],
    note: `${formatNumber(perClass[c].graphs)} (${formatShare(perClass[c].graphs / graphs)})`,
  }));
  const rows = shown.map((c) => {
    const { name, graphs: count, meanNodes, meanEdges, meanDensity } = perClass[c];
    return [name, ...[count, meanNodes, meanEdges, meanDensity].map((value) => formatNumber(value))];
  });
  const rest = perClass.length - shown.length;
  return {
    title: "Classes",
    lead: `Always answering the largest class would be right for ${formatShare(largestClassShare ?? 0)} of the graphs.${
      rest > 0 ? ` The ${quantity(rest, "smallest class is", "smallest classes are")} not listed.` : ""
    }`,
    body: html`<div class="panels">${panel(
      barFigure(bars, { description: "Number of graphs in each class" }),
    )}${panel(table(["class", "graphs", "mean nodes", "mean edges", "mean density"], rows))}</div>`,
  };
}

function sizeSection(inspection: Inspection, dataset: Dataset): Section {
  const { nodes, edges, degrees, graphs } = inspection;
  const { classes } = dataset;
  const groups = classGroups(inspection);
  const series = (value: (g: number) => ArrayLike<number>, of: Distribution): Series[] => {
    if (classes === null) return [{ name: "all", colour: seriesColour(0), counts: of.histogram.counts }];
    return groups.map((group) => {
      const counts = Array.from({ length: of.histogram.counts.length }, () => 0);
      for (let g = 0; g < graphs; g++)
        if (group.classes.has(classes[g]))
          binCounts(value(g), of.histogram.edges).forEach((count, k) => {
            counts[k] += count;
          });
      return { name: group.name, colour: group.colour, counts };
    });
  };
  const degreesOf = (g: number) =>
    Uint32Array.from({ length: dataset.graphs[g].nodeCount }, (_, i) => dataset.graphs[g].neighbourCount(i));
  const chart = (title: string, label: string, of: Distribution, value: (g: number) => ArrayLike<number>) =>
    of.count === 0
      ? null
      : panel(
          html`<h3>${title}</h3>${histogramFigure(of.histogram, series(value, of), {
            label,
            description: `${title}: median ${formatNumber(of.median)}, from ${formatNumber(of.min)} to ${formatNumber(of.max)}`,
            width: graphs === 1 ? 960 : 320,
          })}<p class="lead"><small>median ${formatNumber(of.median)}, half between ${formatNumber(of.q1)} and ${formatNumber(of.q3)}</small></p>`,
        );
  const charts =
    graphs === 1
      ? [chart("Neighbours of a node", "neighbours", degrees, degreesOf)]
      : [
          chart("Nodes in a graph", "nodes", nodes, (g) => [dataset.graphs[g].nodeCount]),
          chart("Edges in a graph", "edges", edges, (g) => [dataset.graphs[g].edgeCount]),
          chart("Neighbours of a node", "neighbours", degrees, degreesOf),
        ];
  return {
    title: graphs === 1 ? "Degrees" : "Sizes",
    lead: classes === null ? undefined : "Each curve gives the shares within one class.",
    body: html`${classes !== null && classLegend(inspection)}<div class="panels">${charts}</div>`,
  };
}

function scatterSection(inspection: Inspection, dataset: Dataset): Section {
  const colours = classColours(inspection);
  const points = new Map<string, ScatterPoint & { copies: number }>();
  dataset.graphs.forEach((graph, g) => {
    const c = dataset.classes?.[g] ?? -1;
    const key = `${graph.nodeCount} ${graph.edgeCount} ${c}`;
    const known = points.get(key);
    if (known !== undefined) {
      known.copies++;
      return;
    }
    points.set(key, {
      x: graph.nodeCount,
      y: graph.edgeCount,
      colour: c < 0 ? seriesColour(0) : colours[c],
      title: `${graphTitle(dataset, g)}: ${quantity(graph.nodeCount, "node")}, ${quantity(graph.edgeCount, "edge")}`,
      copies: 1,
    });
  });
  // in random order, so that no class lies on top of the others
  const order = new Random(0).shuffle(Uint32Array.from({ length: points.size }, (_, k) => k));
  const all = [...points.values()];
  const shown = Array.from(order.subarray(0, MAX_POINTS), (k) => {
    const { copies, title, ...point } = all[k];
    return { ...point, title: copies === 1 ? title : `${title} (and ${quantity(copies - 1, "other")})` };
  });
  return {
    title: "Nodes and edges",
    body: html`${dataset.classes !== null && classLegend(inspection)}${panel(
      html`<div class="wide">${scatterFigure(shown, {
        x: "nodes",
        y: "edges",
        description: "Number of edges against number of nodes of each graph, coloured by class",
        caption:
          shown.length < all.length
            ? `${quantity(shown.length, "point")} of ${formatNumber(all.length)} are shown, chosen at random.`
            : undefined,
      })}</div>`,
    )}`,
  };
}

function drawingSection(inspection: Inspection, dataset: Dataset): Section | null {
  if (!dataset.graphs.some(drawable)) return null;
  const colours = classColours(inspection);
  const { classes, classNames } = dataset;
  const drawn = (chosen: number[], colour: string) =>
    html`<div class="thumbnails">${chosen.map((g) => {
      const { nodeCount, edgeCount } = dataset.graphs[g];
      const size = `${quantity(nodeCount, "node")}, ${quantity(edgeCount, "edge")}`;
      const title = graphTitle(dataset, g);
      return html`<figure>${graphDrawing(dataset.graphs[g], colour, `${title}: ${size}`)}<figcaption>${
        dataset.graphNames?.[g] ?? `graph ${g}`
      }<br>${size}</figcaption></figure>`;
    })}</div>`;
  if (classes === null) {
    const chosen = typicalGraphs(dataset, () => true, DRAWN_EACH);
    return {
      title: inspection.graphs === 1 ? "Drawing" : "Typical graphs",
      body: panel(drawn(chosen, seriesColour(0))),
    };
  }
  const shown = largestClasses(inspection, MAX_DRAWN_CLASSES).filter((c) => inspection.classCounts[c] > 0);
  const panels = shown.map((c) => {
    const chosen = typicalGraphs(dataset, (g) => classes[g] === c, DRAWN_EACH);
    const body = chosen.length > 0 ? drawn(chosen, colours[c]) : html`<p class="lead">too large to draw</p>`;
    return panel(html`<h3>class ${classNames[c]}</h3>${body}`);
  });
  const omitted = classNames.length - shown.length;
  return {
    title: "Typical graphs",
    lead: `Graphs near the middle of their class in nodes and edges, as far as they are small enough to draw${
      omitted > 0 ? `; ${quantity(omitted, "class is", "classes are")} left out` : ""
    }.`,
    body: panels,
  };
}
