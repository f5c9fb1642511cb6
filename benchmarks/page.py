"""Measure the loading times, the response times and the sizes of one or more builds.

    python -m web.build --out site
    python benchmarks/page.py site [another]

The script needs the extra ``test`` and Chromium, Chrome or Edge (COURSE_BROWSER can select another
program). It prints a table with one column per folder. The folders are measured alternately, so
that other processes affect all of them. For loading, dragging and playing, the processor is slowed
down by the factor ``--slower``.

For each step, including loading, the script reports two times. The visible delay is the time from
the event to the second animation frame after it. The work is the time, in milliseconds, that the
page's thread was busy. On a busy machine, only the work is meaningful.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import unquote, urlparse

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
from private_jupyter import open_browser

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LESSON = "04_sinusoidal_encodings"
IN_THE_BROWSER = {"position", "offset"}

OBSERVER = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver((_, observer) => {
  if (!document.querySelector(".course-labels > div")) return;
  observer.disconnect();
  window.movable = performance.now();
}).observe(document, { childList: true, subtree: true });
"""

STEP = """
(input) => new Promise((done) => {
  const [kind, event] = input.type === "range" ? ["value", "input"] : ["", "change"];
  if (kind) {
    const up = Number(input.value) < Number(input.max);
    input.value = Number(input.value) + (up ? 1 : -1);
  } else if (input.type === "checkbox") input.checked = !input.checked;
  else input.selectedIndex = (input.selectedIndex + 1) % input.options.length;
  const start = performance.now();
  input.dispatchEvent(new Event(event, { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})
"""

CHANGE = """
([act, value]) => new Promise((done) => {
  const box = document.querySelector(".course-own textarea");
  const seen = () => document.querySelector(".course-letters").innerHTML;
  const before = seen(), start = performance.now();
  if (act === "type") {
    box.value = value;
    box.dispatchEvent(new Event("input"));
  } else document.querySelectorAll(".course-encodings button")[value].click();
  const look = () => {
    if (seen() === before && performance.now() - start < 5000) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  };
  look();
})
"""

TYPED = (
    "The cat that lived in the old house by the river was called Ada, and every morning she went "
    "down to the water to look at the fish. One day there was a new one, larger than the others, "
    "and it looked back at her with eyes like lamps. Ada did not mo"
)

SWEEP = """
async () => {
  const story = document.querySelector(".course-story").courseStory;
  const frame = () => new Promise(requestAnimationFrame);
  for (let n = 0; n <= 160; n++) {
    story.aim = n / 20;
    story.wake();
    await frame();
  }
  return 161;
}
"""
"""Function that plays all chapters in 161 frames and counts the frames."""

COUNT_FRAMES = """
() => {
  window.frames = [];
  const count = (now) => {
    frames.push(now);
    window.counting = requestAnimationFrame(count);
  };
  window.counting = requestAnimationFrame(count);
}
"""
"""Function that records the time of every frame until ``STOP_COUNTING``."""

STOP_COUNTING = "() => (cancelAnimationFrame(counting), frames)"

Times = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slower", type=int, default=4)
    parser.add_argument("--language", default="en")
    parser.add_argument("--lesson", help="the only lesson whose explorers are moved, such as 04")
    options = parser.parse_args()
    sites = [folder.resolve() / options.language for folder in options.folders]
    found: list[Times] = [defaultdict(list) for _ in sites]
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        for _ in range(options.rounds):
            for site, times in zip(sites, found, strict=True):
                measure_loading(browser, site, options.slower, times)
                measure_reading(browser, site, options.slower, times)
                measure_scene(browser, site, options.slower, times)
                measure_motion(browser, site, options.slower, times)
        for page in sorted(sites[0].glob(f"{options.lesson or '0[1-8]'}_*.html")):
            for _ in range(options.rounds):
                for site, times in zip(sites, found, strict=True):
                    measure_steps(browser, site / page.name, times)
        browser.close()
    print_table([folder.name for folder in options.folders], found)


# Pages. -------------------------------------------------------------------------------------------


