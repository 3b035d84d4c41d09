/** Serves the built page from a sub-path, as a static host would: files only, nothing rewritten. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../dist/", import.meta.url));
const BASE = "/some/where/";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const file = path.startsWith(BASE) ? join(ROOT, normalize(path.slice(BASE.length)) || "index.html") : "";
  const found = file === ROOT || file === join(ROOT, ".") ? join(ROOT, "index.html") : file;
  if (!found.startsWith(ROOT) || !existsSync(found) || !statSync(found).isFile()) {
    response.writeHead(404).end("not found");
    return;
  }
  response.writeHead(200, { "content-type": TYPES[extname(found)] ?? "application/octet-stream" });
  createReadStream(found).pipe(response);
}).listen(Number(process.argv[2] ?? 4817), "127.0.0.1");
