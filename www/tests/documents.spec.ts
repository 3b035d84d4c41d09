/** Documents: bad input loses nothing, links restore everywhere, undo survives a reload, nothing is overwritten. */
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { action, drawing, edge, open, openDefinition, show, state, watch, write } from "./page";

test("a broken definition shows its problem at the line, and the last drawing stays", async ({ page }) => {
  await open(page);
  await expect(drawing(page, "dot")).toBeVisible();
  await write(page, (text) => text.replace('"to_state": "provisioning"', '"to_state": "provisoning"'));
  const problem = page.getByTestId("problems").getByRole("button").filter({ hasText: "provisoning" });
  await expect(problem).toBeVisible();
  await expect(page.getByText("Last valid definition")).toBeVisible();
  await expect(drawing(page, "dot").locator(".vs-active")).toHaveCount(1);
  const at = await problem.locator(".at").innerText();
  await problem.click();
  const line = page.locator(".cm-activeLine");
  await expect(line).toContainText("provisoning");
  expect(at).toMatch(/^\d+:\d+/);
  await expect(page.locator(".cm-lintRange-error").filter({ hasText: "provisoning" })).toBeVisible();
});

test("text that is no JSON loses nothing and comes back after a reload", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await write(page, () => '{ "object_type": ');
  await expect(page.getByTestId("problems")).toContainText("1 error");
  await expect(page.getByText("Last valid definition")).toBeVisible();
  await page.waitForTimeout(600);
  await page.reload();
  await expect(page.locator(".cm-content")).toContainText('{ "object_type":');
  await expect(page.getByText("Last valid definition")).toBeVisible();
  await expect(state(page)).toHaveText("Pending");
  errors.none();
});

test("a file that is no definition is shown with its problems, and the page stays whole", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await openDefinition(page, "nonsense", "this is not JSON");
  await expect(page.getByTestId("problems")).toContainText("1 error");
  await expect(page.getByText("There is no valid definition yet")).toBeVisible();
  await openDefinition(page, "small", {
    object_type: "Lamp",
    initial_state: "off",
    states: [{ name: "off" }, { name: "on" }, { name: "broken", is_terminal: true }],
    transitions: [
      { name: "switch_on", from_state: "off", to_state: "on", action: "press" },
      { name: "switch_off", from_state: "on", to_state: "off", action: "press" },
      { name: "burn", from_state: "on", to_state: "broken", action: "burn" },
    ],
  });
  await expect(state(page)).toHaveText("off");
  await edge(page, "dot", /^press,/).focus();
  await page.keyboard.press("Enter");
  await expect(state(page)).toHaveText("on");
  errors.none();
});

