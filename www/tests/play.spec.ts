/** Playing: the examples load, transitions are taken in either drawing, refusals say why. */
import { expect, test } from "@playwright/test";
import { action, drawing, edge, open, openDefinition, show, state, watch } from "./page";

for (const [id, title, first] of [
  ["cloud-instance", "Cloud instance", "Pending"],
  ["order-approval", "Order approval", "Draft"],
  ["risk-rule", "Risk rule", "Draft"],
  ["job-queue", "Job queue", "Queued"],
] as const) {
  test(`the example ${id} loads, is drawn twice and has no problems`, async ({ page }) => {
    const errors = watch(page);
    await open(page, `#ex=${id}`);
    await expect(page.getByRole("button", { name: `Document: ${title}` })).toBeVisible();
    await expect(state(page)).toHaveText(first);
    await show(page, "Both");
    await expect(drawing(page, "dot").locator(".vs-active")).toHaveCount(1);
    await expect(drawing(page, "mermaid").locator(".vs-active")).toHaveCount(1);
    await expect(page.getByTestId("problems")).not.toContainText(/error|warning/);
    errors.none();
  });
}

for (const kind of ["dot", "mermaid"] as const) {
  test(`the cloud instance is played from pending to deleted by clicking the ${kind} drawing`, async ({ page }) => {
    const errors = watch(page);
    await open(page);
    await show(page, kind === "dot" ? "DOT" : "Mermaid");
    for (const [name, next] of [
      [/^Provision,/, "Provisioning"],
      [/^Mark as provisioned,/, "Ready"],
      [/^Deprovision,/, "Deprovisioning"],
      [/^Mark as released,/, "Deleted"],
    ] as const) {
      // The label for one renderer; lines are tried in the next test.
      await edge(page, kind, name).locator("text, foreignObject").first().click();
      await expect(state(page)).toHaveText(next);
      await expect(drawing(page, kind).locator(".vs-active")).toContainText(next);
    }
    await expect(page.getByTestId("actions-here")).toHaveCount(0);
    await expect(page.locator("tr[data-mark=taken]")).toHaveCount(4);
    errors.none();
  });

  test(`a click on the line itself takes the transition in the ${kind} drawing`, async ({ page }) => {
    await open(page);
    await show(page, kind === "dot" ? "DOT" : "Mermaid");
    const line = drawing(page, kind).locator("path.vs-hit[data-vs-edge='0'], [data-vs-edge='0'] > path.vs-hit").first();
    const at = await line.evaluate((element) => {
      const path = element as SVGPathElement;
      const point = path.getPointAtLength(path.getTotalLength() * 0.2);
      const on = point.matrixTransform(path.getScreenCTM()!);
      return { x: on.x, y: on.y };
    });
    await page.mouse.click(at.x, at.y);
    await expect(state(page)).toHaveText("Provisioning");
  });
}

test("a blocked action says why, announces it when it is tried, and is repaired by one button", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  const suspend = action(page, "suspend");
  await expect(suspend).toContainText("billing.suspend");
  await expect(suspend.locator("button.take")).toHaveAttribute("aria-disabled", "true");
  await suspend.locator("button.take").click({ force: true });
  await expect(state(page)).toHaveText("Ready");
  await expect(page.getByTestId("announcements")).toContainText(/suspend refused.*billing\.suspend/);
  await expect(page.getByTestId("last-result")).toContainText("billing.suspend");
  await expect(page.locator("tr[data-mark=refused]")).toContainText("suspend");
  await suspend.getByRole("button", { name: "Act as Billing" }).click();
  await expect(suspend.locator("button.take")).toHaveAttribute("aria-disabled", "false");
  await suspend.locator("button.take").click();
  await expect(state(page)).toHaveText("Suspended");
  const permits = page.getByTestId("state-card");
  await expect(permits).toContainText("not permitted:write");
  await expect(permits).toContainText(/(?<!not )permitted:read/);
});

test("a dashed transition of the drawing refuses with its reason", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  const suspend = edge(page, "dot", /^Suspend,/);
  await expect(suspend).toHaveClass(/vs-not/);
  await expect(suspend).toHaveAttribute("aria-label", /billing\.suspend/);
  await suspend.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("announcements")).toContainText(/refused.*billing\.suspend/);
  await expect(state(page)).toHaveText("Ready");
});

