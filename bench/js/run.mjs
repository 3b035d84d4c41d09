// `cargo xtask bench`, its half in Node: the npm package against XState, on the same machine of nine states and on a
// nested one of 40; guards against other packages for CEL; what hostile expressions cost; sizes.
//
// Both run in this process, in turns; a ratio is that of one run. First it is
// checked that both answer every action in every state alike. The machine has
// no guards and no effects, and no permissions are asked for: XState knows
// none. What the sides do beyond the common part is said at each comparison;
// rows without a goal are there for a fair picture.

import { asking } from "./asking.mjs";
import { buttons } from "./buttons.mjs";
import { deciding } from "./deciding.mjs";
import { guards } from "./guards.mjs";
import { printHostile } from "./hostile.mjs";
import { PACKAGE, assertAgreement } from "./machines.mjs";
import { nested } from "./nested.mjs";
import { printSizes } from "./sizes.mjs";
import { stepping } from "./stepping.mjs";
import { printComparisons } from "./table.mjs";

assertAgreement();
printComparisons("Nine states in Node, against XState; times for one question or step", "XState", [
  ...asking(),
  ...stepping(),
  ...deciding(),
  ...buttons(),
]);
printComparisons("40 nested states in Node, against XState; times for one question or step; no goal", "XState", nested());
printComparisons("Guards in Node, against packages for CEL; times for one answer", "theirs", guards());
printHostile();
printSizes(PACKAGE);
