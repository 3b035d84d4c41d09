/** What the package says about each edge now, in the form that drawings and lists show. */
import type { Availability, Edge, GuardAnswer, Reason } from "../core";
import { list } from "../format";
import type { Session } from "../session.svelte";
import type { EdgeLook } from "./mark";

export interface EdgeNow {
  edge: Edge;
  look: EdgeLook;
  choice: Availability | undefined;
  title: string;
  reasons: Reason[];
  /** Of one that follows by itself: when it does. */
  when: string;
  /** In words, for screen readers. */
  name: string;
}

export function edgesNow(session: Session, edges: readonly Edge[] = session.edges): EdgeNow[] {
  const active = new Set(session.active);
  const choices = new Map(session.available.map((choice) => [choice.action, choice]));
  const sources = sourcesIn(session);
  return edges.map((edge) => {
    const choice = edge.action === "" ? undefined : choices.get(edge.action);
    const from = sources(edge);
    const look = from.some((one) => active.has(one)) ? lookOf(edge, from, choice) : "rest";
    const title = titleOf(session, edge);
    const all = look === "not" || look === "unknown" ? (choice?.reasons ?? []) : [];
    const own = all.filter((reason) => reason.transition === undefined || reason.transition === edge.transition);
    const reasons = own.length > 0 ? own : all;
    const to = session.displayName(edge.to);
    const when = edge.action === "" ? whenOf(session, edge) : "";
    return { edge, look, choice, title, reasons, when, name: nameOf(title, to, look, reasons) };
  });
}

/** What an arrow is called: as its button, or its own name where there is none. */
export function titleOf(session: Session, edge: Edge): string {
  return session.transitionOf(edge)?.display_name ?? (edge.action || edge.transition);
}

/** When a transition that nobody asks for is taken. */
function whenOf(session: Session, edge: Edge): string {
  const transition = session.transitionOf(edge);
  const condition = transition?.guard === undefined ? "" : `, if \`${transition.guard}\``;
  return transition?.trigger === "completion" ? `as soon as ${session.displayName(edge.from)} is complete${condition}` : `at once${condition}`;
}

/** The guard of an arrow that follows by itself, with what it says now. */
export function guardOf(session: Session, edge: Edge): GuardAnswer | undefined {
  return session.answers.find((one) => one.action === "" && one.transition === edge.transition && one.condition === undefined);
}

/** The states of the machine that an arrow leads out of: where it starts at a state that is drawn as one box, what is inside of it. */
function sourcesIn(session: Session): (edge: Edge) => string[] {
  const all = new Map<string, string[]>();
  for (const { pointer, from } of session.edges) {
    const known = all.get(pointer);
    if (known) known.push(from);
    else all.set(pointer, [from]);
  }
  return (edge) => (all.get(edge.pointer) ?? [edge.from]).filter((from) => session.isIn(from, edge.from));
}

function lookOf(edge: Edge, from: readonly string[], choice: Availability | undefined): EdgeLook {
  if (edge.action === "") return "follows";
  if (!choice) return "not";
  if (choice.status === "unknown") return "unknown";
  const isTaken = choice.transitions.includes(edge.transition) && choice.from.some((one) => from.includes(one));
  return choice.status === "enabled" && isTaken ? "may" : "not";
}

function nameOf(title: string, to: string, look: EdgeLook, reasons: Reason[]): string {
  const goal = `${title}, to ${to}`;
  if (look === "may" || look === "follows") return goal;
  const why = reasons.length > 0 ? list(reasons.map((reason) => reason.message)) : "another transition of this action goes first";
  return look === "unknown" ? `${goal}. Cannot tell: ${why}` : `${goal}. Not now: ${why}`;
}
