// The size of the WebAssembly file: as it is, and as servers compress it. Goal: 120 kB gzip (a kB has 1000 bytes).
//
// The package also has its JavaScript glue, which every page loads, too; it is listed and has no goal of its own.

import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { print, verdict } from "./table.mjs";

const GOAL = 120;

export function printSizes(folder) {
  const rows = ["veristate_bg.wasm", "veristate.js"].map((name) => {
    const bytes = readFileSync(new URL(name, folder));
    const sizes = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)].map(({ length }) => length / 1000);
    const isWasm = name.endsWith(".wasm");
    return [
      name,
      ...sizes.map((size) => `${size.toFixed(1)} kB`),
      isWasm ? `${GOAL} kB gzip` : "",
      isWasm ? verdict(sizes[1] <= GOAL) : "",
    ];
  });
  print("Sizes of the npm package", [["", "raw", "gzip", "brotli", "goal", ""], ...rows]);
}
