/** Access: axe finds nothing, in light, dark and on a phone; drawings have lists; nothing comes from elsewhere. */
import { expect, test } from "@playwright/test";
import { action, drawing, open, openDefinition, show, state, violations, watch } from "./page";

for (const [name, options] of Object.entries({
  light: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
} as const)) {
  test.describe(name, () => {
    test.use(options);

    test("axe finds no violations", async ({ page }) => {
      await open(page, "#ex=cloud-instance&s=ready");
      await action(page, "suspend").locator("button.take").click({ force: true });
      await show(page, "Both");
      expect(await violations(page)).toEqual([]);
      await show(page, "Text");
      await page.getByText("The same as a list").click();
      expect(await violations(page)).toEqual([]);
    });
  });
}

test.describe("phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("what next comes first and nothing is cut off", async ({ page }) => {
    await open(page);
    await expect(drawing(page, "dot")).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    const next = await page.getByTestId("actions-here").boundingBox();
    const drawn = await page.getByTestId("drawing-dot").boundingBox();
    expect(next!.y).toBeLessThan(drawn!.y);
    await page.getByRole("button", { name: "Show the definition and its editor" }).click();
    await expect(page.locator(".cm-content")).toContainText("DatabaseInstance");
  });
});

test("the list says what the drawing says", async ({ page }) => {
  await open(page);
  await page.getByText("The same as a list").click();
  const states = page.getByRole("table").filter({ hasText: "Permits" });
  await expect(states.getByRole("row")).toHaveCount(10);
  await expect(states).toContainText("Pending (now) (initial)");
  const transitions = page.getByRole("table").filter({ hasText: "Guard" });
  await expect(transitions.getByRole("row")).toHaveCount(22);
});

test("the theme can be set and is kept", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("text of a definition is text, and no request leaves the page's own place", async ({ page }) => {
  const errors = watch(page);
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol.startsWith("http") && !pathname.startsWith("/some/where/")) foreign.push(request.url());
  });
  await open(page);
  const hostile = '<img src="https://example.invalid/x.png" onerror="window.hurt = 1"><script>window.hurt = 1</script>';
  await openDefinition(page, "hostile", {
    object_type: hostile,
    initial_state: "__proto__",
    states: [
      { name: "__proto__", display_name: hostile, description: hostile },
      { name: "constructor", display_name: "`a` $$b$$ %% c; \"d\"", is_terminal: true },
    ],
    transitions: [
      { name: hostile, from_state: "__proto__", to_state: "constructor", action: "constructor", guard: "toString", display_name: hostile },
    ],
  });
  await expect(state(page)).toHaveText(hostile);
  await show(page, "Both");
  for (const kind of ["dot", "mermaid"] as const) {
    await expect(drawing(page, kind)).toContainText("<script>window.hurt = 1</script>");
    await expect(drawing(page, kind).locator("img, script, title, a")).toHaveCount(0);
  }
  expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  expect(foreign).toEqual([]);
  errors.none();
});

test.describe("without a network", () => {
  test.use({ serviceWorkers: "allow" });

  test("the page opens again and draws with both renderers", async ({ page, context }) => {
    await open(page);
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state !== "activated") await new Promise((next) => active?.addEventListener("statechange", next));
    });
    await context.setOffline(true);
    await page.reload();
    await expect(state(page)).toHaveText("Pending");
    await show(page, "Both");
    await expect(drawing(page, "mermaid").locator(".vs-active")).toHaveCount(1);
    await context.setOffline(false);
  });
});
