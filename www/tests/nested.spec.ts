/** States inside states: the nested risk rule is played to its ends; regions, clocks, memory and frames are seen. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { action, drawing, edge, open, openDefinition, show, state, violations, watch } from "./page";

const EXAMPLE = "#ex=risk-rule-nested";

function take(page: Page, name: string): Promise<void> {
  return action(page, name).locator("button.take").click();
}

function actAs(page: Page, who: string): Promise<unknown> {
  return page.getByLabel("As", { exact: true }).selectOption(who);
}

/** Where an active state is told with its clocks. */
function place(page: Page, path: string): Locator {
  return page.getByTestId("state-card").locator(`[data-state="${path}"]`);
}

function drawn(page: Page, kind: "dot" | "mermaid", path: string): Locator {
  return drawing(page, kind).locator(`[data-vs-state="${path}"]`);
}

function fold(page: Page, kind: "dot" | "mermaid", name: RegExp): Locator {
  return drawing(page, kind).getByRole("button", { name });
}

async function toReview(page: Page): Promise<void> {
  await open(page, EXAMPLE);
  await take(page, "submit");
  await expect(state(page)).toHaveText("Under review");
}

/** Both departments decide, in the name of the system, who may do everything. */
async function decide(page: Page, legal: string, tech: string): Promise<void> {
  await actAs(page, "system");
  await take(page, legal);
  await take(page, tech);
}

async function toTesting(page: Page): Promise<void> {
  await toReview(page);
  await decide(page, "legal_approve", "tech_approve");
  await take(page, "test");
}

test("both approve: the review is complete, and the rule approved", async ({ page }) => {
  const errors = watch(page);
  await toReview(page);
  await actAs(page, "legal");
  await take(page, "legal_approve");
  await expect(place(page, "review.legal.approved")).toContainText("has ended");
  await expect(place(page, "review.tech.pending")).toContainText("Approve technically");
  await actAs(page, "tech");
  await take(page, "tech_approve");
  await expect(state(page)).toHaveText("Approved");
  await expect(page.getByTestId("last-result")).toContainText("tech_approve, then by itself Both have approved: now Approved");
  const row = page.locator("tr[data-mark=taken]").last();
  await expect(row).toContainText("then by itself: Both have approved");
  await row.getByText("6 left, 2 entered").click();
  await expect(row).toContainText("Left: Technical › Pending, then Technical › Approved, then Under review › Technical, then Legal › Approved");
  await expect(row).toContainText("Taken: Approve technically, then Both have approved");
  await expect(row).toContainText("Entered: Technical › Approved, then Approved");
  errors.none();
});

test("one rejects: the rule is a draft again", async ({ page }) => {
  await toReview(page);
  await decide(page, "legal_approve", "tech_reject");
  await expect(state(page)).toHaveText("Draft");
  await expect(page.getByTestId("last-result")).toContainText("One has rejected");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Under review");
});

test("a rule of low risk needs no opinion of the law", async ({ page }) => {
  await open(page, EXAMPLE);
  await page.getByRole("tab", { name: "Object" }).click();
  await page.getByTestId("object-editor").locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{ "title": "a", "owner": "b", "risk": "low", "data_set": "c" }');
  await expect(page.locator("tr[data-mark=note]")).toContainText("Object data changed");
  await take(page, "submit");
  await expect(place(page, "review.legal.approved")).toContainText("has ended");
  await expect(page.locator("tr[data-mark=taken]").last()).toContainText("then by itself: Needs no opinion");
});

test("every region is marked in both drawings, with the frames around", async ({ page }) => {
  await toReview(page);
  await show(page, "Both");
  for (const kind of ["dot", "mermaid"] as const) {
    for (const path of ["review", "review.legal", "review.legal.pending", "review.tech", "review.tech.pending"]) {
      await expect(drawn(page, kind, path)).toHaveClass(/vs-active/);
    }
    await expect(drawing(page, kind).locator(".vs-active")).toHaveCount(5);
    await expect(drawing(page, kind).locator(".vs-badge")).toHaveCount(2);
    await expect(drawn(page, kind, "testing")).toHaveClass(/vs-cluster/);
  }
  await actAs(page, "legal");
  await edge(page, "dot", /^Approve for legal, to Legal › Approved$/).focus();
  await page.keyboard.press("Enter");
  await expect(drawn(page, "mermaid", "review.legal.approved")).toHaveClass(/vs-active/);
  await expect(drawn(page, "mermaid", "review.tech.pending")).toHaveClass(/vs-active/);
});