test("a file can be dropped anywhere", async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    const definition = { object_type: "Dropped", initial_state: "here", states: [{ name: "here", is_terminal: true }] };
    const data = new DataTransfer();
    data.items.add(new File([JSON.stringify(definition)], "dropped.json", { type: "application/json" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(state(page)).toHaveText("here");
  await expect(page.getByRole("button", { name: "Document: dropped" })).toBeVisible();
});

test("a shared link shows the same in another browser", async ({ page, browser }) => {
  await open(page, "#ex=risk-rule");
  await page.keyboard.press("1");
  await action(page, "approve").getByRole("button", { name: "Set object.approvals" }).click();
  await page.getByRole("textbox", { name: "Value of object.approvals" }).fill('[{ "received": true }]');
  await page.keyboard.press("Enter");
  await page.getByLabel("As", { exact: true }).selectOption("reviewer");
  await action(page, "approve").locator("button.take").click();
  await expect(state(page)).toHaveText("Approved");
  await page.getByRole("button", { name: "Advance one hour" }).click();
  await show(page, "Text");
  await expect.poll(() => page.url()).toContain("#v1:");
  await page.waitForTimeout(500);
  const url = page.url();
  expect(url.length).toBeLessThan(4000);

  const other = await browser.newContext();
  const there = await other.newPage();
  const errors = watch(there);
  await there.goto(url);
  await expect(state(there)).toHaveText("Approved");
  await expect(there.getByLabel("As", { exact: true })).toHaveValue("reviewer");
  await expect(there.getByRole("textbox", { name: "Clock" })).toHaveValue("2026-03-02 10:00");
  await expect(there.getByTestId("text-mermaid")).toContainText("stateDiagram-v2");
  await there.keyboard.press("u");
  await expect(there.getByTestId("announcements")).toContainText("Undone");
  errors.none();
  await other.close();
});

test("a broken link says so and falls back", async ({ page }) => {
  await open(page, "#v1:thisIsNothing");
  await expect(page.getByTestId("announcements")).toContainText("The link cannot be read");
  await expect(state(page)).toHaveText("Pending");
  await open(page, "#ex=nothing");
  await expect(state(page)).toHaveText("Pending");
});

test("a hostile link cannot hang or break the page", async ({ page }) => {
  const errors = watch(page);
  const content = {
    text: JSON.stringify({
      object_type: "Loop",
      initial_state: "on",
      states: [{ name: "on", timeout: { after: "1s", action: "tick" } }, { name: "off", is_terminal: true }],
      transitions: [
        { name: "tick", from_state: "on", to_state: "on", action: "tick", reenter: true },
        { name: "stop", from_state: "on", to_state: "off", action: "stop" },
      ],
    }),
    actors: Array.from({ length: 500 }, () => ({ id: "twin", title: "Twin", type: "x", permissions: [] })),
    start: "2026-01-01T00:00:00Z",
    guards: JSON.parse('{ "__proto__": "true", "constructor": 7 }') as unknown,
    entries: [null, { do: "nothing" }, ...Array.from({ length: 20_000 }, () => ({ do: "advance", by: "2h" }))],
    view: { renderer: 7 },
  };
  const link = `#v1:${deflateRawSync(JSON.stringify(content)).toString("base64url")}`;
  await page.goto(`./${link}`);
  await expect(state(page)).toHaveText("on", { timeout: 30_000 });
  await expect(page.getByTestId("announcements")).toContainText("take too long");
  await expect(drawing(page, "dot").locator(".vs-active")).toHaveCount(1);
  errors.none();
});

test("a link for documentation opens a state and an actor", async ({ page }) => {
  await open(page, "#ex=job-queue&s=running&as=operator");
  await expect(state(page)).toHaveText("Running");
  await expect(page.getByLabel("As", { exact: true })).toHaveValue("operator");
  await expect(page.getByTestId("state-card")).toContainText("Due");
});

test("undo works after a reload, down to the creation", async ({ page }) => {
  await open(page);
  await page.keyboard.press("1");
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Ready");
  await page.reload();
  await expect(state(page)).toHaveText("Ready");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Provisioning");
  await page.waitForTimeout(500);
  await page.reload();
  await expect(state(page)).toHaveText("Provisioning");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Pending");
  await page.keyboard.press("u");
  await expect(page.getByTestId("announcements")).toContainText("Nothing to undo");
});

test("a reload keeps every step, also when the address changes while the page is on its way", async ({ page }) => {
  await open(page);
  const written = page.waitForEvent("framenavigated", (frame) => frame.url().includes("#v1:"));
  await page.keyboard.press("1");
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Ready");
  // The page that is left writes its link before the next one comes, which is given the address of before.
  await page.route("**/some/where/", async (route) => {
    await written;
    await route.continue();
  });
  await page.reload();
  await expect(state(page)).toHaveText("Ready");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Provisioning");
});

test("opening an example makes a new document and keeps the old one", async ({ page }) => {
  await open(page);
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  await page.getByRole("button", { name: /^Document:/ }).click();
  await page.getByRole("button", { name: /^Cloud instance.*Asynchronous/ }).click();
  await expect(state(page)).toHaveText("Pending");
  await page.getByRole("button", { name: /^Document:/ }).click();
  await page.getByRole("button", { name: /^Cloud instance.*changed/ }).click();
  await expect(state(page)).toHaveText("Provisioning");
});

test("completion offers names and values of the schema", async ({ page }) => {
  await open(page, "#ex=job-queue");
  await write(page, () => '{ "object_type": "A", "states": [{ "name": "a", "kind":  }] }');
  for (let step = 0; step < 6; step += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(page.locator(".cm-tooltip-autocomplete")).toContainText("transitional");
  await page.keyboard.press("Escape");
  await write(page, () => '{ "object_type": "A", "states": [{ "name": "a",  }] }');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  const list = page.locator(".cm-tooltip-autocomplete");
  await expect(list).toContainText("is_terminal");
  await expect(list).not.toContainText("initial_state");
});

test("completion works in empty strings, after a brace and for the definition's own names", async ({ page }) => {
  await open(page, "#ex=job-queue");
  const list = page.locator(".cm-tooltip-autocomplete");
  for (const [before, after, expected] of [
    ["{", "}", "object_type"],
    ['{ "object_type": "', '" }', null],
    ['{ "states": [{ "name": "a", "', '" }] }', "is_terminal"],
    ['{ "states": [{ "name": "a", "kind": "', '" }] }', "faulty"],
    ['{ "states": [{ "name": "alpha" }], "initial_state": "', '" }', "alpha"],
    ['{ "states": [{ "name": "alpha" }], "transitions": [{ "from_state": ["', '"] }] }', "alpha"],
  ] as const) {
    await write(page, () => before + after);
    await page.keyboard.press("Escape");
    for (let step = 0; step < after.length; step += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    if (expected === null) await expect(list).toHaveCount(0);
    else await expect(list).toContainText(expected);
    await page.keyboard.press("Escape");
  }
});

test("errors in the object's data stay there", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: "Object" }).click();
  const content = page.getByTestId("object-editor").locator(".cm-content");
  await content.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{ "size": ');
  await expect(page.getByText("The object keeps its last valid data")).toBeVisible();
  await page.keyboard.insertText("3 }");
  await expect(page.getByText("The object keeps its last valid data")).toBeHidden();
  await expect(page.locator("tr[data-mark=note]")).toContainText("Object data changed");
});

/** The object's editor, with its text replaced. */
async function writeObject(page: Page, text: string): Promise<void> {
  await page.getByRole("tab", { name: "Object" }).click();
  await page.getByTestId("object-editor").locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function openFromMenu(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Document:/ }).click();
  await page.getByRole("button", { name }).click();
}

const RISK_RULE = /^Risk rule.*Review/;

test("two tabs never overwrite each other", async ({ page, context }) => {
  await open(page, "#ex=risk-rule");
  await write(page, (text) => text.replace("{", '{ "description": "MYWORK",'));
  await page.waitForTimeout(600);
  const other = await context.newPage();
  await open(other, "");
  await expect(other.locator(".cm-content")).toContainText("MYWORK");
  await other.waitForTimeout(200);
  await other.keyboard.press("1");
  await expect(state(other)).not.toHaveText("Draft");
  await expect(other.getByTestId("announcements")).toContainText("kept in a copy");
  await expect(other.getByTestId("last-result")).toBeVisible();
  await other.waitForTimeout(500);
  await page.reload();
  await expect(state(page)).toHaveText("Draft");
  await expect(page.locator(".cm-content")).toContainText("MYWORK");
  await other.reload();
  await expect(state(other)).not.toHaveText("Draft");
  await page.keyboard.press("1");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Draft");
  await other.keyboard.press("u");
  await expect(state(other)).toHaveText("Draft");
});

test("what two tabs make of the same untouched example are two documents", async ({ page, context }) => {
  const other = await context.newPage();
  await open(page, "#ex=job-queue");
  await open(other, "#ex=job-queue");
  await page.keyboard.press("1");
  await other.keyboard.press("1");
  await other.keyboard.press("1");
  await page.waitForTimeout(500);
  await other.waitForTimeout(500);
  const steps = await page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith("veristate.document."))
      .map((key) => (JSON.parse(localStorage.getItem(key)!) as { entries: unknown[] }).entries.length)
      .sort(),
  );
  expect(steps).toEqual([1, 2]);
});

