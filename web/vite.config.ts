import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // relative addresses: the page works from any folder of any host
  base: "./",
  plugins: [svelte({ configFile: here("svelte.config.js") })],
  resolve: {
    alias: [
      { find: /^graphdos$/, replacement: here("../src/index.ts") },
      { find: /^graphdos\/pictures$/, replacement: here("../src/pictures.ts") },
      // pictures are drawn into the page's own document
      { find: /^linkedom$/, replacement: here("src/ui/own-document.ts") },
    ],
  },
  worker: { format: "es" },
  build: {
    outDir: here("../dist/web"),
    emptyOutDir: true,
    target: "es2022",
    // data: addresses of scripts and styles would need a weaker content security policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // zod's comments on single lines are no fault of this page
      onwarn: (warning, warn) => {
        if (warning.code !== "INVALID_ANNOTATION") warn(warning);
      },
    },
  },
  server: { host: "127.0.0.1" },
});
