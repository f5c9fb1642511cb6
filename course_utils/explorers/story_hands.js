// How the scene is taken hold of: words, the number line, the clocks, the timeline; by mouse,
// finger and key.
import { LAST, LENGTH, N_WORDS, clamp, firstPlace, mix } from "./story_numbers.js";

const FIRM = 8; // pixels sideways from which a finger means it
const SLIDES_ON = 260; // milliseconds that a let go line keeps its speed
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// A word: dragged anywhere in the bag, along the row afterwards; a tap picks it for the pair.
export function holdWord(s, word) {
  const { button } = word;
  let from = null;
  const drag = (event) => {
    const dx = event.clientX - from.x, dy = event.clientY - from.y;
    if (!from.isMoving && Math.hypot(dx, dy) < 5) return;
    if (!from.isMoving) s.begin(word);
    from.isMoving = true;
    button.classList.add("story-held");
    if (s.isBag) return s.putInBag(word, from.word.x + dx / s.place.bag.width, from.word.y + dy / s.place.bag.height);
    word.drag = clamp(from.word.slot + dx / s.place.column, 0, N_WORDS - 1);
    s.moveTo(word, Math.round(word.drag));
  };
  const letGo = () => {
    if (from && !from.isMoving) s.pick(word);
    from = null;
    word.drag = undefined;
    button.classList.remove("story-held");
    s.tell();
    s.wake();
  };
  const look = (at) => () => {
    s.looking = at;
    s.wake();
  };
  Object.assign(button, {
    onpointerdown(event) {
      button.setPointerCapture(event.pointerId);
      from = { x: event.clientX, y: event.clientY, word: { ...word }, isMoving: false };
    },
    onpointermove: (event) => from && drag(event),
    onpointerup: letGo, onpointercancel: letGo,
    onkeydown: (event) => stepWord(s, word, event),
    onpointerenter: look(word), onfocus: look(word), onpointerleave: look(null), onblur: look(null),
  });
}

function stepWord(s, word, event) {
  const [dx, dy] = STEPS[event.key] ?? [];
  if (event.key === "Enter" || event.key === " ") s.pick(word);
  else if (dx === undefined || (dy && !s.isBag)) return;
  else {
    s.begin(word);
    if (s.isBag) s.putInBag(word, word.x + 0.03 * dx, word.y + 0.05 * dy);
    else s.moveTo(word, clamp(word.slot + dx, 0, N_WORDS - 1));
    s.tell();
  }
  event.preventDefault();
}

// The number line, drawn along with what hangs on it; in the last chapters the text, pointed at.
export function holdLine(s, grip) {
  let from = null;
  const point = ({ clientX, clientY }, isPinned) => {
    const { left, top } = grip.getBoundingClientRect();
    s.readAt(s.place.letterNear(clientX - left, clientY - top), isPinned);
  };
  const letGo = (event) => {
    if (from && s.isText && event.type === "pointerup") point(event, true);
    if (from?.isMoving && !s.isText) s.slideBy(event.type === "pointerup" ? (from.speed * SLIDES_ON) / s.place.column : 0);
    from = null;
  };
  const draw = (event) => {
    if (!from.isMoving && Math.abs(event.clientX - from.x) < FIRM) return;
    if (!from.isMoving) Object.assign(from, { isMoving: true, x: event.clientX, extra: s.extra });
    const time = Math.max(1, event.timeStamp - from.time);
    from.speed = mix(from.speed, (from.last - event.clientX) / time, 0.4);
    Object.assign(from, { last: event.clientX, time: event.timeStamp });
    s.slideTo(from.extra + (from.x - event.clientX) / s.place.column);
  };
  Object.assign(grip, {
    onpointerdown(event) {
      if (s.isBag) return;
      grip.setPointerCapture(event.pointerId);
      from = { x: event.clientX, last: event.clientX, speed: 0, time: event.timeStamp, isMoving: false };
      if (s.isText) point(event);
    },
    onpointermove(event) {
      if (s.isText) (from || event.pointerType === "mouse") && point(event);
      else if (from) draw(event);
    },
    onpointerup: letGo, onpointercancel: letGo,
    onpointerleave: () => from || s.readAt(null),
    onkeydown(event) {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -Infinity }[event.key];
      if (!by || s.isBag) return;
      event.preventDefault();
      if (s.isText) s.readAt(clamp(s.marked + by, 0, LENGTH - 1), true);
      else s.slideBy(Math.max(by, -firstPlace(s.t) - s.wanted));
    },
  });
}

// The timeline: dragged to anywhere between two chapters, or pressed at one.
export function holdTimeline(s, line) {
  let from = null;
  const at = (event) => {
    const { left, width } = line.getBoundingClientRect();
    return clamp(((event.clientX - left) / width) * (LAST + 1) - 0.5, 0, LAST);
  };
  Object.assign(line, {
    onpointerdown(event) {
      line.setPointerCapture(event.pointerId);
      from = { x: event.clientX, isMoving: false };
    },
    onpointermove(event) {
      if (!from || (!from.isMoving && Math.abs(event.clientX - from.x) < 6)) return;
      from.isMoving = true;
      s.travel(at(event), 0);
    },
    onpointerup(event) {
      const to = at(event), near = Math.round(to);
      if (from && (!from.isMoving || Math.abs(to - near) < 0.2)) s.travel(near, from.isMoving ? 0.4 : 1);
      from = null;
    },
    onpointercancel: () => (from = null),
    onkeydown(event) {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -LAST, End: LAST }[event.key];
      if (!by) return;
      event.preventDefault();
      s.step(by);
    },
  });
}
