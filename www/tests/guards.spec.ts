/** Guards: what they say, read and lack is seen where it matters; fields are completed; expressions can be tried. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { action, open, openDefinition, state, violations, watch, write } from "./page";

const SUBMITTED = "#ex=order-approval&s=submitted&as=viewer";

/** A guard or an entry condition in the row of an action, by its name or text. */
function guard(page: Page, name: string): Locator {
  return page.locator(`.guard[data-guard="${name}"]`);
}

/** Replaces the text of the object's editor or the context's. */
async function writeData(page: Page, tab: "Object" | "Context", text: string): Promise<void> {
  await page.getByRole("tab", { name: tab }).click();
  await page.locator(".left-region .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function tryOut(page: Page, expression: string): Promise<Locator> {
  const field = page.getByRole("textbox", { name: "Expression to try" });
  if (!(await field.isVisible())) await page.getByText("Try an expression").click();
  await field.fill(expression);
  return page.getByTestId("try-result");
}

test("each guard shows its expression, its value and what it read", async ({ page }) => {
  const errors = watch(page);
  await open(page, SUBMITTED);
  const small = guard(page, "is_small");
  await expect(small).toHaveAttribute("data-status", "false");
  await expect(small).toContainText("object.amount <= ctx.config.auto_approve_threshold");
  await expect(small).toContainText("✗ false");
  await expect(small).toContainText("object.amount is 12000");
  await expect(small).toContainText("ctx.config.auto_approve_threshold is 10000");
  // The second transition of the action has a guard of its own, and one that is true is shown as well.
  const large = action(page, "approve").locator(".guard").nth(1);
  await expect(large).toContainText("Approve as a manager");
  await expect(large).toContainText("object.approvals[1].received is false");
  const cancel = guard(page, "may_still_be_cancelled");
  await expect(cancel).toContainText("✓ true");
  await expect(cancel).toContainText('object.cancel_until is "2026-03-03T09:00:00Z"');
  await page.getByRole("button", { name: "Advance one day" }).click();
  await expect(cancel).toContainText("✗ false");
  errors.none();
});

test("a guard with a missing field says so on the button, and the field can be set there", async ({ page }) => {
  const errors = watch(page);
  await open(page, SUBMITTED);
  await writeData(page, "Object", '{ "country": "DE" }');
  const approve = action(page, "approve");
  const button = approve.locator("button.take");
  await expect(button).toContainText("needs object.amount");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toHaveAccessibleDescription(/object\.amount.*is missing/);
  await expect(approve).toHaveClass(/unknown/);
  await expect(guard(page, "is_small")).toContainText("? unknown");
  await expect(guard(page, "is_small")).toContainText("needs object.amount: a number");
  await button.click({ force: true });
  await expect(page.getByTestId("announcements")).toContainText(/approve refused.*object\.amount/);

  await guard(page, "is_small").getByRole("button", { name: "Set object.amount" }).click();
  const field = page.getByRole("textbox", { name: "Value of object.amount" });
  await expect(field).toBeFocused();
  await page.keyboard.type("120");
  await page.keyboard.press("Enter");
  await expect(guard(page, "is_small")).toContainText("object.amount is 120");
  await expect(approve).toHaveClass(/enabled/);
  await expect(button).not.toContainText("needs");
  await expect(guard(page, "is_small").getByRole("button", { name: "Set object.amount" })).toBeFocused();
  await expect(page.locator(".left-region .cm-content")).toContainText('"amount": 120');
  await button.click();
  await expect(state(page)).toHaveText("Approved");
  // Undo takes back the step, then the field.
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await expect(button).toContainText("needs object.amount");
  errors.none();
});

test("a field of the wrong type is named with the type that is needed", async ({ page }) => {
  await open(page, SUBMITTED);
  await writeData(page, "Object", '{ "amount": "a lot", "requested_by": "clerk", "approvals": [] }');
  await expect(guard(page, "is_small")).toContainText(/object\.amount.* is a string/);
  await expect(action(page, "approve")).toHaveClass(/unknown/);
  // It can be set in place; what does not fit is refused there and changes nothing.
  await guard(page, "is_small").getByRole("button", { name: "Set object.amount" }).click();
  const field = page.getByRole("textbox", { name: "Value of object.amount" });
  for (const wrong of ["abc", "", "[{", "[]", "null"]) {
    await field.fill(wrong);
    await field.press("Enter");
    await expect(page.locator("form.set").getByRole("alert")).toContainText("the guards take a number");
  }
  // One form at a time.
  await guard(page, "is_small").getByRole("button", { name: "Set ctx.config.auto_approve_threshold" }).click();
  await expect(page.locator("form.set")).toHaveCount(1);
  await guard(page, "is_small").getByRole("button", { name: "Set object.amount" }).click();
  await field.fill("7");
  await field.press("Enter");
  await expect(action(page, "approve")).toHaveClass(/enabled/);
  await guard(page, "is_small").getByRole("button", { name: "Set ctx.config.auto_approve_threshold" }).click();
  const limit = page.getByRole("textbox", { name: "Value of ctx.config.auto_approve_threshold" });
  await limit.fill("abc");
  await limit.press("Enter");
  await expect(page.locator("form.set").getByRole("alert")).toContainText("does not fit");
  await expect(action(page, "approve")).toHaveClass(/enabled/);
});

test("an action shows what concerns the transition that is taken, and only repairs that help", async ({ page }) => {
  await open(page, SUBMITTED);
  const approve = action(page, "approve");
  await expect(approve.locator("button.take")).toContainText("is false");
  // `approve_large` fails at its guard: its permission is no help.
  await expect(approve.locator(".repair")).toHaveCount(0);
  await writeData(page, "Object", '{ "amount": 12000, "requested_by": "clerk", "approvals": [{ "received": true }] }');
  await expect(approve.locator("button.take")).toContainText("needs the permission order.approve");
  const rows = page.getByTestId("actions-here").locator(".row");
  const order = (): Promise<string[]> => rows.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.action ?? ""));
  const before = await order();
  await approve.getByRole("button", { name: "Act as Manager" }).focus();
  await page.keyboard.press("Enter");
  await expect(approve).toHaveClass(/enabled/);
  expect(await order()).toEqual(before);
  await expect(approve.locator("button.take")).toBeFocused();
  await expect(approve.locator(".guard")).toHaveCount(1);
  await expect(approve.locator(".guard")).toHaveAttribute("data-status", "true");
});

