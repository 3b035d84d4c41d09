/** End-to-end tests: the built page, served from a sub-path, in Chromium. */
import { readFileSync } from "node:fs";

import { defineConfig } from "@playwright/test";

/** How Chromium is started here, for every test. */
const driver = JSON.parse(readFileSync(new URL("../web/webdriver.json", import.meta.url), "utf8"));

const PORT = Number(process.env.WWW_PORT ?? 4817);

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: process.env.CI ? 2 : undefined,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}/some/where/`,
    viewport: { width: 1440, height: 900 },
    // The test of the page without a network asks for it itself; elsewhere it would only hide what the network does.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: process.env.CHROME ?? "/usr/bin/chromium",
      args: driver["goog:chromeOptions"].args,
    },
  },
  webServer: {
    command: `node tests/serve.mjs ${PORT}`,
    url: `http://127.0.0.1:${PORT}/some/where/`,
    reuseExistingServer: !process.env.CI,
  },
});
