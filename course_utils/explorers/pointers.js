// What is dragged, tapped or slid: by a mouse, a pen, or a finger that may be scrolling past it.

const SIDEWAYS = 8; // pixels from which on a finger drags; before, it may be scrolling past
const APART = 3; // pixels of a mouse

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
      (from.pointerType === "touch" ? Math.abs(aside) < SIDEWAYS : Math.hypot(aside, down) < APART)
    ) return;
    if (!going) element.setPointerCapture(event.pointerId);
    going = true;
    moved(event);
  });
  element.addEventListener("pointerup", (event) => {
    if (event.pointerId !== from?.pointerId) return;
    if (going) ended(event);
    else tapped(event);
    from = null;
  });
  element.addEventListener("pointercancel", () => (from = null));
  // What comes after a drag is no click on a button.
  element.addEventListener("click", (event) => {
    if (going) event.stopImmediatePropagation();
    going = false;
  }, true);
}

// Where a pointer is as long as it is down, from the moment it comes down.
export function point(element, pointed) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.focus({ preventScroll: true });
    pointed(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) pointed(event);
  });
}

// A slider that a finger does not move by scrolling past it.
export function steady(range, changed) {
  let down = null;
  range.addEventListener("pointerdown", (event) => {
    down = event.pointerType === "touch" ? { x: event.clientX, was: range.value } : null;
  });
  range.addEventListener("pointermove", ({ clientX }) => {
    if (down && Math.abs(clientX - down.x) >= SIDEWAYS) down = null;
  });
  range.addEventListener("pointercancel", () => {
    if (down) range.value = down.was;
    down = null;
  });
  range.addEventListener("input", () => down || changed(Number(range.value)));
  range.addEventListener("pointerup", () => {
    if (down) changed(Number(range.value));
    down = null;
  });
}
