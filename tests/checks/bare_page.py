"""Widgets on a separate page, with views as in a notebook and with Python as the kernel.

Tests of a view take a tenth of the time that they would take in JupyterLab.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from anywidget import AnyWidget

from course_utils.notebook.display import Shown
from course_utils.notebook.switch import LanguageSwitch

from .if_installed import Browser
from .javascript import packed
from .lesson_pages import Cells, complaints_of

# The style sheets and the language switch look for these class names. The width and font match an
# output in a JupyterLab window of the same width.
PAGE = """<!doctype html><html lang="en"><title>Widgets</title>
<body><main class="jp-Notebook"></main>
<style>
  body { margin: 0; background: var(--jp-layout-color0); color: var(--jp-content-font-color1);
    font: 14px/1.6 system-ui, sans-serif; --jp-layout-color0: white;
    --jp-content-font-color1: rgb(0 0 0 / 0.87); --jp-border-color1: #bdbdbd; }
  body[data-jp-theme-light="false"] { color-scheme: dark; --jp-layout-color0: #111;
    --jp-content-font-color1: rgb(255 255 255 / 0.87); --jp-border-color1: #616161; }
  main { width: 850px; padding: 10px; }
  @media (width < 600px) { main { width: 274px; } }
</style></body></html>"""

# The part of anywidget's model interface that the views use.
MODEL = """() => {
const bytes = ({ $bytes }) => {
  return new DataView(Uint8Array.from(atob($bytes), (each) => each.charCodeAt(0)).buffer);
};
window.asking = 0;
const ask = async (...asked) => {
  window.asking += 1;
  const answer = await askPython(...asked);
  window.asking -= 1;
  return answer;
};
const opened = (text) => JSON.parse(text, (_, value) => value?.$bytes ? bytes(value) : value);
class Model {
  constructor(number, values) {
    Object.assign(this, { number, values, heard: [], changed: {} });
  }
  get(name) { return this.values[name]; }
  set(name, value) {
    if (Object.is(this.values[name], value)) return;
    this.values[name] = this.changed[name] = value;
    this.tell(`change:${name}`);
  }
  tell(event, ...given) {
    for (const [its, listener] of [...this.heard]) if (its === event) listener(...given);
  }
  on(events, listener) { for (const each of events.split(" ")) this.heard.push([each, listener]); }
  off(_, listener) { this.heard = this.heard.filter(([, each]) => each !== listener); }
  save_changes() {
    const { changed } = this;
    this.changed = {};
    if (Object.keys(changed).length) this.take(ask(this.number, changed, null));
  }
  send(message) { this.take(ask(this.number, {}, message)); }
  async take(answer) {
    const { changes, messages } = opened(await answer);
    for (const name in changes) this.set(name, changes[name]);
    this.changed = {};
    for (const [content, buffers] of messages) this.tell("msg:custom", content, buffers);
  }
}
window.output = () => {
  const place = document.createElement("div");
  place.className = "output";
  document.querySelector("main").append(place);
  return place;
};
window.show = async (number, source, style, values) => {
  const el = document.createElement("div");
  output().append(el);
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const file = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: view } = await import(file);
  await view.render({ model: new Model(number, opened(values)), el });
};
}"""


class Page(Cells):
    """A page with a language switch, views of widgets and other outputs.

    The widgets in Python follow the reader's actions until ``has_kernel`` is set to False.
    """

    def __init__(self, browser: Browser, cells: Sequence[AnyWidget | Shown]) -> None:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        super().__init__(page, "main")
        self.has_kernel, self._complaints = True, complaints_of(page)
        page.expose_function("askPython", self._answer)
        page.set_content(PAGE)
        page.evaluate(MODEL)
        switch = LanguageSwitch()
        switch.unobserve_all("choice")  # other tests must not see this choice of language
        self._cells = [switch, *cells]
        for number, cell in enumerate(self._cells):
            if isinstance(cell, Shown):
                page.evaluate("html => output().innerHTML = html", cell.html)
                continue
            values = {name: getattr(cell, name) for name in _traits(cell)}
            given = [number, cell._esm, cell._css, packed(values)]
            page.evaluate("given => show(...given)", given)

    def complaints(self) -> list[str]:
        """Return the errors since the last call."""
        found, self._complaints[:] = list(self._complaints), []
        return found

    def settle(self) -> None:
        """Let Python answer all pending requests of the views."""
        self.page.wait_for_function("asking === 0")

    def choose_theme(self, theme: str) -> None:
        self.page.evaluate(
            "light => document.body.setAttribute('data-jp-theme-light', light)",
            str(theme == "Light").lower(),
        )

    def _answer(self, number: int, changes: dict, message: dict | None) -> str:
        """Handle a change or a request of a view in Python."""
        widget, found, messages = self._cells[number], {}, []
        if not self.has_kernel:
            return packed({"changes": {}, "messages": []})

        def note(change: Mapping) -> None:
            found[change["name"]] = change["new"]

        widget.send = lambda content, buffers=(): messages.append([content, [*buffers]])
        widget.observe(note, names=_traits(widget))
        widget.set_state(changes)
        if message is not None:
            widget._handle_custom_msg(message, [])
        widget.unobserve(note, names=_traits(widget))
        new = {name: value for name, value in found.items() if changes.get(name) != value}
        return packed({"changes": new, "messages": messages})


@contextmanager
def showing(browser: Browser, *cells: AnyWidget | Shown) -> Iterator[Page]:
    """Open a page with these cells, and check at the end that no errors have occurred."""
    page = Page(browser, cells)
    yield page
    page.page.context.close()
    assert page.complaints() == []


def _traits(widget: AnyWidget) -> list[str]:
    return sorted(widget.traits(sync=True).keys() - AnyWidget.class_traits().keys())
