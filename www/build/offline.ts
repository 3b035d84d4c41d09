/**
 * Writes `sw.js`: a small service worker that keeps the files of this build, so
 * that the page works without a network once it has been opened.
 *
 * Kept at once are the files that the page starts with, Graphviz and the part
 * of Mermaid that draws state diagrams. Anything else is kept when it is used.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { Plugin, Rollup } from "vite";

/** Parts of Mermaid that are loaded by name and that a state diagram needs. */
const STATE_DIAGRAM = /(^|\/)(stateDiagram-v2|dagre|mermaid)[-.]/;

export function offline(): Plugin {
  let publicDir = "";
  return {
    name: "veristate-offline",
    apply: "build",
    configResolved(config) {
      ({ publicDir } = config);
    },
    generateBundle(_options, bundle) {
      const files = [...wanted(bundle), ...readdirSync(publicDir)].sort();
      const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
      this.emitFile({ type: "asset", fileName: "sw.js", source: worker(version, files) });
    },
  };
}

function wanted(bundle: Rollup.OutputBundle): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const item = bundle[name];
    if (!item || found.has(name)) return;
    found.add(name);
    if (item.type !== "chunk") return;
    item.imports.forEach(visit);
    item.viteMetadata?.importedCss.forEach(visit);
    item.viteMetadata?.importedAssets.forEach(visit);
    const ours = !item.moduleIds.some((id) => id.includes("node_modules/mermaid"));
    item.dynamicImports.filter((next) => ours || STATE_DIAGRAM.test(next)).forEach(visit);
  };
  for (const [name, item] of Object.entries(bundle)) {
    if (item.type === "chunk" ? item.isEntry : /\.(wasm|css|svg|js)$/.test(name)) visit(name);
  }
  // A history of an example is kept when somebody looks at it.
  return [...found].filter((name) => !name.endsWith(".jsonl")).sort();
}

function worker(version: string, files: string[]): string {
  return `// Made by the build. Hashed files come from the cache; the page itself from the network first.
const OURS = "veristate " + self.registration.scope + " ";
const CACHE = OURS + "${version}";
const FILES = ${JSON.stringify(["./", ...files.map((file) => `./${file}`)])};
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const key of await caches.keys()) {
      if (key.startsWith(OURS) && key !== CACHE) await caches.delete(key);
    }
    await self.clients.claim();
  })());
});
self.addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(request.mode === "navigate" ? fresh(request) : kept(request));
});
async function fresh(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match(new URL("./", self.registration.scope).href);
    if (page) return page;
    throw error;
  }
}
async function kept(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(CACHE);
    await cache.put(request, answer.clone());
  }
  return answer;
}
`;
}
