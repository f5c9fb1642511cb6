import { html, newId, setAttributes } from "../../shared/elements.js";
import { steady } from "../../shared/sliders.js";
import { eachLanguage, inline } from "../../shared/spoken.js";

// True if the element shows its texts in this language.
export const isShown = (element, language) => {
  const half = element.querySelector(`.course-${language}`);
  return !half || getComputedStyle(half).display !== "none";
};

// A slider, a list or a checkbox. Its value is the number of a stop; the stops have names.
export class Control {
  constructor(parent, { name, label, kind, names, counted }, languages, moved) {
    const isNamed = kind !== "box" && typeof names?.[0] === "string";
    Object.assign(this, { name, kind, names, counted, isNamed, languages, spoken: languages });
    this.line = html(parent, "div", `course-control course-${kind} course-${name}`);
    this.label = html(this.line, "label", "");
    this.label.innerHTML = label;
    this.label.id = newId();
    // Hidden from screen readers: the slider already announces its value.
    this.output = setAttributes(html(this.line, "output", ""), {
      "aria-hidden": true,
      "aria-live": "off"
    });
    this.input = html(this.line, kind === "list" ? "select" : "input", "");
    const type = { slider: "range", box: "checkbox", text: "text" }[kind];
    this.input.id = this.label.htmlFor = this.output.htmlFor = newId();
    if (kind === "list") { for (const _ of names) html(this.input, "option", ""); }
    else this.input.type = type;
    const now =
      { slider: "valueAsNumber", list: "selectedIndex", box: "checked", text: "value" }[kind];
    const event = kind === "text" ? "input" : "change";
    // If the stops are evenly spaced numbers, the slider uses these numbers instead of indices.
    const [first, second] = (names ?? []).map(Number);
    const isEven = kind === "slider" && isNamed && second > first &&
      names.every((name, i) => Number(name) === first + i * (second - first));
    [this.first, this.every] = isEven ? [first, second - first] : [0, 1];
    if (isEven) setAttributes(this.input, { min: first, step: this.every });
    const changed = () => {
      if (kind === "text") return moved(this.input.value);
      moved((Number(this.input[now]) - this.first) / this.every);
    };
    if (kind === "slider") steady(this.input, changed);
    else this.input.addEventListener(event, changed);
  }

  show(at, last) {
    this.at = at;
    if (this.kind === "box") this.input.checked = Boolean(at);
    else if (this.kind === "list") this.input.selectedIndex = at;
    else if (this.kind === "text") {
      if (this.input.value !== at) this.input.value = at;
    } else {
      const [now, most] = [at, last].map((place) => this.first + place * this.every);
      if (Number(this.input.max) !== most) this.input.max = most;
      if (this.input.valueAsNumber !== now) this.input.value = now;
      const name = this.nameAt(at);
      if (this.shown === name) return;
      this.shown = name;
      this.output.innerHTML = inline(name);
      this.input.setAttribute("aria-valuetext", this.spokenAt(at));
    }
  }

  nameAt(at) {
    return this.names?.[at] ?? String(at);
  }

  // The value for other scripts: the number on a numeric slider, else the index of the stop.
  valueAt(at) {
    return this.isNamed ? this.names[at] : at;
  }

  stopOf(value) {
    return this.isNamed ? this.names.indexOf(String(value)) : Number(value);
  }

  // Plain text for attributes: the visible languages on one line.
  written(name) {
    if (typeof name === "string") return name;
    const visible = Object.entries(name).filter(([language]) => this.spoken.includes(language));
    return [...new Set(visible.map(([, words]) => words))].join(" · ");
  }

  // The value for a screen reader. A number is announced with its unit.
  spokenAt(at) {
    const name = this.nameAt(at);
    if (!this.counted || isNaN(name)) return this.written(name);
    return this.written(eachLanguage(this.counted, (forms) => {
      const [one, many = one] = forms.split(" | ");
      return (name === "1" ? one : many).replace("{value}", name);
    }));
  }

  // The control's name for attributes, or where its label is collapsed.
  get spokenName() {
    const halves = this.spoken.map((language) => this.label.querySelector(`.course-${language}`));
    const shown = halves.every(Boolean) ? halves : [this.label];
    return shown.map(({ textContent }) => textContent).join(" · ");
  }

  // Checking the visible languages forces a style calculation, so it is not done at every step.
  speak() {
    if (this.languages.length > 1) {
      this.spoken = this.languages.filter((language) => isShown(this.label, language));
    }
    [...this.input.children].forEach((
      option,
      i
    ) => (option.textContent = this.written(this.names[i])));
    if (this.kind === "slider") {
      this.input.setAttribute("aria-valuetext", this.spokenAt(this.at));
    }
  }
}
