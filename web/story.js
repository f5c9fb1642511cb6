// The animation on a page: the opening of the first page, and next to the paragraphs of "The idea
// in ten minutes". build.py inserts before this `story`, which is the explorers' story.js. Uses
// site.js.

(() => {
  const place = document.querySelector("[data-story]");
  const steps = [...document.querySelectorAll("[data-chapter]")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  // The share of a paragraph's height during which its chapter stays still before it changes.
  const STILL = 0.55;

  const model = new Model(JSON.parse(place.dataset.story));
  model.weights = () => weightsOf("rope");
  if (steps.length) model.travels = scrollToChapter;
  story.render({ model, el: place });
  const box = place.querySelector(".course-story");
  place.dataset.open = "";
  performance.mark("movable");

  // The height on the screen at which readers read: below the animation if it is above the text.
  const readingLine = () => {
    const { bottom, width } = place.getBoundingClientRect();
    return width > 0.75 * innerWidth ? bottom + 0.45 * (innerHeight - bottom) : 0.5 * innerHeight;
  };

  function chapterRead() {
    const line = readingLine();
    const at = steps.findLastIndex((each) => each.getBoundingClientRect().top <= line);
    if (at < 0) return 0;
    const { top, height } = steps[at].getBoundingClientRect();
    const on = Math.min(1, Math.max(0, ((line - top) / height - STILL) / (1 - STILL)));
    return Math.min(steps.length - 1, at + on);
  }

  function scrollToChapter(to, seconds) {
    const at = Math.floor(to), on = to - at, { top, height } = steps[at].getBoundingClientRect();
    const part = on ? STILL + on * (1 - STILL) : 0.3;
    scrollBy({
      top: top + part * height - readingLine(),
      behavior: seconds && !calm.matches ? "smooth" : "instant"
    });
  }

  function follow() {
    box.courseStory.aim = chapterRead();
    box.courseStory.wake();
  }

  if (steps.length) {
    addEventListener("scroll", follow, { passive: true });
    addEventListener("resize", follow);
    follow();
  }
})();
