// @ts-check
// Sliders and lists with names; the styles of the sliders are in framed.css.

import { html, newId } from "./elements.js";
import { steady } from "./sliders.js";
import { inline, say } from "./spoken.js";

// A slider over whole numbers, and the meaning of its value.
export class Slider {
  constructor(parent, label, { min = 0, max }, moved) {
    const line = html(parent, "label", "course-framed-slider");
    html(line, "span", "course-framed-name").innerHTML = inline(label);
    this.range = html(line, "input", "", { type: "range", min, max, step: 1, value: min });
    steady(this.range, () => moved(this.range.valueAsNumber));
    // Not an <output>, which screen readers would announce at every step.
    this.number = html(line, "span", "course-framed-number", { "aria-hidden": "true" });
  }

  // `written` converts the meaning to plain text.
  show(value, meaning, written) {
    this.range.value = value;
    this.range.setAttribute("aria-valuetext", written(meaning));
    say(this.number, inline(meaning));
  }
}

// A list whose options have names; `label` is the element that names it.
export class List {
  constructor(parent, label, names, chosen) {
    this.names = names;
    this.select = html(parent, "select");
    this.select.id = label.htmlFor = newId();
    for (const value in names) html(this.select, "option", "", { value });
    this.select.addEventListener("change", () => chosen(this.select.value));
  }

  // Gives the options the visible languages.
  speak(written) {
    for (const option of this.select.options) {
      option.textContent = written(this.names[option.value]);
    }
  }

  show(value) {
    this.select.value = value;
  }
}