test("what follows by itself is no button, and says what it waits for", async ({ page }) => {
  await toReview(page);
  await expect(drawing(page, "dot").locator(".vs-follows").filter({ hasText: "Both have approved" })).toHaveCount(1);
  await expect(edge(page, "dot", /Both have approved/)).toHaveCount(0);
  const follows = page.getByTestId("follows");
  await expect(follows).toContainText(/Both have approved.*to Approved/);
  await expect(follows).toContainText("when Under review is complete and both_approved");
  await expect(follows).toContainText("false now");
});

test("buttons stand under the region that they belong to, inner ones first", async ({ page }) => {
  await toReview(page);
  const groups = page.getByTestId("actions-here").locator("section");
  await expect(groups).toHaveCount(3);
  await expect(groups.locator("h3")).toHaveText([/Legal › Pending\s*$/, /Technical › Pending\s*$/, /^Under review\s*$/]);
  await expect(groups.nth(0).locator(".row")).toHaveCount(3);
  await expect(groups.nth(2).locator(".row")).toHaveAttribute("data-action", "withdraw");
  await expect(page.getByTestId("actions-here").locator("kbd")).toHaveText(["1", "2", "3", "4", "5", "6"]);
  // The digit takes what it stands beside.
  await page.keyboard.press("6");
  await expect(state(page)).toHaveText("Draft");
});

test("an action of several regions is one button, and leads out of all of them", async ({ page }) => {
  const region = (name: string) => ({
    name,
    sub_machine: {
      initial_state: "on",
      states: [{ name: "on" }, { name: "off", is_terminal: true }],
      transitions: [{ name: "stop", from_state: "on", to_state: "off", action: "stop" }],
    },
  });
  await open(page);
  await openDefinition(page, "twins", {
    object_type: "Twins",
    initial_state: "both",
    states: [{ name: "both", regions: [region("left"), region("right")] }, { name: "end", is_terminal: true }],
    transitions: [{ name: "done", from_state: "both", to_state: "end", trigger: "completion" }],
  });
  const group = page.getByTestId("actions-here").locator("section");
  await expect(group).toHaveCount(1);
  await expect(group.locator("h3")).toContainText("all at once");
  await expect(group.locator(".row")).toHaveCount(1);
  await expect(group.locator("h3")).toContainText(/left.*on.*and.*right.*on/);
  await take(page, "stop");
  await expect(state(page)).toHaveText("end");
});

test("an inner timer and an outer one run on their own clocks", async ({ page }) => {
  await toReview(page);
  const card = page.getByTestId("state-card");
  await expect(place(page, "review.legal.pending")).toContainText("2026-03-04 09:00 in 2 d");
  await expect(card).toContainText("2026-03-09 09:00 in 7 d");
  await page.getByRole("button", { name: "Advance one day" }).click();
  await page.getByRole("button", { name: "Advance one day" }).click();
  await expect(place(page, "review.legal.escalated")).toContainText("Escalated");
  await expect(page.locator("tr[data-mark=fired]").last()).toContainText("timer of Legal › Pending");
  await expect(place(page, "review.tech.pending")).toContainText("for 2 d");
  await expect(card).toContainText("in 5 d");
  await page.getByRole("textbox", { name: "Duration to advance" }).fill("5d");
  await page.keyboard.press("Enter");
  await expect(state(page)).toHaveText("Draft");
  await expect(page.locator("tr[data-mark=fired]").last()).toContainText("timer of Under review");
});

test("what a history state remembers is seen, and where it leads before", async ({ page }) => {
  await toTesting(page);
  await expect(state(page)).toHaveText(/Testing.*Unit test/);
  const memory = page.getByTestId("memory");
  await expect(memory).toContainText("nothing yet: leads to Testing › Unit test");
  await take(page, "pass_unit");
  await take(page, "pause");
  await expect(state(page)).toHaveText("Test paused");
  await expect(memory).toContainText("Testing › Integration test");
  await expect(memory).not.toContainText("nothing yet");
  await take(page, "continue");
  await expect(state(page)).toHaveText(/Testing.*Integration test/);
});

test("a test that passes all of its steps is complete; one that takes too long fails", async ({ page }) => {
  await toTesting(page);
  for (const step of ["pass_unit", "pass_integration", "pass_performance"]) await take(page, step);
  await action(page, "pass_validation").getByRole("button", { name: "Set object.data_quality" }).click();
  await page.getByRole("textbox", { name: "Value of object.data_quality" }).fill("0.97");
  await page.keyboard.press("Enter");
  await take(page, "pass_validation");
  await expect(state(page)).toHaveText("Approved");
  await take(page, "test");
  await page.getByRole("button", { name: "Advance one day" }).click();
  await expect(state(page)).toHaveText("Draft");
  await expect(page.locator("tr[data-mark=fired]").last()).toContainText("timer of Testing");
});

