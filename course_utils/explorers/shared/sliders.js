// @ts-check
export const SIDEWAYS = 8; // pixels after which a finger drags; before that it may be scrolling

// A slider that a finger moves by a tap or a sideways drag, but not while scrolling past.
export function steady(range, changed) {
  let finger = null; // where the finger went down, and the value of the slider then
  const back = () => (range.value = finger.was);
  range.addEventListener("pointerdown", ({ pointerType, clientX: x, clientY: y }) => {
    finger = pointerType === "touch" ? { x, y, was: range.value } : null;
  });
  range.addEventListener("pointermove", ({ clientX }) => {
    if (finger && Math.abs(clientX - finger.x) >= SIDEWAYS) finger = null;
  });
  // This also undoes the changes that follow, until the next finger or key.
  range.addEventListener("pointercancel", () => finger && back());
  range.addEventListener("pointerup", ({ clientY }) => {
    if (!finger) return;
    const { y, wanted = finger.was } = finger;
    finger = null;
    if (Math.abs(clientY - y) >= SIDEWAYS) return;
    range.value = wanted;
    changed();
  });
  range.addEventListener("keydown", () => (finger = null));
  range.addEventListener("input", () => {
    if (!finger) return changed();
    finger.wanted = range.value;
    back();
  });
}