test("a button names what stops the action, not what would be missed later", async ({ page }) => {
  await open(page, "#ex=job-queue");
  await action(page, "claim").getByRole("button", { name: "Set object.started_at" }).click();
  await page.getByRole("button", { name: "Now" }).click();
  await action(page, "claim").locator("button.take").click();
  await expect(state(page)).toHaveText("Running");
  await expect(action(page, "finish").locator("button.take")).toContainText("object.pages_done is 0");
  await expect(action(page, "finish").locator("button.take")).not.toContainText("finished_at");
  await expect(action(page, "time_out").locator("button.take")).toContainText("job.sweep");
  await expect(action(page, "time_out").locator("button.take")).not.toContainText("needs object");
  // A lease that runs out leads on.
  await page.getByRole("button", { name: "Advance one hour" }).click();
  await expect(state(page)).toHaveText("Lost");
  await action(page, "retry").getByRole("button", { name: "Act as Operator" }).click();
  await action(page, "retry").locator("button.take").click();
  await expect(state(page)).toHaveText("Queued");
});

test("the context's settings can be changed, and survive a reload and a link", async ({ page, browser }) => {
  await open(page, SUBMITTED);
  await writeData(page, "Context", '{ "config": { "auto_approve_threshold": 20000 } }');
  await expect(guard(page, "is_small")).toContainText("ctx.config.auto_approve_threshold is 20000");
  await expect(action(page, "approve")).toHaveClass(/enabled/);
  await page.getByLabel("As", { exact: true }).selectOption("manager");
  await page.getByRole("button", { name: "Advance one hour" }).click();
  await expect(action(page, "approve")).toHaveClass(/enabled/);
  await page.getByRole("textbox", { name: "Clock" }).fill("2026-03-02 09:30");
  await page.getByRole("textbox", { name: "Clock" }).press("Enter");
  await expect(page.getByLabel("As", { exact: true })).toHaveValue("manager");
  await expect(action(page, "approve")).toHaveClass(/enabled/);
  await page.waitForTimeout(500);
  await page.reload();
  await expect(guard(page, "is_small")).toContainText("ctx.config.auto_approve_threshold is 20000");

  const other = await browser.newContext();
  const there = await other.newPage();
  await there.goto(page.url());
  await expect(there.locator(".guard[data-guard=is_small]")).toContainText("ctx.config.auto_approve_threshold is 20000");
  await other.close();

  await writeData(page, "Context", '{ "config": [] }');
  await expect(page.getByRole("alert")).toContainText("ctx.config");
  await expect(page.getByRole("alert")).not.toContainText("script");
  await expect(guard(page, "is_small")).toContainText("is 20000");
  await writeData(page, "Context", '{ "permissions": ["order.approve"] }');
  await expect(page.getByRole("alert")).toContainText("permissions cannot be set here");
  await expect(page.getByRole("tab", { name: /^Context.*1 error/ })).toBeVisible();
  await writeData(page, "Context", "{}");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(action(page, "approve").locator("button.take")).toContainText("needs ctx.config.auto_approve_threshold");
  await guard(page, "is_small").getByRole("button", { name: "Set ctx.config.auto_approve_threshold" }).click();
  await page.getByRole("textbox", { name: "Value of ctx.config.auto_approve_threshold" }).fill("15000.5");
  await page.keyboard.press("Enter");
  await expect(action(page, "approve")).toHaveClass(/enabled/);
});

