/** End-to-end tests: the built page, served from a sub-path, in Chromium. */
import { defineConfig } from "@playwright/test";

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
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `node tests/serve.mjs ${PORT}`,
    url: `http://127.0.0.1:${PORT}/some/where/`,
    reuseExistingServer: !process.env.CI,
  },
});
