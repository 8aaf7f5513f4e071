declare module "graphology-layout-forceatlas2/iterate.js" {
  /** One step. Ten numbers a node (x, y, dx, dy, old dx, old dy, mass, convergence, size, fixed), three an edge (source, target: 10 times their numbers; weight). */
  export default function iterate(
    settings: Record<string, number | boolean>,
    nodes: Float32Array,
    edges: Float32Array,
  ): void;
}
