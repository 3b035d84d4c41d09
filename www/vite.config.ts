// How the page is built: static files with hashed names that work from any folder.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { offline } from "./build/offline.ts";

export default defineConfig({
  base: "./",
  plugins: [svelte(), offline()],
  // The package finds its .wasm file beside itself, so it must stay a file of its own.
  optimizeDeps: { exclude: ["veristate"] },
  server: { fs: { allow: [".."] } },
  worker: { format: "es" },
  build: { target: "es2022", chunkSizeWarningLimit: 1600, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
