/** What the package says about each edge now, in the form that drawings and lists show. */
import type { Availability, Edge, Reason } from "../core";
import { list } from "../format";
import type { Session } from "../session.svelte";
import type { EdgeLook } from "./mark";

export interface EdgeNow {
  edge: Edge;
  look: EdgeLook;
  choice: Availability | undefined;
  title: string;
  reasons: Reason[];
  /** In words, for screen readers. */
  name: string;
}

export function edgesNow(session: Session): EdgeNow[] {
  const active = session.snapshot?.states ?? [];
  const choices = new Map(session.available.map((choice) => [choice.action, choice]));
  const titles = new Map(
    (session.machine?.definition.transitions ?? []).map((one) => [one.name, one.display_name ?? one.action]),
  );
  return session.edges.map((edge) => {
    const choice = choices.get(edge.action);
    const look = active.includes(edge.from) ? lookOf(edge, choice) : "rest";
    const title = titles.get(edge.transition) ?? edge.action;
    const all = look === "not" || look === "unknown" ? (choice?.reasons ?? []) : [];
    const own = all.filter((reason) => reason.transition === undefined || reason.transition === edge.transition);
    const reasons = own.length > 0 ? own : all;
    const to = session.displayName(edge.to);
    return { edge, look, choice, title, reasons, name: nameOf(title, to, look, reasons) };
  });
}

function lookOf(edge: Edge, choice: Availability | undefined): EdgeLook {
  if (!choice) return "not";
  if (choice.status === "unknown") return "unknown";
  return choice.status === "enabled" && choice.transitions.includes(edge.transition) ? "may" : "not";
}

function nameOf(title: string, to: string, look: EdgeLook, reasons: Reason[]): string {
  const goal = `${title}, to ${to}`;
  if (look === "may") return goal;
  const why = list(reasons.map((reason) => reason.message));
  return look === "unknown" ? `${goal}. Cannot tell: ${why}` : `${goal}. Not now: ${why}`;
}
