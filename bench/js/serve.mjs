// A side that `cargo xtask bench histories` runs in a process of its own, beside others, in turns.

import { createInterface } from "node:readline";

/** Answers each line of the input: `go` runs once and says how long it took, `answer` tells what came out. */
export function serve(run, tell) {
  let result;
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line !== "go") {
      console.log(JSON.stringify(tell(result)));
      return;
    }
    const [start, used] = [process.hrtime.bigint(), process.cpuUsage()];
    result = run();
    const wall = Number(process.hrtime.bigint() - start) / 1e9;
    const { user, system } = process.cpuUsage(used);
    console.log(JSON.stringify({ wall, used: (user + system) / 1e6 }));
  });
  console.log("ready");
}
