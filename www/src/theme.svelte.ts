/** Light, dark, or as the system has it. */
import { keepSetting, setting } from "./storage";

type Choice = "system" | "light" | "dark";
const ORDER: Choice[] = ["system", "light", "dark"];

class Theme {
  choice = $state<Choice>("system");

  constructor() {
    const kept = ORDER.find((one) => one === setting("theme"));
    if (kept) this.#set(kept);
  }

  next(): void {
    this.#set(ORDER[(ORDER.indexOf(this.choice) + 1) % ORDER.length]!);
    keepSetting("theme", this.choice);
  }

  #set(choice: Choice): void {
    this.choice = choice;
    if (choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
  }
}

export const theme = new Theme();
