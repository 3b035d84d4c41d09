/** What is drawn and how the page lies around it: room, focus, tooltips, refusals, marks, exports and print. */
import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { drawing, edge, open, openDefinition, show, state, watch } from "./page";

async function box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await locator.boundingBox();
  expect(found).not.toBeNull();
  return found!;
}

/** A blocked transition is disabled for screen readers, and can be clicked to be told why. */
async function press(target: Locator, how: "click" | "tap" = "click"): Promise<void> {
  await target.locator("text").first()[how]({ force: true });
}

async function saved(page: Page, item: RegExp): Promise<string> {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: item }).click()]);
  return readFileSync(await download.path(), "utf8");
}

const CONTROLS = {
  object_type: "thing",
  initial_state: "a",
  states: [
    { name: "a", display_name: "A\uFFFE" },
    { name: "b", kind: "faulty", is_terminal: true },
  ],
  transitions: [{ name: "t", from_state: "a", to_state: "b", action: "go" }],
};

for (const width of [800, 900, 1000, 1100, 1250, 1500]) {
  test(`at ${width} pixels the drawing keeps its room, whatever is open and whatever was kept`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 });
    await page.addInitScript(() => localStorage.setItem("veristate.sizes", '{"left":760,"right":620,"steps":480}'));
    await open(page);
    for (const key of ["", "e", "/"]) {
      if (key) await page.keyboard.press(key);
      await expect(drawing(page, "dot")).toBeVisible();
      const stage = await box(page.getByTestId("drawing-dot"));
      expect(stage.width).toBeGreaterThanOrEqual(359);
      expect(stage.height).toBeGreaterThanOrEqual(180);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (key === "e") await expect(page.locator(".cm-content")).toBeFocused();
      if (key === "/") await expect(page.locator("[data-key=filter]")).toBeFocused();
      await page.keyboard.press("Escape");
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    }
  });
}

test("a low window starts with the history folded, and two drawings are not squeezed into it", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await open(page);
  await expect(page.getByRole("button", { name: "Both", exact: true })).toBeDisabled();
  const folded = await box(page.getByTestId("drawing-dot"));
  await page.getByRole("button", { name: "Show the history" }).click();
  await expect.poll(async () => (await box(page.getByTestId("drawing-dot"))).height).toBeLessThan(folded.height);
  await page.getByText("Legend", { exact: true }).click();
  await expect(page.getByText("cannot tell").last()).toBeVisible();
});

test("a click on a blocked transition leaves no box, the keyboard lights its line", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  const blocked = edge(page, "dot", /^Suspend,/);
  await press(blocked);
  await expect(page.getByTestId("last-result")).toContainText("refused");
  expect(await blocked.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("none");
  await expect(drawing(page, "dot").locator(".vs-focus")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(drawing(page, "dot").locator("g.vs-focus[role=button]")).toHaveCount(1);
  await show(page, "Mermaid");
  await edge(page, "mermaid", /^Suspend,/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(drawing(page, "mermaid").locator("path.vs-hit.vs-focus")).toHaveCount(1);
});

test("tooltips are whole inside the stage, with code set as code", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  await expect(drawing(page, "dot")).toBeVisible();
  const stage = await box(page.getByRole("region", { name: "Diagram" }));
  const names = drawing(page, "dot").locator(".vs-state text, [role=button] text");
  for (let index = 0; index < (await names.count()); index += 1) {
    await names.nth(index).hover({ force: true });
    const tip = await box(page.getByTestId("tip"));
    expect(tip.x).toBeGreaterThanOrEqual(stage.x);
    expect(tip.y).toBeGreaterThanOrEqual(stage.y);
    expect(tip.x + tip.width).toBeLessThanOrEqual(stage.x + stage.width);
    expect(tip.y + tip.height).toBeLessThanOrEqual(stage.y + stage.height);
  }
  await edge(page, "dot", /^Suspend,/).locator("text").first().hover({ force: true });
  await expect(page.getByTestId("tip").locator("code").first()).toHaveText("suspend");
  await expect(page.getByTestId("tip")).not.toContainText("`");
});

test("a refusal is seen, and can be repaired, when the actions are folded", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  await press(edge(page, "dot", /^Suspend,/));
  await expect(page.getByTestId("last-result")).toContainText("billing.suspend");
  await expect(page.getByTestId("toast")).toHaveCount(0);
  await page.getByRole("button", { name: "Fold the actions" }).click();
  await press(edge(page, "dot", /^Suspend,/));
  await expect(page.getByTestId("toast")).toContainText("billing.suspend");
  await page.getByTestId("toast").getByRole("button", { name: /^Act as/ }).click();
  await expect(edge(page, "dot", /^Suspend,/)).not.toHaveAttribute("aria-disabled");
});

