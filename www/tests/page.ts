/** What the tests share: opening the page, finding things on it, and noticing errors. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

/** Collects errors of the console and the page. Call `.none()` at the end of a test. */
export function watch(page: Page): { none(): void } {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  return { none: () => expect(errors).toEqual([]) };
}

/** What axe finds wrong. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`));
}

export async function open(page: Page, hash = "#ex=cloud-instance"): Promise<void> {
  await page.goto(`./${hash}`);
  await expect(page.getByTestId("state-card")).toBeVisible();
}

export function state(page: Page): Locator {
  return page.getByTestId("current-state");
}

export function drawing(page: Page, kind: "dot" | "mermaid"): Locator {
  return page.getByTestId(`drawing-${kind}`).locator("svg");
}

/** The part of a drawing that takes a transition: what a screen reader calls a button. */
export function edge(page: Page, kind: "dot" | "mermaid", name: RegExp): Locator {
  return drawing(page, kind).getByRole("button", { name });
}

export function action(page: Page, name: string): Locator {
  return page.locator(`.row[data-action="${name}"]`);
}

/** Opens a definition by the page's own file input. Any spec can bring any definition to the page with it. */
export async function openDefinition(page: Page, name: string, definition: unknown): Promise<void> {
  const text = typeof definition === "string" ? definition : JSON.stringify(definition, null, 2);
  await page.getByTestId("file-input").setInputFiles({
    name: `${name}.json`,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await expect(page.getByRole("button", { name: `Document: ${name}` })).toBeVisible();
}

/** Chooses a renderer and waits for its drawing. */
export async function show(page: Page, renderer: "DOT" | "Mermaid" | "Both" | "Text"): Promise<void> {
  await page.getByRole("group", { name: "Renderer" }).getByRole("button", { name: renderer, exact: true }).click();
  if (renderer !== "Text" && renderer !== "Mermaid") await expect(drawing(page, "dot")).toBeVisible();
  if (renderer === "Mermaid" || renderer === "Both") await expect(drawing(page, "mermaid")).toBeVisible({ timeout: 30_000 });
}

/** Replaces the text of the definition's editor. */
export async function write(page: Page, change: (text: string) => string): Promise<void> {
  const content = page.getByTestId("definition-editor").locator(".cm-content");
  await content.click();
  const text = await page.evaluate(() => {
    const [key] = Object.keys(localStorage).filter((one) => one.startsWith("veristate.document."));
    return (JSON.parse(localStorage.getItem(key!)!) as { text: string }).text;
  });
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(change(text));
}
