/**
 * Finds one button that would unblock an action in the simulation. Each
 * candidate is put to the package first; only what it says would help is shown.
 */
import type { Availability, Reason } from "./core";
import type { Actor } from "./document";
import type { Session } from "./session.svelte";

export type Repair =
  | { kind: "actor"; actor: Actor; label: string }
  | { kind: "grant"; permissions: string[]; label: string }
  | { kind: "guard"; guard: string; label: string };

export function repairFor(session: Session, choice: Availability): Repair | undefined {
  for (const reason of choice.reasons) {
    const repair = repairOf(session, choice, reason);
    if (repair) return repair;
  }
  return undefined;
}

function repairOf(session: Session, choice: Availability, reason: Reason): Repair | undefined {
  if (reason.guard !== undefined && session.hostGuards.includes(reason.guard)) {
    const { guard } = reason;
    const after = session.wouldBe(choice.action, session.ctx, { ...session.guards, [guard]: "true" });
    return after && !has(after, reason) ? { kind: "guard", guard, label: `Switch ${guard} to true` } : undefined;
  }
  if (reason.permissions === undefined || reason.permissions.length === 0) return undefined;
  const helps = (actor: Pick<Actor, "id" | "type" | "permissions">): boolean => {
    const ctx = { ...session.ctx, actor_id: actor.id, actor_type: actor.type, permissions: actor.permissions };
    const after = session.wouldBe(choice.action, ctx, session.guards);
    return after !== undefined && !after.reasons.some((one) => one.code === reason.code);
  };
  const actor = session.document.actors.find((one) => one.id !== session.ctx.actor_id && helps(one));
  if (actor) return { kind: "actor", actor, label: `Act as ${actor.title}` };
  const own = session.ctx.permissions ?? [];
  const permissions = [...new Set([...own, ...reason.permissions])];
  const same = { id: session.ctx.actor_id ?? "", type: session.ctx.actor_type ?? "", permissions };
  return helps(same) ? { kind: "grant", permissions, label: "Grant this permission" } : undefined;
}

function has(choice: Availability, reason: Reason): boolean {
  return choice.reasons.some((one) => one.code === reason.code && one.guard === reason.guard);
}

export function applyRepair(session: Session, repair: Repair): void {
  switch (repair.kind) {
    case "actor":
      session.actAs(repair.actor);
      break;
    case "guard":
      session.setGuard(repair.guard, "true");
      break;
    case "grant":
      session.play({ do: "actor", actor: session.ctx.actor_id ?? "", permissions: repair.permissions });
      break;
  }
}