test("the inner state of a link is entered with what is around it", async ({ page }) => {
  await open(page, `${EXAMPLE}&s=testing.validation&as=system`);
  await expect(state(page)).toHaveText(/Testing.*Validation/);
  await expect(action(page, "fail_test")).toHaveClass(/enabled/);
});

test("an outer state of a link begins as it is entered, and so do the regions beside an inner one", async ({ page }) => {
  await open(page, `${EXAMPLE}&s=review&as=system`);
  await expect(state(page)).toHaveText("Under review");
  for (const path of ["review.legal.pending", "review.tech.pending"]) await expect(place(page, path)).toBeVisible();
  // The timers run from now on, inside and around.
  await expect(place(page, "review.legal.pending")).toContainText("2026-03-04 09:00 in 2 d");
  await expect(page.getByTestId("state-card")).toContainText("2026-03-09 09:00 in 7 d");
  await open(page, `${EXAMPLE}&s=testing`);
  await expect(state(page)).toHaveText(/Testing.*Unit test/);
  await open(page, `${EXAMPLE}&s=review.legal.approved&as=system`);
  await expect(place(page, "review.legal.approved")).toContainText("has ended");
  await expect(place(page, "review.tech.pending")).toBeVisible();
  await take(page, "tech_approve");
  await expect(state(page)).toHaveText("Approved");
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Draft");
});

test("a link that names a state which no object can be in says so", async ({ page }) => {
  for (const [name, words] of [["testing.where_it_was", "no state testing.where_it_was that an object can be in"], ["nope", "no state nope"]]) {
    await open(page, `${EXAMPLE}&s=${name}`);
    await expect(page.getByTestId("announcements")).toContainText(`${words}, as the link says`);
    await expect(state(page)).toHaveText("Draft");
    await expect(page.locator("tr[data-mark=refused]")).toHaveCount(0);
  }
});

test("a chosen state is told with its path", async ({ page }) => {
  await open(page, EXAMPLE);
  await drawn(page, "dot", "review.legal.escalated").locator("text").click();
  const card = page.getByTestId("selected-state");
  await expect(card.locator("b").first()).toHaveText(/Under review.*Legal.*Escalated/);
  await expect(card).toContainText("review.legal.escalated");
  await expect(page.locator(".cm-activeLine")).toContainText("{");
  await drawn(page, "dot", "review").click({ position: { x: 8, y: 30 } });
  await expect(card).toContainText("regions inside");
  await card.getByRole("button", { name: /^Collapse in the drawing/ }).click();
  await expect(drawn(page, "dot", "review.legal")).toHaveCount(0);
  await card.getByRole("button", { name: "Close the selected state" }).click();
  await expect(card).toHaveCount(0);
});

for (const kind of ["dot", "mermaid"] as const) {
  test(`frames collapse and expand by click and by key in ${kind}`, async ({ page }) => {
    const errors = watch(page);
    await toReview(page);
    await show(page, kind === "dot" ? "DOT" : "Mermaid");
    await page.keyboard.press("0");
    await fold(page, kind, /^Collapse Under review$/).click();
    await expect(drawn(page, kind, "review.legal")).toHaveCount(0);
    await expect(drawn(page, kind, "review")).toHaveClass(/vs-active/);
    await expect(drawn(page, kind, "review").locator(".vs-badge")).toHaveCount(1);
    // What leads out of the inside of a box starts at the box.
    await expect(edge(page, kind, /^Withdraw, to Draft/)).toHaveCount(1);
    await fold(page, kind, /^Expand Under review$/).focus();
    await page.keyboard.press("Enter");
    await expect(drawn(page, kind, "review.legal.pending")).toHaveClass(/vs-active/);
    await expect(fold(page, kind, /^Collapse Under review$/)).toBeFocused();
    await page.keyboard.press(" ");
    await expect(drawn(page, kind, "review.legal")).toHaveCount(0);
    await expect(state(page)).toHaveText("Under review");
    errors.none();
  });
}

