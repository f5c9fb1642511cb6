// @ts-check
// Dragging in the figure. A scrolling finger moves nothing: a finger drags after some pixels
// sideways, or taps.

import { SIDEWAYS } from "../../shared/sliders.js";

// `grab` returns, for the item under the pointer, a function from later events to values; or null.
// `moved` gets these values, `held` is called when the drag has begun, and `ended` at its end.
export class Drag {
  constructor(element, { grab, moved, held, ended }) {
    this.element = element;
    this.grab = grab;
    this.moved = moved;
    this.held = held;
    this.ended = ended;
    this.valuesAt = null; // the function from `grab`, while the pointer drags
    this.waiting = null; // the same, with the pointer's first position, while it may still scroll
    const listeners = {
      pointerdown: (event) => this.touch(event),
      pointermove: (event) => this.pull(event),
      pointerup: (event) => this.lift(event),
      pointercancel: () => this.end(),
      // Touch events go to the element that was touched, such as a word, until the figure captures
      // them.
      lostpointercapture: ({ target }) => target === element && this.end()
    };
    for (const kind in listeners) element.addEventListener(kind, listeners[kind]);
  }

  touch(event) {
    if (event.button !== 0) return;
    const valuesAt = this.grab(event);
    if (!valuesAt) return;
    this.waiting = { valuesAt, x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch") return;
    event.preventDefault();
    this.begin(event);
  }

  pull(event) {
    if (this.waiting && Math.abs(event.clientX - this.waiting.x) >= SIDEWAYS) this.begin(event);
    else if (this.valuesAt) this.moved(this.valuesAt(event));
  }

  begin(event) {
    this.valuesAt = this.waiting.valuesAt;
    this.waiting = null;
    this.element.setPointerCapture(event.pointerId);
    const values = this.valuesAt(event);
    this.moved(values);
    this.held(values);
  }

  // A tap ends immediately. If another element captures the pointer, no lostpointercapture event
  // follows.
  lift(event) {
    if (!this.waiting) return;
    if (Math.abs(event.clientY - this.waiting.y) < SIDEWAYS) this.begin(event);
    this.end();
  }

  end() {
    this.valuesAt = this.waiting = null;
    this.ended();
  }
}
