/** The last thing that the page has to say: read out by screen readers, and shown for a while. */

/** `quiet` is only read out: what is said can be seen already. */
export type Tone = "done" | "refused" | "note" | "quiet";

export const said = $state({ text: "", tone: "note" as Tone, count: 0 });

export function announce(text: string, tone: Tone = "note"): void {
  said.text = text;
  said.tone = tone;
  said.count += 1;
}
