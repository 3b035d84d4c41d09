/** What the package's rules of rows are called here. What they mean is the package's to know: its sentence stands beside each. */
import type { RowRule } from "../core";

export const RULES: Partial<Record<RowRule, string>> = {
  "missing-creation": "No creation",
  "second-creation": "Created twice",
  "wrong-creation": "Created elsewhere",
  "unknown-state": "Unknown state",
  "impossible-configuration": "Impossible states",
  "unknown-transition": "Unknown transition",
  "after-terminal": "After the end",
  "chain-gap": "Does not join",
  "time-runs-back": "Time runs back",
  "sequence-skips": "Sequence skips",
  "sequence-repeats": "Sequence repeats",
  "repeated-request": "Repeated request",
  "before-creation": "Before the creation",
  "after-now": "After now",
  "evidence-missing": "Evidence missing",
  "other-visits": "Other visits",
  "not-remembered": "Not remembered",
};
