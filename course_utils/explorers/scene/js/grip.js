import { isShown } from "./control.js";
import { setAttributes } from "../../shared/elements.js";
import { SIDEWAYS } from "../../shared/sliders.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const ENDS = { Home: [-Infinity, 0], End: [Infinity, 0] };
const PAGES = { PageDown: -1, PageUp: 1 };

// Lets readers drag the figure; if the slider for the dragged item is collapsed, the arrow keys
// also work on the figure.
export class Grip {
  constructor(explorer) {
    const { stageElement: element, made: { moving }, start } = explorer;
    Object.assign(this, { explorer, element, languages: explorer.settings.languages });
    // The slider that the arrow keys move.
    this.trait = moving.place ? "place" : "turn" in start.own ? "turn" : "position";
    this.dragged = null; // the name of the dragged item
    this.letGo();
    this.listen();
  }

  listen() {
    const heard = {
      pointerdown: (event) => this.touch(event),
      pointermove: (event) => this.pull(event),
      pointerup: (event) => this.lift(event),
      pointercancel: () => this.end(),
      // Touch events go to the element that was touched, such as a word, until the figure captures
      // them.
      lostpointercapture: ({ target }) => target === this.element && this.end(),
      keydown: (event) => this.press(event)
    };
    for (const kind in heard) this.element.addEventListener(kind, heard[kind]);
  }

  // `drag` converts an event to a value, `waiting` is a finger that may still scroll, and `held` is
  // the current position or offset, which may be fractional.
  letGo() {
    this.drag = this.held = this.waiting = null;
  }

  end() {
    this.letGo();
    this.explorer.move();
  }

  // A tap ends immediately. If another element captures the pointer, no lostpointercapture event
  // follows.
  lift(event) {
    if (!this.waiting) return;
    if (Math.abs(event.clientY - this.waiting.down) < SIDEWAYS) this.takeHold(event);
    this.end();
  }

  // A scrolling finger moves nothing: dragging starts after some pixels sideways, or with a tap.
  touch(event) {
    if (event.button !== 0) return;
    const { explorer } = this, { guess, stage } = explorer;
    const drag = explorer.isCovered
      ? (later) => (explorer.pin(guess.set(stage.guessAt(later))), {})
      : stage.grab(event, explorer.places.whole);
    if (!drag) return;
    this.waiting = { drag, from: event.clientX, down: event.clientY };
    if (event.pointerType === "touch") return;
    event.preventDefault();
    this.takeHold(event);
  }

  pull(event) {
    if (this.waiting && Math.abs(event.clientX - this.waiting.from) >= SIDEWAYS) {
      this.takeHold(event);
    } else if (this.drag) this.follow(event);
  }

  takeHold(event) {
    ({ drag: this.drag } = this.waiting);
    this.waiting = null;
    this.element.setPointerCapture(event.pointerId);
    if (!this.explorer.isCovered) this.explorer.hint.hidden = true;
    this.follow(event);
    this.goOnByKeys();
  }

  follow(event) {
    const { explorer } = this, { places } = explorer;
    this.held = null;
    for (const [trait, value] of Object.entries(this.drag(event))) {
      this.dragged = trait === "own" ? Object.keys(value)[0] : trait;
      if (trait === "own") places.setOwn(value);
      else {
        if (!explorer.stage.sentence) this.held = { [trait]: places.clamp(trait, value) };
        places.go(trait, value);
      }
    }
    explorer.move();
  }

  // After a drag, the arrow keys continue: at the slider of the dragged item or, if it is
  // collapsed, at the figure, which then acts as a slider.
  goOnByKeys() {
    const { explorer, dragged } = this;
    if (explorer.isCovered) return explorer.guess.slider.focus({ preventScroll: true });
    const trait = dragged in explorer.start.own ? null : dragged;
    const { input } = explorer.controls.get(trait ?? this.trait) ?? {};
    const isSeen = input?.checkVisibility();
    if (!isSeen) this.trait = trait ?? this.trait;
    this.show();
    (isSeen ? input : this.element).focus({ preventScroll: true });
  }

  press(event) {
    const { explorer: { isCovered, places, stage }, trait } = this;
    const page = trait === "turn" ? 3 : Math.max(1, Math.round(places.last(trait) / 10));
    const [across, up] = STEPS[event.key] ?? ENDS[event.key] ??
      [page * (PAGES[event.key] ?? 0), 0];
    if (isCovered || !(across || up)) return;
    event.preventDefault();
    if (trait === "turn") places.setOwn(stage.space.turned(5 * across, -5 * up));
    else {places.go(
        trait,
        Math.max(0, Math.min(places.last(trait), places.at(trait) + across + up))
      );}
  }

  // Acts as a slider if no other slider is visible.
  show() {
    const { element, trait, explorer } = this, { places, model } = explorer;
    const control = explorer.controls.get(trait);
    const isSlider = trait === "turn" || (control && control.line.parentElement !== explorer.first);
    if (!isSlider || !explorer.scene) return void element.setAttribute("aria-hidden", "true");
    element.removeAttribute("aria-hidden");
    const at = control ? places.at(trait) : Math.round(model.get("own").turn[0]);
    setAttributes(element, {
      role: "slider",
      tabindex: explorer.isCovered ? -1 : 0,
      "aria-valuenow": at,
      ...(control
        ? {
          "aria-label": control.spokenName,
          "aria-valuemin": 0,
          "aria-valuemax": places.last(trait),
          "aria-valuetext": control.spokenAt(at)
        }
        : {
          "aria-label": this.spokenHint(),
          "aria-valuemin": -90,
          "aria-valuemax": 90,
          "aria-valuetext": `${at}°`
        })
    });
  }

  spokenHint() {
    const { languages, explorer: { hint, words } } = this;
    const shown = languages.length > 1
      ? languages.filter((language) => isShown(hint, language))
      : languages;
    return shown.map((language) => (this.explorer.made.hint ?? words.hint)[language]).join(" · ");
  }
}