class Visit:
    """A page in a browser with an empty cache."""

    def __init__(self, browser: Browser, size: dict[str, int], slower: int = 1) -> None:
        self.context = browser.new_context(viewport=size)
        self.page: Page = self.context.new_page()
        self.page.add_init_script(OBSERVER)
        self.files: set[Path] = set()
        self.page.on("request", lambda request: self.files.add(file_of(request.url)))
        self.client: CDPSession = self.context.new_cdp_session(self.page)
        self.client.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.client.send("Emulation.setCPUThrottlingRate", {"rate": slower})

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def worked(self) -> float:
        """Return the milliseconds for which the page's thread has been busy."""
        metrics = self.client.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def packed(self) -> float:
        """Return the size in kB of all loaded texts and programs, individually compressed.

        Pictures and fonts do not count. Only pages opened from a folder read ``fonts/faces.js``.
        """
        kinds = (".html", ".css", ".js", ".svg")
        files = [path for path in self.files if path.suffix in kinds and path.name != "faces.js"]
        return sum(len(gzip.compress(path.read_bytes())) for path in files) / 1000

    def drawn(self) -> float:
        """Return the milliseconds spent on scripts, styles and layout."""
        metrics = self.client.send("Performance.getMetrics")["metrics"]
        parts = {"ScriptDuration", "RecalcStyleDuration", "LayoutDuration"}
        return 1000 * sum(each["value"] for each in metrics if each["name"] in parts)

    def scroll(self) -> None:
        """Scroll to the end and back, so that everything is loaded."""
        for _ in range(40):
            self.page.mouse.wheel(0, 700)
            self.page.wait_for_timeout(60)
        self.page.evaluate("scrollTo(0, 0)")
        self.page.wait_for_timeout(300)


def file_of(url: str) -> Path:
    return Path(unquote(urlparse(url).path))


def measure_loading(browser: Browser, site: Path, slower: int, times: Times) -> None:
    with Visit(browser, PHONE, slower) as visit:
        visit.page.goto((site / "index.html").as_uri())
        times["landing: packed, kB"].append(visit.packed())
        ready = """(performance.getEntriesByName("movable")[0]?.startTime
            ?? performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd)"""
        times["landing: something to take hold of, ms"].append(visit.page.evaluate(ready))
        times["landing: worked, ms"].append(visit.worked())
    with Visit(browser, PHONE, slower) as visit:
        visit.page.goto((site / f"{LESSON}.html").as_uri())
        visit.page.evaluate("document.querySelector('[data-scenes] > *').scrollIntoView()")
        visit.page.wait_for_function("window.movable")
        times["lesson: packed, kB"].append(visit.packed())
        times["lesson: first explorer moving, ms"].append(visit.page.evaluate("movable"))
        times["lesson: worked, ms"].append(visit.worked())


def measure_steps(browser: Browser, page: Path, times: Times) -> None:
    with Visit(browser, PHONE) as visit:
        visit.page.goto(page.as_uri())
        visit.scroll()
        times["layout shift on a phone, most"].append(visit.page.evaluate("shifted"))
        for button in reversed(visit.page.locator(".course-guess button:visible").all()):
            button.click()
        for kind, seen, worked in steps(visit):
            times[f"{kind}: seen, ms"].append(seen)
            times[f"{kind}: worked, ms"].append(worked)


def steps(visit: Visit) -> Iterator[tuple[str, float, float]]:
    page = visit.page
    page.locator(".course-more").evaluate_all("all => all.forEach((each) => (each.open = true))")
    for control in page.locator(".course-control").all():
        if not control.is_visible():
            continue
        control.scroll_into_view_if_needed()
        page.wait_for_timeout(200)
        classes = control.get_attribute("class") or ""
        moving = any(f"course-{name}" in classes.split() for name in IN_THE_BROWSER)
        own = control.locator("input[type=range], input[type=checkbox], select")
        if own.count() == 0 or own.is_disabled():
            continue
        for number in range(5):
            before = visit.worked()
            seen = own.evaluate(STEP)
            page.wait_for_timeout(60)
            worked = visit.worked() - before
            if number == 0:
                yield "first step of a control", seen, worked
            else:
                yield "step of a position" if moving else "step of a parameter", seen, worked


