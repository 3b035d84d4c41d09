/** Tabs tell each other which documents they have open, so that none works on another's. */

type Message = { asks: string } | { has: string };

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("veristate.documents");

/** Asks the other tabs whether one of them has the document open. Those that do answer soon, or never. */
export function ask(id: string): void {
  channel?.postMessage({ asks: id } satisfies Message);
}

export function listen(has: (id: string) => boolean, onTaken: (id: string) => void): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if ("asks" in data && has(data.asks)) channel.postMessage({ has: data.asks } satisfies Message);
    if ("has" in data) onTaken(data.has);
  });
}