test("the menu and the list collapse and expand, and a link keeps it", async ({ page }) => {
  await open(page, EXAMPLE);
  await expect(drawn(page, "dot", "review.legal")).toHaveCount(1);
  await page.getByRole("button", { name: "Collapse and expand" }).click();
  await page.getByRole("button", { name: "Collapse all" }).click();
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(10);
  await page.getByText("The same as a list").click();
  const row = page.locator('tr[data-path="testing"]');
  await row.getByRole("button", { name: "Testing in the drawing" }).click();
  await expect(drawn(page, "dot", "testing.validation")).toHaveCount(1);
  await expect(drawn(page, "dot", "review.legal")).toHaveCount(0);
  await expect(page.locator('tr[data-path="review.legal.pending"]')).toContainText("Under review › Legal");
  await expect(page.locator('tr[data-path="testing.where_it_was"]')).toContainText("shallow history");
  await expect.poll(() => page.url()).toContain("#v1:");
  await page.reload();
  await expect(drawn(page, "dot", "testing.validation")).toHaveCount(1);
  await expect(drawn(page, "dot", "review.legal")).toHaveCount(0);
});

test("a large definition starts with its outer states", async ({ page }) => {
  const outer = Array.from({ length: 30 }, (_, at) => ({
    name: `part_${at}`,
    sub_machine: {
      initial_state: "a",
      states: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d", is_terminal: true }],
      transitions: [
        { name: "ab", from_state: "a", to_state: "b", action: "go" },
        { name: "bc", from_state: "b", to_state: "c", action: "go" },
        { name: "cd", from_state: "c", to_state: "d", action: "go" },
      ],
    },
  }));
  await open(page);
  await openDefinition(page, "large", {
    object_type: "Large",
    initial_state: "part_0",
    states: [...outer, { name: "end", is_terminal: true }],
    transitions: outer.map(({ name }, at) => ({ name: `from_${name}`, from_state: name, to_state: outer[at + 1]?.name ?? "end", trigger: "completion" })),
  });
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(31);
  await expect(drawn(page, "dot", "part_0")).toHaveClass(/vs-active/);
  await fold(page, "dot", /^Expand part_3$/).focus();
  await page.keyboard.press("Enter");
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(35);
});

test("a large flat definition shows what is near the current state, and all when asked", async ({ page }) => {
  const count = 150;
  await open(page);
  await openDefinition(page, "long", {
    object_type: "Long",
    initial_state: "s0",
    states: Array.from({ length: count }, (_, at) => ({ name: `s${at}`, ...(at === count - 1 ? { is_terminal: true } : {}) })),
    transitions: Array.from({ length: count - 1 }, (_, at) => ({ name: `t${at}`, from_state: `s${at}`, to_state: `s${at + 1}`, action: "next" })),
  });
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(2);
  await take(page, "next");
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(3);
  await expect(drawn(page, "dot", "s1")).toHaveClass(/vs-active/);
  await page.getByRole("button", { name: "Show all 150" }).click();
  await expect(drawing(page, "dot").locator(".vs-state")).toHaveCount(count);
});

test("the list of a very large definition grows on demand", async ({ page }) => {
  const count = 2_000;
  await open(page);
  await openDefinition(page, "long", {
    object_type: "Long",
    initial_state: "s0",
    states: Array.from({ length: count }, (_, at) => ({ name: `s${at}`, ...(at === count - 1 ? { is_terminal: true } : {}) })),
    transitions: Array.from({ length: count - 1 }, (_, at) => ({ name: `t${at}`, from_state: `s${at}`, to_state: `s${at + 1}`, action: "next" })),
  });
  await page.getByText("The same as a list: 2000 states").click();
  const rows = page.locator("tr[data-path]");
  await expect(rows).toHaveCount(300);
  await page.getByRole("button", { name: "Show 300 more states" }).click();
  await expect(rows).toHaveCount(600);
  await expect(page.getByText("300 of 1999 transitions")).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds no violations", async ({ page }) => {
      test.slow();
      await toReview(page);
      await actAs(page, "legal");
      await take(page, "legal_approve");
      await show(page, "Both");
      await drawn(page, "dot", "review.legal.approved").locator("text").click();
      await expect(page.getByTestId("selected-state")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Collapse and expand" }).click();
      await page.getByText("The same as a list").click();
      expect(await violations(page)).toEqual([]);
    });
  });
}

test.describe("phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("regions, their clocks and their buttons are readable one below the other", async ({ page }) => {
    await toReview(page);
    await actAs(page, "legal");
    await take(page, "legal_approve");
    await expect(place(page, "review.legal")).toContainText("has ended");
    await expect(place(page, "review.tech")).toContainText("Waits for");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const next = await page.getByTestId("actions-here").boundingBox();
    const stage = await page.getByTestId("drawing-dot").boundingBox();
    expect(next!.y).toBeLessThan(stage!.y);
    await expect(drawing(page, "dot")).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
});
