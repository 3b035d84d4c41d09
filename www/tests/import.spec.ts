/** Statecharts of others: SCXML and XState come in by dropping, opening and pasting, and go out with a list of what is lost. */
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { action, drawing, open, openDefinition, state, watch, write } from "./page";

const SCXML = `<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="closed">
  <state id="closed"><transition event="open" target="opened"/></state>
  <parallel id="opened">
    <state id="light"><transition event="shut" target="closed"/></state>
    <state id="bell" initial="ringing">
      <state id="ringing"><transition event="silence" target="silent"/></state>
      <state id="silent"/>
    </state>
  </parallel>
</scxml>
`;

const XSTATE = {
  id: "door",
  initial: "closed",
  states: {
    closed: { on: { OPEN: { target: "opened", guard: "hasKey" } } },
    opened: { on: { CLOSE: "closed" }, initial: "wide", states: { wide: { on: { PULL: "ajar" } }, ajar: {} } },
  },
};

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text!], name!, { type: "" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, text] as const,
  );
}

test("an SCXML file that is dropped becomes a definition that plays", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await drop(page, "door.scxml", SCXML);
  await expect(page.getByTestId("announcements")).toContainText("door.scxml imported from SCXML");
  await expect(page.getByRole("button", { name: "Document: door" })).toBeVisible();
  await expect(state(page)).toHaveText("closed");
  await expect(page.locator(".cm-content")).toContainText('"object_type"');
  await action(page, "open").locator("button.take").click();
  await expect(state(page)).toHaveText("opened");
  for (const path of ["opened.light", "opened.bell", "opened.bell.ringing"]) {
    await expect(drawing(page, "dot").locator(`[data-vs-state="${path}"]`)).toHaveClass(/vs-active/);
  }
  errors.none();
});

test("an XState file that is opened becomes a definition; its guards are the host's", async ({ page }) => {
  await open(page);
  await openDefinition(page, "door", XSTATE);
  await expect(page.getByTestId("announcements")).toContainText("door.json imported from XState");
  await expect(state(page)).toHaveText("closed");
  await page.getByRole("group", { name: "Guard hasKey" }).getByRole("button", { name: "true" }).click();
  await action(page, "OPEN").locator("button.take").click();
  await expect(state(page)).toHaveText(/opened.*wide/);
});

test("a pasted statechart is opened, and pasting into an editor is not", async ({ page }) => {
  await open(page);
  const paste = (text: string) =>
    page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  await paste("just words");
  await expect(state(page)).toHaveText("Pending");
  await paste(SCXML);
  await expect(page.getByRole("button", { name: "Document: Pasted" })).toBeVisible();
  await expect(state(page)).toHaveText("closed");
});

test("what cannot be imported is shown with its place, and mended where it stands", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  const refused = SCXML.replace('<state id="closed">', '<state id="closed">\n    <invoke type="http" src="x"/>');
  await drop(page, "door.scxml", refused);
  await expect(page.getByTestId("announcements")).toContainText("could not be imported from SCXML");
  const problem = page.getByTestId("problems").getByRole("button").filter({ hasText: "invoke" });
  await expect(problem.first()).toBeVisible();
  await expect(problem.first().locator(".at")).toContainText("4:");
  await expect(page.locator(".cm-content")).toContainText("<invoke");
  await problem.first().click();
  await expect(page.locator(".cm-activeLine")).toContainText("<invoke");
  await page.reload();
  await expect(page.locator(".cm-content")).toContainText("<invoke");
  await write(page, () => SCXML);
  await expect(page.getByTestId("problems")).toContainText("this text can be imported");
  await page.getByTestId("problems").getByRole("button", { name: "Import" }).click();
  await expect(state(page)).toHaveText("closed");
  // The text that it came from is a document of its own.
  await page.getByRole("button", { name: "Document: door" }).click();
  await expect(page.getByRole("group", { name: "Document: door" }).getByRole("button", { name: /^door/ })).toHaveCount(2);
  errors.none();
});

test("broken XML and hostile XML are problems, and the page stays whole", async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await drop(page, "broken.scxml", "<scxml><state id='a'");
  await expect(page.getByTestId("problems")).toContainText("1 error");
  await expect(page.getByText("There is no valid definition yet").or(page.getByText("not imported yet"))).toBeVisible();
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? "" : at - 1};`.repeat(10)}">`).join("")}]><scxml>&a8;</scxml>`;
  await drop(page, "bomb.xml", bomb);
  await expect(page.getByRole("button", { name: "Document: bomb" })).toBeVisible();
  await expect(page.getByTestId("problems")).toContainText("error");
  errors.none();
});

test("a refused XState machine keeps its text and says where", async ({ page }) => {
  await open(page);
  const machine = { ...XSTATE, states: { ...XSTATE.states, closed: { invoke: { src: "poll" } } } };
  await openDefinition(page, "poller", machine);
  await expect(page.getByTestId("problems").getByRole("button").first()).toContainText(/a service that is started/);
  await expect(page.getByTestId("problems").locator(".at").first()).toHaveText(/^\d+:\d+/);
  await expect(page.locator(".cm-content")).toContainText('"poll"');
});

/** What both formats can say, and in the permissions and the timeout something that one of them cannot. */
const NESTED = {
  object_type: "Door",
  initial_state: "draft",
  states: [
    { name: "draft", permits: ["read"], timeout: { after: "1d", action: "go" } },
    {
      name: "both",
      regions: ["left", "right"].map((name) => ({
        name,
        sub_machine: {
          initial_state: "on",
          states: [{ name: "on" }, { name: "off", is_terminal: true }],
          transitions: [{ name: "stop", from_state: "on", to_state: "off", action: `stop_${name}`, required_permissions: ["door.stop"] }],
        },
      })),
    },
    { name: "end", is_terminal: true },
  ],
  transitions: [
    { name: "go", from_state: "draft", to_state: "both", action: "go" },
    { name: "done", from_state: "both", to_state: "end", trigger: "completion" },
  ],
};

for (const [format, ending, holds] of [
  ["SCXML", "scxml", "<parallel"],
  ["XState", "xstate.json", '"type": "parallel"'],
] as const) {
  test(`${format} is saved with a list of what it cannot say, and comes back`, async ({ page }) => {
    const errors = watch(page);
    await open(page);
    await openDefinition(page, "twins", NESTED);
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save ${format}` }).click()]);
    expect(download.suggestedFilename()).toBe(`twins.${ending}`);
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toContain(holds);
    const left = page.getByTestId("left-out");
    await expect(left).toContainText(`${format} cannot say`);
    const permissions = left.locator("details").filter({ hasText: /^permissions/ });
    await permissions.locator("summary").click();
    await permissions.getByRole("button").first().click();
    await expect(left).toHaveCount(0);
    await drop(page, `back.${ending}`, text);
    await expect(page.getByTestId("announcements")).toHaveText(`back.${ending} imported from ${format}`);
    await expect(state(page)).toHaveText("draft");
    for (const name of ["go", "stop_left", "stop_right"]) await action(page, name).locator("button.take").click();
    await expect(state(page)).toHaveText("end");
    errors.none();
  });
}
