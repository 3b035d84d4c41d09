/** The last thing that the page has to say: read out by screen readers, and shown for a while. */

/** `quiet` is only read out: what is said can be seen already. */
export type Tone = "done" | "refused" | "note" | "quiet";

export const said = $state({ text: "", tone: "note" as Tone, count: 0 });

/** What came of the last step, until another step or another document. Notes in between do not hide it. */
export const result = $state({ text: "", refused: false });

export function announce(text: string, tone: Tone = "note"): void {
  if (tone !== "note") {
    result.text = tone === "quiet" ? "" : text;
    result.refused = tone === "refused";
  }
  said.text = text;
  said.tone = tone;
  said.count += 1;
}

/** A note that would be lost in what is said right now. */
export function announceLater(text: string): void {
  setTimeout(() => announce(text), 1000);
}

/** Takes back what was said of a step, once it no longer belongs to what is shown. */
export function hush(): void {
  result.text = "";
  if (said.tone === "done" || said.tone === "refused") said.text = "";
}