test("marks move on the same drawing: nothing is drawn again for an action", async ({ page }) => {
  await open(page);
  await show(page, "Both");
  const keep = (kind: "dot" | "mermaid"): Promise<void> =>
    drawing(page, kind).evaluate((svg) => svg.setAttribute("data-kept", ""));
  await keep("dot");
  await keep("mermaid");
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  await page.waitForTimeout(600);
  for (const kind of ["dot", "mermaid"] as const) {
    await expect(drawing(page, kind)).toHaveAttribute("data-kept", "");
    await expect(drawing(page, kind).locator(".vs-active")).toContainText("Provisioning");
  }
});

test("guards have three values and three looks", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  const update = action(page, "update");
  const guard = page.getByRole("group", { name: "Guard change_is_approved" });
  await expect(update).toHaveClass(/disabled/);
  await guard.getByRole("button", { name: "unknown" }).click();
  await expect(update).toHaveClass(/unknown/);
  await expect(update).toContainText("cannot tell");
  await expect(edge(page, "dot", /^Update,.*Cannot tell/)).toHaveClass(/vs-unknown/);
  await guard.getByRole("button", { name: "true" }).click();
  await expect(update).toHaveClass(/enabled/);
  await update.locator("button.take").click();
  await expect(state(page)).toHaveText("Updating");
});

test("the clock fires reminders and timeouts, and cannot be misled by a bad duration", async ({ page }) => {
  await open(page);
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  await expect(page.getByTestId("state-card")).toContainText("09:30 in 30 min");
  await page.getByRole("textbox", { name: "Duration to advance" }).fill("26m");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  await expect(page.getByTestId("announcements")).toContainText("Reminder");
  await expect(state(page)).toHaveText("Provisioning");
  await page.getByRole("button", { name: "Advance one hour" }).click();
  await expect(page.getByTestId("announcements")).toContainText(/Timeout fired.*now Failed/);
  await expect(state(page)).toHaveText("Failed");
  await expect(page.locator("tr[data-mark=fired]").last()).toContainText("time_out");
  await page.getByRole("textbox", { name: "Duration to advance" }).fill("soon");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("soon");
  await page.getByRole("textbox", { name: "Clock" }).fill("2026-03-05 12:00");
  await page.getByRole("textbox", { name: "Clock" }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Clock" })).toHaveValue("2026-03-05 12:00");
});

test("permissions can be taken from and given to the actor", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "2 permissions" }).click();
  await page.getByRole("checkbox", { name: "instance.operate" }).uncheck();
  await expect(action(page, "provision")).toHaveClass(/disabled/);
  await page.getByRole("checkbox", { name: "instance.operate" }).check();
  await expect(action(page, "provision")).toHaveClass(/enabled/);
});

