// Input of the animation: words, number line, clocks and timeline, by mouse, finger and keyboard.
import { clamp, firstPlace, LAST, LENGTH, mix, N_WORDS } from "./story_numbers.js";

const FIRM = 8; // sideways pixels after which a touch counts as a drag
const SLIDES_ON = 260; // milliseconds for which a released line keeps moving
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// A word can be dragged anywhere in the bag and later along the row; a tap picks it for the pair.
export function holdWord(story, word) {
  const { button } = word;
  let from = null;
  const drag = (event) => {
    const dx = event.clientX - from.x, dy = event.clientY - from.y;
    if (!from.isMoving && Math.hypot(dx, dy) < 5) return;
    if (!from.isMoving) story.begin(word);
    from.isMoving = true;
    button.classList.add("story-held");
    if (story.isBag) {
      return story.putInBag(
        word,
        from.word.x + dx / story.place.bag.width,
        from.word.y + dy / story.place.bag.height
      );
    }
    word.drag = clamp(from.word.slot + dx / story.place.column, 0, N_WORDS - 1);
    story.moveTo(word, Math.round(word.drag));
  };
  const letGo = () => {
    if (from && !from.isMoving) story.pick(word);
    from = null;
    word.drag = undefined;
    button.classList.remove("story-held");
    story.tell();
    story.wake();
  };
  const look = (at) => () => {
    story.looking = at;
    story.wake();
  };
  Object.assign(button, {
    onpointerdown(event) {
      button.setPointerCapture(event.pointerId);
      story.catchWord(word);
      from = { x: event.clientX, y: event.clientY, word: { ...word }, isMoving: false };
    },
    onpointermove: (event) => from && drag(event),
    onpointerup: letGo,
    onpointercancel: letGo,
    onkeydown: (event) => stepWord(story, word, event),
    onpointerenter: look(word),
    onfocus: look(word),
    onpointerleave: look(null),
    onblur: look(null)
  });
}

function stepWord(story, word, event) {
  const [dx, dy] = STEPS[event.key] ?? [];
  if (event.key === "Enter" || event.key === " ") story.pick(word);
  else if (dx === undefined || (dy && !story.isBag)) return;
  else {
    story.catchWord(word);
    story.begin(word);
    if (story.isBag) story.putInBag(word, word.x + 0.03 * dx, word.y + 0.05 * dy);
    else story.moveTo(word, clamp(word.slot + dx, 0, N_WORDS - 1));
    story.tell();
  }
  event.preventDefault();
}

// The number line can be dragged; in the last chapters the pointer selects a letter of the text.
export function holdLine(story, grip) {
  let from = null;
  const point = ({ clientX, clientY }, isPinned) => {
    const { left, top } = grip.getBoundingClientRect();
    story.readAt(story.place.letterNear(clientX - left, clientY - top), isPinned);
  };
  // A tap next to the words, on the small triangles.
  const step = ({ clientX }) => {
    const { content, column } = story.place, { left, width } = grip.getBoundingClientRect();
    const aside = clientX - left - width / 2;
    if (Math.abs(aside) > (content - column) / 2) story.slideBy(Math.sign(aside));
  };
  const letGo = (event) => {
    if (from && story.isText && event.type === "pointerup") point(event, true);
    if (from?.isMoving && !story.isText) {
      story.slideBy(event.type === "pointerup" ? (from.speed * SLIDES_ON) / story.place.column : 0);
    }
    if (from && !from.isMoving && !story.isText && event.type === "pointerup") step(event);
    from = null;
  };
  const draw = (event) => {
    if (!from.isMoving && Math.abs(event.clientX - from.x) < FIRM) return;
    if (!from.isMoving) {
      Object.assign(from, { isMoving: true, x: event.clientX, extra: story.extra });
    }
    const time = Math.max(1, event.timeStamp - from.time);
    from.speed = mix(from.speed, (from.last - event.clientX) / time, 0.4);
    Object.assign(from, { last: event.clientX, time: event.timeStamp });
    story.slideTo(from.extra + (from.x - event.clientX) / story.place.column);
  };
  Object.assign(grip, {
    onpointerdown(event) {
      if (story.isBag) return;
      grip.setPointerCapture(event.pointerId);
      from = {
        x: event.clientX,
        last: event.clientX,
        speed: 0,
        time: event.timeStamp,
        isMoving: false
      };
      if (story.isText) point(event);
    },
    onpointermove(event) {
      if (story.isText) (from || event.pointerType === "mouse") && point(event);
      else if (from) draw(event);
    },
    onpointerup: letGo,
    onpointercancel: letGo,
    onpointerleave: () => from || story.readAt(null),
    onkeydown(event) {
      const by =
        { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -Infinity }[event.key];
      if (!by || story.isBag) return;
      event.preventDefault();
      if (story.isText) story.readAt(clamp(story.marked + by, 0, LENGTH - 1), true);
      else story.slideBy(Math.max(by, -firstPlace(story.t) - story.wanted));
    }
  });
}

// The timeline can be dragged to any point, or tapped at a chapter.
export function holdTimeline(story, line) {
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
      story.travel(at(event), 0);
    },
    onpointerup(event) {
      const to = at(event), near = Math.round(to);
      if (from && (!from.isMoving || Math.abs(to - near) < 0.2)) {
        story.travel(near, from.isMoving ? 0.4 : 1);
      }
      from = null;
    },
    onpointercancel: () => (from = null),
    onkeydown(event) {
      const by = {
        ArrowLeft: -1,
        ArrowDown: -1,
        ArrowRight: 1,
        ArrowUp: 1,
        PageDown: -3,
        PageUp: 3,
        Home: -LAST,
        End: LAST
      }[event.key];
      if (!by) return;
      event.preventDefault();
      story.step(by);
    }
  });
}
