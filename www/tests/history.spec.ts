/** The History view: logs of many objects, on the drawing, in tables, over time. */
import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { drawing, open, show, state, violations, watch } from "./page";

const faults = JSON.parse(readFileSync(new URL("../src/examples/cloud-instance.faults.json", import.meta.url), "utf8")) as { kind: string; object_id: string; rows: number[] }[];
/** The object of the example that was forgotten in its state. */
const STUCK = "db-1007";

const history = (page: Page): Locator => page.getByTestId("history");
const mode = (page: Page, name: "Play" | "History"): Locator => page.getByRole("group", { name: "View" }).getByRole("button", { name });
const objects = (page: Page): Locator => history(page).getByRole("region", { name: "Log" });

/** Opens an example's own history. */
async function openHistory(page: Page, hash = "#ex=cloud-instance"): Promise<void> {
  await open(page, hash);
  await mode(page, "History").click();
  await expect(history(page).getByText("200 objects").first()).toBeVisible({ timeout: 30_000 });
}

async function choose(page: Page, id: string): Promise<void> {
  await objects(page).getByRole("searchbox").fill(id);
  await objects(page).getByText(id, { exact: true }).first().click();
  await expect(page.getByTestId("card")).toContainText(id);
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.getByTestId("file-input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

test("an example brings a history: where its objects are, what is hot, and what is wrong", async ({ page }) => {
  const errors = watch(page);
  await openHistory(page);
  const drawn = drawing(page, "dot");
  await expect(drawn.locator('[data-vs-state="ready"]')).toContainText("median");
  await expect(drawn.locator(".vs-busy").first()).toContainText("×");
  await page.getByRole("checkbox", { name: "Heat" }).uncheck();
  await expect(drawn).not.toContainText("median");
  await history(page).getByRole("tab", { name: /Faults/ }).click();
  for (const { object_id } of faults) await expect(history(page).getByRole("tabpanel")).toContainText(object_id);
  await mode(page, "Play").click();
  await expect(state(page)).toHaveText("Pending");
  errors.none();
});

test("the card of a stuck object says why, and the keys step through its history on the drawing", async ({ page }) => {
  await openHistory(page);
  await choose(page, STUCK);
  await expect(page.getByTestId("card-state")).toHaveText("Updating");
  await expect(page.getByTestId("card")).toContainText("time_out");
  const drawn = drawing(page, "dot");
  await expect(drawn.locator(".vs-active")).toHaveAttribute("data-vs-state", "updating");
  await page.keyboard.press("[");
  await expect(drawn.locator(".vs-active")).toHaveAttribute("data-vs-state", "updating");
  await page.keyboard.press("[");
  await expect(drawn.locator(".vs-active")).toHaveAttribute("data-vs-state", "ready");
  await page.keyboard.press("]");
  await expect(drawn.locator(".vs-active")).toHaveAttribute("data-vs-state", "updating");
});

test("an impossible row is in its place, with what would make it possible", async ({ page }) => {
  await openHistory(page);
  const { object_id, rows } = faults.find((one) => one.kind === "missing_row")!;
  await choose(page, object_id);
  await history(page).getByRole("tab", { name: /Records/ }).click();
  const panel = history(page).getByRole("tabpanel");
  await expect(panel).toContainText(rows[0]!.toLocaleString("en"));
  await expect(panel).toContainText("a row is missing");
});

test("what is done from a point of a history is done in a copy", async ({ page }) => {
  await openHistory(page);
  await choose(page, STUCK);
  await page.getByRole("button", { name: "Simulate from here" }).click();
  await expect(mode(page, "Play")).toHaveAttribute("aria-pressed", "true");
  await expect(state(page)).toHaveText("Updating");
  await page.locator('.row[data-action="complete"] button.take').click();
  await expect(state(page)).toHaveText("Ready");
  await page.goBack();
  await expect(history(page).getByText("200 objects").first()).toBeVisible();
});

test("states inside states: their frames are hot, too, in both drawings", async ({ page }) => {
  const errors = watch(page);
  await openHistory(page, "#ex=risk-rule-nested");
  await show(page, "Both");
  for (const kind of ["dot", "mermaid"] as const) {
    const drawn = drawing(page, kind);
    await expect(drawn.locator('.vs-cluster[data-vs-state="review"]')).toHaveClass(/vs-heat\d/);
    await expect(drawn.locator('[data-vs-state="testing.unit_test"]')).toContainText("median");
    await expect(drawn.locator(".vs-busy").first()).toBeAttached();
  }
  errors.none();
});

test("a CSV with columns of its own: they are found, chosen, and what is refused is listed", async ({ page }) => {
  await open(page, "#ex=order-approval");
  const rows = ["Ticket,Old,New,Changed on,Who", "A-1,,draft,2026-02-02 09:00:00,ann", "A-1,draft,submitted,2026-02-02 10:00:00,ann", "A-2,,draft,2026-02-02 11:00:00,bob", "A-2,draft,submitted,2026-02-31 11:00:00,bob"];
  await drop(page, "export.csv", rows.join("\n"));
  const dialog = page.getByTestId("map-dialog");
  await expect(dialog.getByLabel("State after")).toBeVisible();
  await dialog.getByLabel("Object", { exact: true }).selectOption({ label: (await dialog.getByLabel("Object", { exact: true }).locator("option").allTextContents()).find((one) => one.startsWith("Ticket"))! });
  for (const [label, column] of [["State before", "Old"], ["State after", "New"], ["Time", "Changed on"], ["Actor", "Who"]] as const) {
    const select = dialog.getByLabel(label, { exact: true });
    const option = (await select.locator("option").allTextContents()).find((one) => one.startsWith(column))!;
    await select.selectOption({ label: option });
  }
  await expect(page.getByTestId("map-tried")).toContainText("offset");
  await dialog.getByLabel("Offset of times that have none").fill("+01:00");
  await expect(page.getByTestId("map-tried")).toContainText("3 of the first 4 rows");
  await dialog.getByRole("button", { name: "Read all of it" }).click();
  await expect(history(page).getByText("2 objects").first()).toBeVisible();
  await history(page).getByRole("tab", { name: /Rows read/ }).click();
  await expect(page.getByTestId("read-summary")).toContainText("3 used");
  await choose(page, "A-1");
  await expect(page.getByTestId("card-state")).toHaveText("Submitted");
});

test("an event log in XES becomes a definition, and shows where time goes", async ({ page }) => {
  await open(page);
  const event = (name: string, time: string): string => `<event><string key="concept:name" value="${name}"/><date key="time:timestamp" value="${time}"/></event>`;
  const trace = (id: string, day: string): string =>
    `<trace><string key="concept:name" value="${id}"/>${event("Register", `${day}T08:00:00Z`)}${event("Decide", `${day}T10:00:00Z`)}${event("Pay", `${day}T10:30:00Z`)}</trace>`;
  await drop(page, "claims.xes", `<?xml version="1.0"?><log xes.version="1.0">${trace("1", "2026-02-02")}${trace("2", "2026-02-03")}</log>`);
  await expect(page.getByRole("button", { name: "Document: claims" })).toBeVisible();
  await expect(history(page).getByText("2 objects").first()).toBeVisible();
  await expect(drawing(page, "dot").locator(".vs-state").filter({ hasText: "Register" })).toContainText("median 2 h");
});

test("what is shown can be saved", async ({ page }) => {
  await openHistory(page);
  const save = async (item: string | RegExp): Promise<string> => {
    await page.getByRole("button", { name: "Save what is shown" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("group", { name: "Save what is shown" }).getByRole("button", { name: item }).click();
    return readFileSync((await (await waiting).path())!, "utf8");
  };
  const all = await save(/^Objects/);
  expect(all.split("\r\n")).toHaveLength(202);
  expect(all).toContain(`${STUCK},updating,`);
  expect(await save(/^Times in states/)).toContain("\r\nready,true,");
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the history, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openHistory(page);
    // A scan takes long: one of all objects, one of a single object.
    if (scheme === "dark") {
      await choose(page, STUCK);
      await history(page).getByRole("tab", { name: /Records/ }).click();
    }
    expect(await violations(page)).toEqual([]);
  });
}

test.describe("phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the history is one column, and nothing is cut off", async ({ page }) => {
    await openHistory(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
