// A side of `cargo xtask bench histories` that reads text.
//
//     node reading.mjs veristate|lines|list|papaparse FILE
//
// Each starts with the bytes of the file, in memory, and ends with all rows; the answer is how many. The package gets
// the bytes in chunks, as a browser would read them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import Papa from "papaparse";

import { serve } from "./serve.mjs";

const [side, file] = process.argv.slice(2);
const bytes = readFileSync(file);
const CHUNK = 1 << 20;

const sides = {
  /** Into a log. */
  async veristate() {
    const { Log, initSync } = await import("../../web/pkg/veristate.js");
    initSync({ module: readFileSync(new URL("../../web/pkg/veristate_bg.wasm", import.meta.url)) });
    return () => {
      const log = new Log();
      const reader = log.reader(file.endsWith(".csv") ? "csv" : "json_lines");
      for (let start = 0; start < bytes.length; start += CHUNK) {
        reader.feed(bytes.subarray(start, start + CHUNK));
      }
      const { summary } = reader.end();
      assert.equal(summary.used, log.size);
      reader.free();
      log.free();
      return summary.used;
    };
  },

  lines: () => () => {
    const text = bytes.toString();
    const rows = [];
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf("\n", start);
      rows.push(JSON.parse(text.slice(start, end)));
      start = end + 1;
    }
    return rows.length;
  },

  list: () => () => JSON.parse(bytes.toString()).length,

  papaparse: () => () => Papa.parse(bytes.toString(), { header: true, skipEmptyLines: true }).data.length,
};

const run = await sides[side]();
serve(run, (rows) => rows);
