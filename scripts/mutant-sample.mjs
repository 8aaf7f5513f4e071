/**
 * A plug-in of StrykerJS: of every function and method outside of others a share is changed, the others are left as they are. Which ones follows
 * from a hash of their place and length, so that a sample has no more of easy changes than the whole has, and is the same each time.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

const FUNCTIONS = [
  "FunctionDeclaration",
  "ClassMethod",
  "ClassPrivateMethod",
  "ObjectMethod",
  "ArrowFunctionExpression",
  "FunctionExpression",
];
const share = Number(process.env.GRAPHDOS_MUTANT_SHARE ?? 1);

const isFunction = (path) => FUNCTIONS.includes(path.node.type);

/** FNV-1a of a few numbers, as a fraction. */
function fraction(...numbers) {
  let hash = 0x811c9dc5;
  for (const number of numbers)
    for (let shift = 0; shift < 32; shift += 8)
      hash = Math.imul(hash ^ ((number >>> shift) & 255), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

const sample = {
  shouldIgnore(path) {
    if (share >= 1 || !isFunction(path) || path.findParent(isFunction) !== null) return undefined;
    const { start, end } = path.node;
    return fraction(start, end - start) < share ? undefined : "not in the sample";
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "sample", sample)];
