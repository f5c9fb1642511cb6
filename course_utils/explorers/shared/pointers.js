// @ts-check
// Dragging and tapping by mouse, pen, or a finger that may be scrolling.

import { SIDEWAYS } from "./sliders.js";

const SHAKEN = 3; // a mouse movement in pixels that still counts as a click

// Handles drags and taps. `begins` returns true if a pointer that goes down takes hold of
// something.
export function drag(element, { begins, moved, ended = (_event) => {}, tapped = (_event) => {} }) {
  let from = null, going = false;
  element.addEventListener("pointerdown", (event) => {
    going = false;
    from = event.button === 0 && begins(event) ? event : null;
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== from?.pointerId) return;
    const [aside, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
    if (
      !going &&
      (from.pointerType === "touch" ? Math.abs(aside) < SIDEWAYS : Math.hypot(aside, down) < SHAKEN)
    ) return;
    if (!going) element.setPointerCapture(event.pointerId);
    going = true;
    moved(event);
  });
  element.addEventListener("pointerup", (event) => {
    if (event.pointerId !== from?.pointerId) return;
    if (going) ended(event);
    else if (Math.abs(event.clientY - from.clientY) < SIDEWAYS) tapped(event);
    from = null;
  });
  element.addEventListener("pointercancel", () => (from = null));
  // The click event after a drag must not press a button.
  element.addEventListener("click", (event) => {
    if (going) event.stopImmediatePropagation();
    going = false;
  }, true);
}

// The position of a pointer while it is down; for a finger, from a sideways movement on, or at a
// tap.
export function point(element, pointed) {
  const look = (event) => {
    element.focus({ preventScroll: true });
    pointed(event);
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    if (event.pointerType !== "touch") look(event);
  });
  drag(element, { begins: () => true, moved: look, tapped: look });
}