test("the object's editor completes the fields that the guards read", async ({ page }) => {
  await open(page, SUBMITTED);
  const list = page.locator(".cm-tooltip-autocomplete");
  await writeData(page, "Object", "{}");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(list).toContainText("amount");
  await expect(list.locator("li").filter({ hasText: "amount" })).toContainText("a number");
  await expect(list).toContainText("tracking_number");
  await expect(list).not.toContainText("auto_approve_threshold");
  await page.keyboard.type("am");
  await expect(list.locator("li")).toHaveCount(1);
  await expect(page.locator(".cm-completionInfo")).toContainText("Read by is_complete and is_small");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await page.keyboard.type("7");
  await expect(page.locator(".left-region .cm-content")).toContainText('"amount": 7');
  await expect(guard(page, "is_small")).toContainText("object.amount is 7");
  await page.keyboard.type(", ");
  await page.keyboard.press("Control+Space");
  await expect(list).toContainText("approvals");
  await expect(list.locator("li").filter({ hasText: /^amount/ })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await writeData(page, "Context", '{ "config": {} }');
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(list).toContainText("auto_approve_threshold");
  await expect(list).toContainText("delivery_countries");
  await expect(list).not.toContainText("amount:");
  await page.keyboard.press("Escape");

  await writeData(page, "Context", "{}");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(list.locator("li")).toHaveText([/^config/, /^metadata/, /^tenant_id/, /^world_id/]);
});

test("the arrows walk through the tabs of the editors", async ({ page }) => {
  await open(page, SUBMITTED);
  await page.getByRole("tab", { name: "Definition" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Object" })).toBeFocused();
  await expect(page.getByRole("tab", { name: "Object" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Context" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Definition" })).toBeFocused();
});

test("the editor lists what the guards read and what is missing of it", async ({ page }) => {
  await open(page, "#ex=job-queue");
  await page.getByRole("tab", { name: "Object" }).click();
  const fields = page.getByTestId("fields");
  await expect(fields).toContainText("object.pages is 12");
  await expect(fields).toContainText("object.finished_at is missing");
  await fields.getByRole("button", { name: "Set object.finished_at" }).click();
  await fields.getByRole("button", { name: "Now" }).click();
  await expect(fields).toContainText('object.finished_at is "2026-03-02T09:00:00Z"');
  await expect(page.locator(".left-region .cm-content")).toContainText('"finished_at": "2026-03-02T09:00:00Z"');
});

test("an expression is tried on the present, with its type and what it read", async ({ page }) => {
  const errors = watch(page);
  await open(page, SUBMITTED);
  const result = await tryOut(page, "object.amount > 100");
  await expect(result).toContainText("✓ true");
  await expect(result).toContainText("bool");
  await expect(result).toContainText("object.amount is 12000");
  await tryOut(page, "object.amount + 1");
  await expect(result).toContainText("= 12001");
  await expect(result).toContainText("int");
  await tryOut(page, "object.amount > object.limit");
  await expect(result).toContainText("? unknown");
  await expect(result).toContainText("needs object.limit");
  await tryOut(page, "'submitted' in states && is_small");
  await expect(result).toContainText("✗ false");
  await tryOut(page, "ctx.timestamp < timestamp(object.cancel_until)");
  await expect(result).toContainText("✓ true");
  // It lives: what changes elsewhere changes the answer.
  await page.getByRole("button", { name: "Advance one day" }).click();
  await expect(result).toContainText("✗ false");
  await tryOut(page, "object.amount > )");
  await expect(result).toContainText("no expression");
  await expect(result).toContainText("Column 17");
  await expect(result.locator("mark")).toHaveText(")");
  await tryOut(page, "object.amount >\n  10 )");
  await expect(result).toContainText("Line 2, column 6");
  await expect(result.locator("mark")).toHaveText(")");
  await tryOut(page, "1/0");
  await expect(result.getByText("divides by zero")).toHaveCount(1);
  await tryOut(page, `"${"x".repeat(3000)}" + )`);
  await expect(result.locator("mark")).toHaveText(")");
  expect(await result.evaluate((element) => element.clientHeight)).toBeLessThan(400);
  await tryOut(page, '"<img src=x onerror=alert(1)>"');
  await expect(result.locator("img")).toHaveCount(0);
  errors.none();
});

test("a guard can be taken to where it is tried", async ({ page }) => {
  await open(page, SUBMITTED);
  await page.getByRole("button", { name: "Try the expression of is_small" }).click();
  const field = page.getByRole("textbox", { name: "Expression to try" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("object.amount <= ctx.config.auto_approve_threshold");
  await expect(page.getByTestId("try-result")).toContainText("✗ false");
  await page.keyboard.press("End");
  await page.keyboard.type(" * 2");
  await expect(page.getByTestId("try-result")).toContainText("✓ true");
  await expect(state(page)).toHaveText("Submitted");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Try the expression of is_small" })).toBeFocused();
});

test("a host's guard stands beside expressions and has its own switch", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=ready");
  await expect(guard(page, "change_is_approved")).toContainText("a function of the host");
  await expect(guard(page, "change_is_approved")).toContainText("✗ false");
  await action(page, "update").getByRole("button", { name: "Switch change_is_approved to true" }).click();
  await expect(guard(page, "change_is_approved")).toContainText("✓ true");
  await expect(action(page, "update")).toHaveClass(/enabled/);
});

test("required approvals and data quality are read from the object", async ({ page }) => {
  await open(page, "#ex=risk-rule&s=review&as=reviewer");
  await expect(guard(page, "has_required_approvals")).toContainText("✗ false");
  await expect(guard(page, "has_required_approvals")).toContainText("object.approvals[1].received is false");
  await writeData(page, "Object", '{ "approvals": [{ "received": true }, { "received": true }] }');
  await expect(action(page, "approve")).toHaveClass(/enabled/);
  await writeData(page, "Object", '{ "approvals": [] }');
  await expect(action(page, "approve")).toHaveClass(/disabled/);
  await open(page, "#ex=risk-rule&s=testing");
  // Without a value the default counts; the field is offered all the same.
  await expect(guard(page, "data_quality_passed")).toContainText("✗ false");
  await expect(guard(page, "data_quality_passed")).toContainText("object.data_quality is missing");
  await guard(page, "data_quality_passed").getByRole("button", { name: "Set object.data_quality" }).click();
  await page.keyboard.type("0.96");
  await page.keyboard.press("Enter");
  await expect(action(page, "pass_test")).toHaveClass(/enabled/);
});

for (const [where, field, take, value] of [
  ["queued", "started_at", "claim", "Now"],
  ["running", "finished_at", "finish", "Now"],
  ["running", "error", "fail", "out of memory"],
] as const) {
  test(`a job is not ${take}ed without ${field}`, async ({ page }) => {
    await open(page, `#ex=job-queue&s=${where}&as=operator`);
    await writeData(page, "Object", JSON.stringify({ attempts: 0, pages: 2, pages_done: 2, ...(where === "running" ? { started_at: "2026-03-02T08:00:00Z" } : {}) }));
    const row = action(page, take);
    await expect(row.locator("button.take")).toContainText(`needs object.${field}`);
    await row.locator("button.take").click({ force: true });
    await expect(page.locator("tr[data-mark=refused]")).toContainText(`object.${field}`);
    await row.getByRole("button", { name: `Set object.${field}` }).click();
    if (value === "Now") await row.getByRole("button", { name: "Now" }).click();
    else {
      await page.keyboard.type(value);
      await page.keyboard.press("Enter");
    }
    await expect(row).toHaveClass(/enabled/);
    await row.locator("button.take").click();
    await expect(state(page)).toHaveText({ claim: "Running", finish: "Done", fail: "Failed" }[take]);
    await expect(page.getByTestId("violations")).toHaveCount(0);
  });
}

for (const [name, condition] of [
  ["done", "has_finished"],
  ["failed", "has_error"],
  ["running", "has_started"],
] as const) {
  test(`an impossible row that is ${name} is called so`, async ({ page }) => {
    await open(page, `#ex=job-queue&s=${name}`);
    const broken = page.getByTestId("violations");
    // What is missing is not known yet; what is empty is impossible.
    await expect(broken).toContainText("Not known of this object");
    await expect(broken).not.toContainText("cannot be in this state");
    await writeData(page, "Object", '{ "started_at": null, "finished_at": null, "error": null }');
    await expect(broken).toContainText("cannot be in this state");
    await expect(broken).toContainText(condition);
    await broken.getByRole("button", { name: /^Set object/ }).click();
    await page.getByRole("textbox", { name: /^Value of object/ }).fill("2026-03-02T08:00:00Z");
    await page.keyboard.press("Enter");
    await expect(broken).toHaveCount(0);
  });
}

test("guards and entry conditions are completed in the definition, with their documentation", async ({ page }) => {
  await open(page, "#ex=job-queue");
  const list = page.locator(".cm-tooltip-autocomplete");
  for (const [before, after, expected, about] of [
    ['{ "object_type": "A", "gua', '" }', "guards", "Named guards"],
    ['{ "states": [{ "name": "a", "ent', '" }] }', "entry_conditions", "What must be true of an object"],
    ['{ "states": [{ "entry_conditions": [{ "req', '" }] }] }', "require", "written as a guard is"],
    ['{ "guards": { "small": "" }, "transitions": [{ "guard": "', '" }] }', "small", ""],
  ] as const) {
    await write(page, () => before + after);
    await page.keyboard.press("Escape");
    for (let step = 0; step < after.length; step += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await expect(list).toContainText(expected);
    if (about !== "") await expect(page.locator(".cm-completionInfo")).toContainText(about);
    await page.keyboard.press("Escape");
  }
});

test("a mistake in an expression is underlined at its column", async ({ page }) => {
  await open(page, "#ex=order-approval");
  const mark = page.locator(".cm-lintRange-error");
  const to = (guard: string) => (text: string) => text.replace(/"is_small": "[^"]*"/, `"is_small": "${guard}"`);
  const problem = page.getByTestId("problems").getByRole("button");
  for (const [guard, said, marked] of [
    ["object.amount <= limit2", "no variable", "limit2"],
    ["object.amount <= )", "`?\\)`? stands", ")"],
    ["object.amount <=", "expression ends", '"'],
  ] as const) {
    await write(page, to(guard));
    const found = problem.filter({ hasText: new RegExp(said) });
    const at = await found.locator(".at").innerText();
    await found.click();
    await expect(mark).toHaveText(marked);
    const line = await page.locator(".cm-activeLine").innerText();
    expect(Number(/:(\d+)/.exec(at)?.[1])).toBe(line.indexOf(`${guard}"`) + 1 + (marked === '"' ? guard.length : guard.indexOf(marked)));
  }
});

test("names from strangers are fields like any other", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await openDefinition(page, "strange", {
    object_type: "Strange",
    initial_state: "a",
    states: [{ name: "a" }, { name: "b", is_terminal: true }],
    transitions: [
      { name: "go", from_state: "a", to_state: "b", action: "go", guard: "object.__proto__.constructor == 'x' && object.toString == 'y'" },
    ],
  });
  await expect(action(page, "go").locator("button.take")).toContainText("needs object.__proto__");
  for (const [path, value] of [["object.__proto__.constructor", "x"], ["object.toString", "y"]] as const) {
    await page.getByTestId("actions-here").getByRole("button", { name: `Set ${path}` }).click();
    await page.keyboard.type(value);
    await page.keyboard.press("Enter");
  }
  await expect(action(page, "go")).toHaveClass(/enabled/);
  expect(await page.evaluate(() => ({}).constructor === Object)).toBe(true);
  errors.none();
});

for (const [name, options] of Object.entries({
  light: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
  "dark phone": { colorScheme: "dark", viewport: { width: 390, height: 844 } },
} as const)) {
  test.describe(name, () => {
    test.use(options);

    test("axe finds no violations among guards", async ({ page }) => {
      await open(page, "#ex=order-approval&s=submitted");
      if (options.viewport.width < 800) await page.getByRole("button", { name: "Show the definition and its editor" }).click();
      await writeData(page, "Object", '{ "cancel_until": "2026-03-03T09:00:00Z", "approvals": [{}] }');
      await expect(action(page, "approve").locator("button.take")).toContainText("needs object.amount");
      await guard(page, "is_small").getByRole("button", { name: "Set object.amount" }).click();
      await tryOut(page, "object.amount > )");
      expect(await violations(page)).toEqual([]);
      await tryOut(page, "object.amount > 3 && ctx.actor_id == 'clerk'");
      await page.getByRole("tab", { name: "Context" }).click();
      expect(await violations(page)).toEqual([]);
      await open(page, "#ex=job-queue&s=done");
      await expect(page.getByTestId("violations")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  });
}