test.describe("phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the reason of a refusal is readable where the finger is", async ({ page }) => {
    await open(page, "#ex=cloud-instance&s=ready");
    const target = edge(page, "dot", /^Suspend,/);
    await target.scrollIntoViewIfNeeded();
    await press(target, "tap");
    const tip = page.getByTestId("tip");
    await expect(tip).toContainText("billing.suspend");
    const place = await box(tip);
    expect(place.x).toBeGreaterThanOrEqual(0);
    expect(place.x + place.width).toBeLessThanOrEqual(390);
    expect(place.width).toBeGreaterThan(200);
    await expect(page.getByTestId("toast")).toBeInViewport({ ratio: 1 });
  });
});

test("both drawings call a transition the same", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  await show(page, "Both");
  for (const kind of ["dot", "mermaid"] as const) {
    await expect(drawing(page, kind)).toContainText("Report a failure");
    await expect(drawing(page, kind)).not.toContainText("update_failed");
  }
});

test("start, end and fault are marked in both drawings, also in the current state", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=failed");
  await show(page, "Both");
  for (const kind of ["dot", "mermaid"] as const) {
    const failed = drawing(page, kind).locator('[data-vs-state="failed"]');
    await expect(failed).toHaveClass(/vs-active/);
    await expect(failed.locator(".vs-warning")).toHaveCount(1);
    await expect(failed.locator(".vs-line")).toHaveCount(2);
    const colours = await failed.locator(".vs-line").evaluateAll((all) => all.map((one) => getComputedStyle(one).stroke));
    expect(new Set(colours)).toEqual(new Set(["rgb(196, 71, 60)"]));
  }
  const pending = drawing(page, "dot").locator('[data-vs-state="pending"]');
  await expect(pending.locator(".vs-line")).toHaveCount(1);
  await expect(pending.locator(".vs-start")).toHaveCount(1);
  for (const word of ["cannot tell", "end", "start"]) await expect(page.getByText(word, { exact: true })).toBeVisible();
});

test("saved drawings are valid XML and nothing in them is cut", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  const title = `bad\u0001 ${"a long title ".repeat(30)}`.trim();
  await openDefinition(page, title, CONTROLS);
  for (const renderer of ["DOT", "Mermaid"] as const) {
    await show(page, renderer);
    const svg = await saved(page, /^Save SVG/);
    const report = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const problem = parsed.querySelector("parsererror")?.textContent ?? "";
      const host = document.createElement("div");
      host.innerHTML = text;
      document.body.append(host);
      const root = host.querySelector("svg")!;
      const right = root.getBoundingClientRect().right;
      const cut = [...root.querySelectorAll("text")].filter((one) => one.getBoundingClientRect().right > right).length;
      const words = root.textContent ?? "";
      host.remove();
      return { problem, cut, words };
    }, svg);
    expect(report.problem).toBe("");
    expect(report.cut).toBe(0);
    for (const word of ["thing, version 1", "now in A\uFFFD", "cannot tell", "faulty", "end"]) expect(report.words).toContain(word);
  }
  expect((await saved(page, /^Save PNG/)).length).toBeGreaterThan(1000);
  errors.none();
});

test("what cannot be saved or copied says why", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await open(page);
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy DOT" }).click();
  await expect(page.getByTestId("toast")).toContainText("Save it as a file");
  await show(page, "Text");
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByRole("button", { name: /^Save SVG/ })).toBeDisabled();
  await expect(page.getByText("Choose DOT, Mermaid or Both first")).toBeVisible();
});

test("print is light, says what it is and leaves the controls out", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("veristate.theme", "dark"));
  await open(page);
  await expect(drawing(page, "dot")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe("rgb(253, 253, 252)");
  await expect(page.getByText("DatabaseInstance, version 1")).toBeVisible();
  await expect(page.getByText("cannot tell", { exact: true })).toBeVisible();
  await expect(page.getByTestId("state-card")).toBeVisible();
  for (const name of ["Undo", "Restart", "Share", "Fold the editor"]) {
    await expect(page.getByRole("button", { name, exact: false })).toHaveCount(0);
  }
  await expect(page.locator("[data-key=filter]")).toBeHidden();
});

test("very long names draw no strip", async ({ page }) => {
  const long = "n".repeat(500);
  await open(page);
  await openDefinition(page, "long", {
    object_type: "thing",
    initial_state: long,
    states: [{ name: long }, { name: `${long}2`, is_terminal: true }],
    transitions: [{ name: "t", from_state: long, to_state: `${long}2`, action: "go" }],
  });
  await expect(state(page)).toHaveText(long);
  await expect(drawing(page, "dot")).toBeVisible();
  const width = await drawing(page, "dot").locator(".vs-state").first().evaluate((one: SVGGElement) => one.getBBox().width);
  expect(width).toBeLessThan(1000);
});

test("labels of no width are drawn without complaints", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await openDefinition(page, "marks", {
    object_type: "thing",
    initial_state: "\u0301",
    states: [{ name: "\u0301" }, { name: "\u200d" }, { name: "end", is_terminal: true }],
    transitions: [
      { name: "one", from_state: "\u0301", to_state: "\u200d", action: "\u200d" },
      { name: "two", from_state: "\u200d", to_state: "end", action: "\u0301" },
    ],
  });
  await show(page, "Mermaid");
  await expect(drawing(page, "mermaid").locator(".vs-state")).toHaveCount(3);
  errors.none();
});