test("the keyboard is enough", async ({ page }) => {
  await open(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("1");
  await page.keyboard.press("Escape");
  await expect(state(page)).toHaveText("Pending");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter actions" })).toBeFocused();
  await page.keyboard.type("1rej");
  await expect(state(page)).toHaveText("Pending");
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Pending");
  await edge(page, "dot", /^Provision,/).focus();
  await page.keyboard.press("Enter");
  await expect(state(page)).toHaveText("Provisioning");
  await expect(drawing(page, "dot").locator(":focus")).toHaveAttribute("aria-label", /^Mark as provisioned/);
  await page.keyboard.press("ArrowRight");
  await expect(drawing(page, "dot").locator(":focus")).toHaveAttribute("aria-label", /^Report a failure/);
  const before = await drawing(page, "dot").getAttribute("viewBox");
  await page.keyboard.press("+");
  expect(await drawing(page, "dot").getAttribute("viewBox")).not.toBe(before);
  await page.keyboard.press("0");
  expect(await drawing(page, "dot").getAttribute("viewBox")).toBe(before);
  await page.keyboard.press("g");
  await expect(drawing(page, "mermaid")).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press("e");
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
});

test("a key that is held takes one action", async ({ page }) => {
  await open(page);
  await page.keyboard.down("1");
  await page.keyboard.down("1");
  await page.keyboard.down("1");
  await page.keyboard.up("1");
  await expect(state(page)).toHaveText("Provisioning");
  await page.keyboard.press("u");
  await action(page, "provision").locator("button.take").focus();
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(state(page)).toHaveText("Provisioning");
});

test("the filter takes only what is meant, says when nothing matches, and ends with its document", async ({ page }) => {
  await open(page);
  const filter = page.getByRole("searchbox", { name: "Filter actions" });
  await filter.press("Enter");
  await expect(state(page)).toHaveText("Pending");
  await filter.fill("zzz");
  await expect(page.getByText("No action matches zzz")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await filter.fill("suspend");
  await filter.press("Enter");
  await expect(page.locator("tr[data-mark=refused]")).toHaveCount(0);
  await filter.fill("prov");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("last-result")).toContainText("Provisioning");
  await page.evaluate(() => (location.hash = "#ex=risk-rule"));
  await expect(state(page)).toHaveText("Draft");
  await expect(filter).toHaveValue("");
  await expect(page.getByTestId("last-result")).toBeHidden();
});

test("a day that no calendar has is refused, and mistakes end with their document", async ({ page }) => {
  await open(page);
  const clock = page.getByRole("textbox", { name: "Clock" });
  for (const typed of ["2026-02-30 10:00", "0000-01-01", "2026-03-02 24:00", "banana"]) {
    await clock.fill(typed);
    await clock.press("Enter");
    await expect(page.getByRole("alert")).toContainText("a day of the calendar");
  }
  await page.evaluate(() => (location.hash = "#ex=risk-rule"));
  await expect(state(page)).toHaveText("Draft");
  await expect(clock).toHaveValue("2026-03-02 09:00");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Duration to advance" }).fill("5");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(/^`?5/);
  await expect(page.getByTestId("last-result")).toBeHidden();
  await expect(page.locator("tr[data-mark=refused]")).toHaveCount(0);
});

test("every action is described by its own reason, and one reason for all is said once", async ({ page }) => {
  await open(page);
  await openDefinition(page, "scripts", {
    object_type: "A",
    initial_state: "a",
    states: [{ name: "a" }, { name: "b" }, { name: "end", is_terminal: true }],
    transitions: [
      { name: "t1", from_state: "a", to_state: "b", action: "go" },
      { name: "t2", from_state: "b", to_state: "a", action: "審核" },
      { name: "t3", from_state: "b", to_state: "end", action: "拒絕" },
    ],
  });
  const button = (name: string) => action(page, name).locator("button.take");
  await expect(button("審核")).toHaveAccessibleDescription(/審核/);
  await expect(button("拒絕")).toHaveAccessibleDescription(/拒絕/);
  await button("go").click();
  await button("拒絕").click();
  await expect(state(page)).toHaveText("end");
  await expect(page.getByTestId("actions-elsewhere")).not.toContainText("terminal");
  await expect(page.getByText(/is terminal/)).toHaveCount(1);
  await expect(button("go")).toHaveAccessibleDescription(/terminal/);
});

test("a guard without an answer is called that", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  await page.getByRole("group", { name: "Guard change_is_approved" }).getByRole("button", { name: "unknown" }).click();
  await expect(action(page, "update")).toContainText("gives no answer: switched to unknown");
});

test.describe("phone", () => {
  test.use({ viewport: { width: 320, height: 800 } });

  test("the permissions stay inside the window", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "2 permissions" }).click();
    const box = await page.getByRole("group", { name: "2 permissions" }).boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});

for (const [broken, other, pattern] of [
  ["DOT", "mermaid", "**/dot.worker*"],
  ["Mermaid", "dot", "**/mermaid*.js"],
] as const) {
  test(`when ${broken} fails, its text and the other drawing are shown`, async ({ page }) => {
    await page.route(pattern, (route) => route.abort());
    await open(page);
    await page.getByRole("group", { name: "Renderer" }).getByRole("button", { name: broken, exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("could not draw this");
    await expect(page.getByRole("group", { name: "Text of the drawing" })).toContainText("provisioning");
    await expect(drawing(page, other)).toBeVisible();
    await edge(page, other, /^Provision,/).focus();
    await page.keyboard.press("Enter");
    await expect(state(page)).toHaveText("Provisioning");
  });
}
