import { html, setAttributes } from "../../shared/elements.js";
import { wholesOf } from "./geometry.js";
import { steady } from "../../shared/sliders.js";
import { blocks, inline, tied } from "../../shared/spoken.js";

// The question before the figure is filled: a slider moves a line in the figure, and a button draws
// the correct answer over the guess.
export class Guess {
  constructor(parent, words, { moved, submitted }) {
    this.words = words;
    this.element = html(parent, "div", "course-guess");
    this.question = document.createElement("span");
    this.slider = setAttributes(document.createElement("input"), { type: "range" });
    this.number = document.createElement("output");
    this.button = setAttributes(document.createElement("button"), { type: "button" });
    this.button.innerHTML = inline(words.show);
    steady(this.slider, () => moved(this.set(this.slider.value)));
    this.button.addEventListener("click", () => {
      submitted(this.value);
      // The button disappears, so the focus moves on.
      this.element.focus({ preventScroll: true });
    });
    this.element.tabIndex = -1;
  }

  get value() {
    return Number(this.slider.value);
  }

  set(value) {
    this.slider.value = value;
    this.number.textContent = this.slider.value;
    return this.value;
  }

  ask({ question, start }, axis) {
    const isNew = !this.slider.isConnected;
    const [min, max] = wholesOf(axis);
    setAttributes(this.slider, { min, max, step: 1 });
    this.question.innerHTML = inline(question);
    if (isNew) {
      const label = document.createElement("label");
      label.append(this.question, this.slider);
      this.element.replaceChildren(label, this.number, this.button);
    }
    return this.set(isNew ? start : this.value);
  }

  tell({ truth }, value) {
    const sentences = Object.entries(truth).map(([language, words]) => [
      language,
      `${this.words["you-said"][language].replace("{guess}", value)} ${words}`
    ]);
    this.element.innerHTML = tied(blocks(Object.fromEntries(sentences)));
    this.element.setAttribute("role", "status");
  }
}
