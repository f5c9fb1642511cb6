// @ts-check
import { html, labelled } from "./elements.js";
import { inline } from "./spoken.js";

// A row of buttons of which one is chosen; the arrow keys work as for radio buttons.
export class Choices {
  constructor(parent, className, name, options, chosen) {
    this.element = html(parent, "div", `course-choices ${className}`, { role: "radiogroup" });
    labelled(this.element, inline(name));
    this.buttons = new Map();
    for (const [value, label] of options) {
      const button = html(this.element, "button", "", {
        type: "button",
        role: "radio",
        "data-value": value
      });
      button.innerHTML = inline(label);
      button.addEventListener("click", () => chosen(value));
      this.buttons.set(value, button);
    }
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const values = [...this.buttons.keys()];
      const next = values.at((values.indexOf(this.value) + step) % values.length);
      chosen(next);
      this.buttons.get(next).focus();
    });
  }

  show(value) {
    this.value = value;
    for (const [each, button] of this.buttons) {
      button.setAttribute("aria-checked", each === value);
      button.tabIndex = each === value ? 0 : -1;
    }
  }
}
