// Where XState and W3C SCXML choose or leave otherwise. Veristate does what SCXML says, so a comparison stops
// there. What is not listed here must agree.

/**
 * Why the two may differ on this event from now on, or nothing. `machine` and `snapshot` are XState's.
 *
 * `choice`: XState asks a parallel state only if none of its regions takes the event (`transitionParallelNode`);
 * SCXML asks outward from every active leaf (Appendix D, `selectTransitions`), so that a parallel state takes it
 * beside a region whose transition leaves nothing in common.
 *
 * `domain`: The domain of a transition between regions is the parallel state in XState
 * (`findLeastCommonAncestor`), and the compound state around it in SCXML (`findLCCA`). Of a parallel state that is
 * itself a region SCXML leaves the regions beside it, too.
 *
 * `memory`: For the same reason SCXML leaves the parallel state itself, and its histories remember what was active.
 *
 * `inside`: A transition from inside of a state to a history of the same state. XState looks up its domain again
 * after leaving, when the history remembers what has just been left; it may then enter a state without the one
 * around it (in 5.33 two states of one compound state become active).
 */
export function difference(machine, snapshot, event) {
  const chosen = new Set(withoutConflicts(machine.getTransitionData(snapshot, event), snapshot, commonAncestor));
  const scxml = new Set(withoutConflicts(choose(snapshot, event), snapshot, commonCompound));
  if (chosen.size !== scxml.size || [...chosen].some((transition) => !scxml.has(transition))) return "choice";
  for (const transition of chosen) {
    const around = [transition.source, ...ancestors(transition.source)];
    if (transition.target?.some(({ type, parent }) => type === "history" && around.includes(parent))) return "inside";
    const here = exitSet(transition, snapshot, commonAncestor);
    const there = exitSet(transition, snapshot, commonCompound);
    const more = there.filter((node) => !here.includes(node));
    if (more.some(isLeaf)) return "domain";
    if (more.some((node) => histories(node).length > 0)) return "memory";
  }
  return undefined;
}

const byOrder = (a, b) => a.order - b.order;
const isLeaf = (node) => node.type === "atomic" || node.type === "final";
const children = (node) => Object.values(node.states);
const histories = (node) => children(node).filter((child) => child.type === "history");

/** The states around a state, from the inside out. */
function ancestors(node) {
  return node.parent === undefined ? [] : [node.parent, ...ancestors(node.parent)];
}

/** SCXML's choice: for each active leaf in document order, from there outward, the first that is enabled. */
function choose(snapshot, event) {
  const leaves = snapshot._nodes.filter(isLeaf).sort(byOrder);
  const chosen = leaves.map((leaf) => {
    for (const node of [leaf, ...ancestors(leaf)]) {
      const found = node.next(snapshot, event);
      if (found) return found[0];
    }
    return undefined;
  });
  return [...new Set(chosen.filter((transition) => transition !== undefined))];
}

/** Of two that leave something in common the inner one stays, else the earlier. */
function withoutConflicts(transitions, snapshot, common) {
  const stay = new Set();
  next: for (const transition of transitions) {
    const left = exitSet(transition, snapshot, common);
    const outer = [];
    for (const other of stay) {
      if (!exitSet(other, snapshot, common).some((node) => left.includes(node))) continue;
      if (!ancestors(transition.source).includes(other.source)) continue next;
      outer.push(other);
    }
    for (const other of outer) stay.delete(other);
    stay.add(transition);
  }
  return [...stay];
}

function exitSet(transition, snapshot, common) {
  if (!transition.target?.length) return [];
  const domain = domainOf(transition, snapshot, common);
  return snapshot._nodes.filter((node) => domain === undefined || ancestors(node).includes(domain));
}

function domainOf(transition, snapshot, common) {
  const { source } = transition;
  const targets = transition.target.flatMap((target) => effective(target, snapshot));
  if (!transition.reenter && targets.every((target) => target === source || ancestors(target).includes(source))) {
    return source;
  }
  return ancestors(source).find(
    (around) => common(around) && targets.every((target) => ancestors(target).includes(around)),
  );
}

const commonAncestor = () => true;
const commonCompound = (node) => node.type === "compound";

/** Where a target leads: a history to what it remembers, else to its default. */
function effective(target, snapshot) {
  if (target.type !== "history") return [target];
  const remembered = snapshot.historyValue[target.id];
  if (remembered) return remembered;
  const { parent } = target;
  if (target.config.target !== undefined) return [parent.states[target.config.target]];
  return parent.type === "parallel" ? [parent] : parent.initial.target;
}