test("the cursor stays when what is typed goes to a copy", async ({ page, context }) => {
  await open(page, "#ex=job-queue");
  const other = await context.newPage();
  await open(other, "#ex=job-queue");
  await other.waitForTimeout(300);
  await other.locator(".cm-content").click();
  await other.keyboard.press("Control+Home");
  await other.keyboard.type("abcdef", { delay: 40 });
  await expect(other.locator(".cm-line").first()).toHaveText(/^abcdef\{/);
  await expect(other.getByTestId("announcements")).toContainText("kept in a copy");
});

test("object data that is being typed belongs to its document", async ({ page }) => {
  await open(page);
  await openFromMenu(page, RISK_RULE);
  await writeObject(page, '{ "secret": "of the risk rule" }');
  await page.evaluate(() => (location.hash = "#ex=cloud-instance"));
  await expect(state(page)).toHaveText("Pending");
  await page.waitForTimeout(600);
  await expect(page.getByTestId("object-editor")).toContainText("orders-db");
  await expect(page.locator("tr[data-mark=note]")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByTestId("object-editor")).toContainText("of the risk rule");
  await expect(page.locator("tr[data-mark=note]")).toContainText("Object data changed");
});

test("object data that is not valid is kept like the definition", async ({ page }) => {
  await open(page);
  await writeObject(page, '{ "size": "large" }');
  await expect(page.locator("tr[data-mark=note]")).toHaveCount(1);
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{ "my": "work", ');
  const editor = page.getByTestId("object-editor");
  await expect(page.getByText("The object keeps its last valid data")).toBeVisible();
  await page.getByRole("button", { name: "Fold the editor" }).click();
  await page.getByRole("button", { name: "Show the editor" }).click();
  await expect(editor).toContainText('"my": "work"');
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("tr[data-mark=note]")).toHaveCount(0);
  await expect(editor).toContainText('"my": "work"');
  await openFromMenu(page, RISK_RULE);
  await expect(editor).toContainText("fraud-team");
  await expect(page.getByText("The object keeps its last valid data")).toBeHidden();
  await page.goBack();
  await expect(editor).toContainText('"my": "work"');
  await page.reload();
  await page.getByRole("tab", { name: "Object" }).click();
  await expect(editor).toContainText('"my": "work"');
  await expect(page.getByText("The object keeps its last valid data")).toBeVisible();
});

test("numbers that a browser cannot hold are refused", async ({ page }) => {
  await open(page);
  await writeObject(page, '{ "size": 1e400 }');
  await expect(page.getByRole("alert")).toContainText("cannot hold");
  await expect(page.locator("tr[data-mark=note]")).toHaveCount(0);
});

test("a link with a broken definition shows the same, and loses no step", async ({ page, browser }) => {
  await open(page);
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  await write(page, (text) => `x${text}`);
  await expect(page.getByText("Last valid definition")).toBeVisible();
  await page.waitForTimeout(600);
  const other = await browser.newContext();
  const there = await other.newPage();
  await there.goto(page.url());
  await expect(state(there)).toHaveText("Provisioning");
  await expect(there.getByText("Last valid definition")).toBeVisible();
  await expect(drawing(there, "dot").locator(".vs-active")).toContainText("Provisioning");
  await other.close();
});

test("steps that cannot be played are neither shown as gone nor taken back", async ({ page }) => {
  const content = { text: "no definition", entries: [{ do: "action", action: "claim" }] };
  await page.goto(`./#v1:${deflateRawSync(JSON.stringify(content)).toString("base64url")}`);
  await expect(page.getByText("1 step is kept and not played")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Restart" })).toBeDisabled();
});

test("reading evicts no work", async ({ page }) => {
  await open(page);
  await page.keyboard.press("1");
  await expect(state(page)).toHaveText("Provisioning");
  for (let count = 0; count < 14; count += 1) {
    await openDefinition(page, `read-${count}`, { object_type: "A", initial_state: "a", states: [{ name: "a", is_terminal: true }] });
  }
  await openFromMenu(page, /^Cloud instance.*changed/);
  await expect(state(page)).toHaveText("Provisioning");
});

test("a file that is no text is not opened", async ({ page }) => {
  await open(page);
  await page.getByTestId("file-input").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from([1, 0, 2, 255]) });
  await expect(page.getByTestId("announcements")).toContainText("is no text file");
  await expect(page.getByRole("button", { name: "Document: Cloud instance" })).toBeVisible();
});

