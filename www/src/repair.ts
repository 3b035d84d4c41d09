/**
 * Finds one button that would unblock an action in the simulation. Each
 * candidate is put to the package first; only what it says would help is shown.
 */
import type { Availability, Context, Reason } from "./core";
import type { Actor } from "./document";
import { blocking, isFurther } from "./guards";
import { guardValue } from "./replay";
import type { Session } from "./session.svelte";

export type Repair =
  | { kind: "actor"; actor: Actor; label: string }
  | { kind: "grant"; permissions: string[]; label: string }
  | { kind: "guard"; guard: string; label: string };

export function repairFor(session: Session, choice: Availability): Repair | undefined {
  for (const reason of blocking(choice)) {
    const repair = repairOf(session, choice, reason);
    if (repair) return repair;
  }
  return undefined;
}

/** A button must bring the action further than it is: past what stops it now. */
function repairOf(session: Session, choice: Availability, reason: Reason): Repair | undefined {
  const helps = (ctx: Context, guards = session.guards): boolean => {
    const after = session.wouldBe(choice.action, ctx, guards);
    return after !== undefined && isFurther(choice, after);
  };
  if (reason.guard !== undefined) {
    // Host guards may also stand inside of an expression: the package is asked which of them would help.
    const guard = session.hostGuards.find(
      (one) => guardValue(session.guards, one) !== "true" && helps(session.ctx, { ...session.guards, [one]: "true" }),
    );
    return guard === undefined ? undefined : { kind: "guard", guard, label: `Switch ${guard} to true` };
  }
  if (reason.permissions === undefined || reason.permissions.length === 0) return undefined;
  const asActor = (actor: Pick<Actor, "id" | "type" | "permissions">): Context => ({
    ...session.ctx,
    actor_id: actor.id,
    actor_type: actor.type,
    permissions: actor.permissions,
  });
  const actor = session.document.actors.find((one) => one.id !== session.ctx.actor_id && helps(asActor(one)));
  if (actor) return { kind: "actor", actor, label: `Act as ${actor.title}` };
  const own = session.ctx.permissions ?? [];
  const permissions = [...new Set([...own, ...reason.permissions])];
  const granted = { ...session.ctx, permissions };
  return helps(granted) ? { kind: "grant", permissions, label: permissions.length - own.length === 1 ? "Grant this permission" : "Grant these permissions" } : undefined;
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
