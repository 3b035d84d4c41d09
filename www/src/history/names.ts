/** What people read for a state, and which states are inside which, from the package's outline. */
import type { StateOutline } from "../core";

export class Names {
  #places: Map<string, StateOutline>;

  constructor(readonly outline: readonly StateOutline[] = []) {
    this.#places = new Map(outline.map((one) => [one.path, one]));
  }

  /** `Paid › Refund`: the title, with that of the state around it. A name that the definition does not have stays as it is. */
  title(path: string): string {
    const place = this.#places.get(path);
    if (!place) return path;
    const around = place.parent === null ? undefined : this.#places.get(place.parent);
    return around ? `${around.title} › ${place.title}` : place.title;
  }

  titles(paths: readonly string[]): string {
    return paths.map((path) => this.title(path)).join(", ") || "nothing";
  }

  /**
   * Whether a state is one of those of which each object is in exactly one: innermost ones, and as a whole those whose
   * insides are active side by side.
   */
  isPart(path: string): boolean {
    const place = this.#places.get(path);
    if (!place) return true;
    if (place.shape === "compound") return false;
    for (let at = place.parent; at !== null; at = this.#places.get(at)?.parent ?? null) if (this.#places.get(at)?.shape === "parallel") return false;
    return true;
  }

  has(path: string): boolean {
    return this.#places.has(path);
  }

  isTerminal(path: string): boolean {
    return this.#places.get(path)?.is_terminal ?? false;
  }

  /** Whether an innermost state is a state, or inside it. */
  isIn(leaf: string, state: string): boolean {
    for (let at: string | null = leaf; at !== null; at = this.#places.get(at)?.parent ?? null) if (at === state) return true;
    return false;
  }
}
