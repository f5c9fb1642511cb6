// @ts-check
// The figure as a slider, for the keyboard and screen readers, if the slider of the dragged item is
// collapsed.

import { setAttributes } from "../../shared/elements.js";
import { isShown } from "./control.js";
import { boundTurn } from "./geometry.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const ENDS = { Home: [-Infinity, 0], End: [Infinity, 0] };
const PAGES = { PageDown: -1, PageUp: 1 };

export class FigureSlider {
  constructor(element, hint, languages, state, controls) {
    this.element = element;
    this.hint = hint; // the element, and its text in every language
    this.languages = languages;
    this.state = state;
    this.controls = controls;
    // The trait that the arrow keys move.
    this.trait = controls.get("place")
      ? "place"
      : "turn" in state.initial.own
      ? "turn"
      : "position";
    element.addEventListener("keydown", (event) => this.press(event));
  }

  // After a drag, the arrow keys move the slider of the dragged item or, if this slider is
  // collapsed, the figure.
  takeFocus(dragged) {
    const { state, controls, element } = this;
    const trait = dragged in state.initial.own ? null : dragged;
    const { input } = controls.get(trait ?? this.trait) ?? {};
    const isSeen = input?.checkVisibility();
    if (!isSeen) this.trait = trait ?? this.trait;
    this.show();
    (isSeen ? input : element).focus({ preventScroll: true });
  }

  press(event) {
    const { state, trait } = this;
    const page = trait === "turn" ? 3 : Math.max(1, Math.round(state.last(trait) / 10));
    const [across, up] = STEPS[event.key] ?? ENDS[event.key] ??
      [page * (PAGES[event.key] ?? 0), 0];
    if (state.isCovered || !(across || up)) return;
    event.preventDefault();
    if (trait === "turn") {
      const [yaw, pitch] = state.own.turn;
      state.setOwn({ turn: boundTurn(yaw + 5 * across, pitch - 5 * up) });
    } else state.go(trait, state.clamp(trait, state.at(trait) + across + up));
  }

  show() {
    const { element, trait, state, controls } = this, control = controls.get(trait);
    const isSlider = trait === "turn" || (control && !controls.isMain(trait));
    if (!isSlider || !state.scene) return void element.setAttribute("aria-hidden", "true");
    element.removeAttribute("aria-hidden");
    const at = control ? state.at(trait) : Math.round(state.own.turn[0]);
    const [label, low, high, text] = control
      ? [control.spokenName, 0, state.last(trait), control.spokenAt(at)]
      : [this.spokenHint(), -90, 90, `${at}°`];
    setAttributes(element, {
      role: "slider",
      tabindex: state.isCovered ? -1 : 0,
      "aria-label": label,
      "aria-valuemin": low,
      "aria-valuemax": high,
      "aria-valuenow": at,
      "aria-valuetext": text
    });
  }

  spokenHint() {
    const { languages, hint: { element, text } } = this;
    const shown = languages.length > 1
      ? languages.filter((language) => isShown(element, language))
      : languages;
    return shown.map((language) => text[language]).join(" · ");
  }
}
