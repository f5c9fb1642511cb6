// The first page: the reader's progress, and the explorer below the animation. Uses site.js.

const texts = JSON.parse(document.querySelector(".begin").dataset.texts);
const filledIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Progress ----------------------------------------------------------------------------------------

function showProgress() {
  const { pages } = progress.all();
  const links = [...document.querySelectorAll(".cards a[data-page]")];
  for (const link of links) {
    const { done } = pages[link.dataset.page] ?? {};
    link.classList.toggle("done", Boolean(done));
    link.querySelector(".tick")?.remove();
    if (done) element(link, "em", { className: "tick", textContent: `✓ ${texts.done}` });
  }
  const lessons = links.filter((link) => link.querySelector("b"));
  const title = (link) => link.querySelector("b").textContent;
  const seen = lessons.filter((link) => pages[link.dataset.page]).sort((one, other) =>
    pages[other.dataset.page].when - pages[one.dataset.page].when
  );
  const last = seen[0];
  const next = last?.classList.contains("done")
    ? lessons.slice(lessons.indexOf(last)).find((each) => !each.classList.contains("done"))
    : last;
  for (const link of lessons) link.classList.toggle("next", link === next);
  if (next) {
    const { share = 0, place = "" } = pages[next.dataset.page] ?? {};
    const go = document.querySelector(".begin .go");
    const percent = Math.round(100 * share);
    go.textContent = filledIn(texts[percent ? "go-on" : "go-next"], {
      title: title(next),
      share: percent
    });
    go.href = next.getAttribute("href");
    go.hash = place;
  }
  document.querySelector(".forget").hidden = !seen.length;
}

document.querySelector(".forget").addEventListener("click", ({ target }) => {
  progress.forget();
  target.replaceWith(element(null, "span", { role: "status", textContent: texts.forgotten }));
  setTimeout(() => location.reload(), 1500);
});
showProgress();
