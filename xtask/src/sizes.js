// Prints a table of the sizes of the files that are named: as they are, and as servers compress them.
const { readFileSync } = require("node:fs");
const { basename } = require("node:path");
const { brotliCompressSync, gzipSync } = require("node:zlib");

const row = (name, ...cells) => console.log(name.padEnd(20), ...cells.map((cell) => String(cell).padStart(9)));

row("", "raw", "gzip", "brotli");
for (const file of process.argv.slice(1)) {
  const bytes = readFileSync(file);
  row(basename(file), bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length);
}
