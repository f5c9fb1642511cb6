// What is dragged or tapped: by a mouse, a pen, or a finger that may be scrolling past it.

import { SIDEWAYS } from "./sliders.js";

const SHAKEN = 3; // pixels of a mouse

// What is dragged, or tapped. `begins` says whether a pointer that comes down has hold of anything.
export function drag(element, { begins, moved, ended = () => {}, tapped = () => {} }) {
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
  // What comes after a drag is no click on a button.
  element.addEventListener("click", (event) => {
    if (going) event.stopImmediatePropagation();
    going = false;
  }, true);
}

// Where a pointer is as long as it is down: a finger, once it goes sideways, or where it tapped.
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