test("going back returns to the document before, with its steps", async ({ page }) => {
  await open(page);
  await page.keyboard.press("1");
  await openFromMenu(page, RISK_RULE);
  await expect(state(page)).toHaveText("Draft");
  await page.goBack();
  await expect(state(page)).toHaveText("Provisioning");
  await page.keyboard.press("u");
  await expect(state(page)).toHaveText("Pending");
  await page.goForward();
  await expect(state(page)).toHaveText("Draft");
});

test("a link that names what is not there says so", async ({ page }) => {
  await open(page, "#ex=cloud-instance&s=nope&as=nobody");
  await expect(page.getByTestId("announcements")).toContainText("has nobody called nobody and no state nope");
  await expect(page.locator("tr[data-mark=refused]")).toHaveCount(0);
  await page.evaluate(() => (location.hash = "#v1:broken"));
  await expect(page.getByTestId("announcements")).toContainText("The open document stays");
  expect(page.url()).toContain("#ex=cloud-instance");
  // Back is the broken link, to be mended by hand; back again is the document.
  await page.goBack();
  await expect.poll(() => page.url()).toContain("#v1:broken");
  await page.goBack();
  await expect.poll(() => page.url()).toContain("#ex=cloud-instance");
  await expect(state(page)).toHaveText("Pending");
});

test("the renderer goes along to the next document", async ({ page }) => {
  await open(page);
  await show(page, "Text");
  await openFromMenu(page, RISK_RULE);
  await expect(page.getByTestId("text-dot")).toContainText("draft");
});

test("texts and drawings can be taken away", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await expect(drawing(page, "dot")).toBeVisible();
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name, exact: true }).click();
  };
  await choose("Copy Mermaid");
  await expect.poll(clipboard).toContain("stateDiagram-v2");
  await choose("Copy DOT");
  await expect.poll(clipboard).toContain("digraph StateMachine");
  await choose("Copy SVG");
  await expect.poll(clipboard).toContain("DatabaseInstance, version 1");
  for (const kind of ["DOT", "Mermaid"] as const) {
    await show(page, kind);
    const download = page.waitForEvent("download");
    await choose("Save PNG");
    const file = await (await download).path();
    const bytes = readFileSync(file);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.length).toBeGreaterThan(10_000);
  }
});
