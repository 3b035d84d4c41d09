// Tables in plain text.

/** Prints rows of cells: the first column to the left, the others to the right. */
export function print(title, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
    console.log(`  ${cells.join("  ")}`.trimEnd());
  }
}

/** Prints comparisons `{ name, goal?, ours, theirs, ratio }` with a rival; a goal is a ratio to reach. */
export function printComparisons(title, rival, comparisons) {
  const rows = comparisons.map(({ name, goal, ours, theirs, ratio }) => [
    name,
    time(ours),
    time(theirs),
    number(ratio.median),
    `${number(ratio.low)} – ${number(ratio.high)}`,
    goal ? String(goal) : "",
    goal ? verdict(ratio.median >= goal) : "",
  ]);
  print(title, [["", "Veristate", rival, "times as fast", "middle half", "goal", ""], ...rows]);
}

export function verdict(met) {
  return met ? "met" : "MISSED";
}

function time(nanoseconds) {
  return nanoseconds < 1000 ? `${nanoseconds.toFixed(1)} ns` : `${(nanoseconds / 1000).toFixed(2)} µs`;
}

function number(ratio) {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}
