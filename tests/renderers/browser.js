// The real renderers, in Chromium. Files come from this folder; every other request fails and is told.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const RENDERERS = ["mermaid-12", "mermaid-11", "graphviz"];

const ORIGIN = "http://renderers.test";
/** How Chromium is started here, for every test. */
const DRIVER = JSON.parse(readFileSync(new URL("../../web/webdriver.json", import.meta.url), "utf8"));
const FLAGS = DRIVER["goog:chromeOptions"].args;

/** Starts the browser that the variable CHROME names. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROME || "/usr/bin/chromium", args: FLAGS });
}

/** A page with one renderer. */
export class Renderer {
  /** What happened that no drawing may cause: dialogs, requests, errors of the page. */
  events = [];
  #page;
  #url;

  static async open(browser, name) {
    const renderer = new Renderer();
    renderer.#page = await browser.newPage();
    renderer.#url = `${ORIGIN}/page.html?${name}`;
    await renderer.#start();
    return renderer;
  }

  async #start() {
    const page = this.#page;
    await page.route("**", (route) => {
      const url = new URL(route.request().url());
      if (url.origin === ORIGIN && /^\/(page\.|node_modules\/)/.test(url.pathname)) {
        return route.fulfill({ path: fileURLToPath(new URL(`.${url.pathname}`, import.meta.url)) });
      }
      this.events.push(`request of ${url}`);
      return route.abort();
    });
    page.on("dialog", (dialog) => {
      this.events.push(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("pageerror", (error) => this.events.push(`error in the page: ${error.message}`));
    await this.reload();
  }

  /** A clean page, after a drawing that may have damaged this one. */
  async reload() {
    await this.#page.goto(this.#url);
    await this.#page.waitForFunction(() => globalThis.draw);
    this.events.length = 0;
  }

  /** Draws `text` and tells what is seen; throws what the renderer throws. */
  async draw(text) {
    this.events.length = 0;
    const seen = await this.#page.evaluate((source) => globalThis.draw(source), text);
    return { ...seen, events: [...this.events, ...seen.events] };
  }

  /** A picture of the last drawing, for people. */
  screenshot(path) {
    return this.#page.screenshot({ path, fullPage: true });
  }
}