def measure_scene(browser: Browser, site: Path, slower: int, times: Times) -> None:
    """Measure the cost of a frame of the animation on a slower processor."""
    if not (site.parent / "story.js").exists():
        return
    for size, name in ((WIDE, "wide"), (PHONE, "phone")):
        with Visit(browser, size) as visit:
            visit.page.goto((site / "index.html").as_uri())
            visit.page.wait_for_function(
                "document.querySelector('.course-story')?.courseStory?.intro === 0"
            )
            visit.page.evaluate(SWEEP)  # weights and code are warm
            before = visit.drawn()
            frames = visit.page.evaluate(SWEEP)
            key = f"scene, {name}: script and style a frame, ms"
            times[key].append(slower * (visit.drawn() - before) / frames)


def measure_motion(browser: Browser, site: Path, slower: int, times: Times) -> None:
    """Measure frames while figures are dragged and played on a slower processor."""
    with Visit(browser, PHONE, slower) as visit:
        page = visit.page
        page.goto((site / f"{LESSON}.html").as_uri())
        visit.scroll()
        for figure in page.locator(".course-explorer figure").all():
            stage, play = figure.locator(".course-stage"), figure.locator(".course-play")
            stage.scroll_into_view_if_needed()
            page.wait_for_timeout(300)
            box = stage.bounding_box()
            y = box["y"] + box["height"] / 2
            page.mouse.move(box["x"] + 0.2 * box["width"], y)
            page.mouse.down()
            with counted_frames(visit, "dragging", times):
                for share in range(20, 80):
                    page.mouse.move(box["x"] + share * box["width"] / 100, y)
            page.mouse.up()
            if play.count():
                play.click()
                with counted_frames(visit, "playing", times):
                    page.wait_for_timeout(1500)
                play.click()


@contextmanager
def counted_frames(visit: Visit, name: str, times: Times) -> Iterator[None]:
    """Record the frame rate, and the time for scripts and styles, during a movement."""
    visit.page.evaluate(COUNT_FRAMES)
    before = visit.drawn()
    yield
    frames = visit.page.evaluate(STOP_COUNTING)
    worked = visit.drawn() - before
    times[f"{name}: frames a second"].append(1000 * (len(frames) - 1) / (frames[-1] - frames[0]))
    times[f"{name}: script and style a frame, ms"].append(worked / len(frames))


def measure_reading(browser: Browser, site: Path, slower: int, times: Times) -> None:
    if not any((site.parent / name).exists() for name in ("explorers/reading.js", "reading.js")):
        return
    for rate in sorted({1, slower}):
        with Visit(browser, WIDE, rate) as visit:
            page = visit.page
            page.goto((site / "09_longer_than_trained.html").as_uri())
            reader = page.locator('[data-scenes="reading_explorer"]')
            reader.evaluate("each => each.scrollIntoView()")
            page.locator(".course-tally b").first.wait_for()
            page.wait_for_timeout(300)
            changes = [
                *(("encoding chosen for the first time", "choose", n) for n in (4, 3, 1)),
                *(("encoding chosen again", "choose", n) for n in (4, 3, 2, 1, 2)),
                *(("letter typed at the end", "type", TYPED[:end]) for end in range(225, 238)),
                *(("letter changed at the start", "type", each + TYPED[1:240]) for each in "abcd"),
            ]
            for name, *change in changes:
                before = visit.worked()
                seen = page.evaluate(CHANGE, change)
                page.wait_for_timeout(100)
                if change[-1] == TYPED[:225]:
                    continue  # the whole text is new
                named = name if rate == 1 else f"{name}, {rate}x slower"
                times[f"{named}: seen, ms"].append(seen)
                times[f"{named}: worked, ms"].append(visit.worked() - before)


# Table. -------------------------------------------------------------------------------------------


def print_table(names: list[str], found: list[Times]) -> None:
    rows = list(dict.fromkeys(row for times in found for row in times))
    print("median (95th of 100; where the row says most, the largest)\n")
    print(f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for row in rows:
        print(f"| {row} | {' | '.join(shown(row, times.get(row)) for times in found)} |")


def shown(row: str, values: list[float] | None) -> str:
    if not values:
        return "–"
    digits = 3 if "shift" in row else 1
    if "most" in row:
        return f"{max(values):.{digits}f}"
    highest = quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
    return f"{median(values):.{digits}f} ({highest:.{digits}f})"


if __name__ == "__main__":
    main()
