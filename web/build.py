"""Build the web edition: pages in each language, with explorers that need no kernel.

    python -m web.build --out site
    python -m web.build --out site --address https://somebody.github.io/course/

The pages are built from the committed notebooks and the package, without network access.
``--address`` is the future address of the site: a notebook opened elsewhere installs the course
from there. If Chromium is installed, or COURSE_BROWSER names a browser, each language also gets a
PDF and a picture for sharing. ``--lite`` adds a JupyterLab that runs in the browser, with the
notebooks and the course inside; this build downloads some packages. The page downloads Python
itself from Pyodide's site, unless JUPYTERLITE_PYODIDE_URL names an archive to include.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from string import Template

import nbformat
from PIL import Image
from rcssmin import cssmin
from rjsmin import jsmin

from course_utils.colors import COLORS, PAGE_COLORS
from course_utils.explorers.base import DIST, ExplorerWidget, widgets
from course_utils.explorers.reading.text_model_explorer import TextModelExplorer
from course_utils.explorers.scene.explorer import Explorer
from course_utils.explorers.story.story import STYLE
from course_utils.notebook.display import PAGE_STYLE
from course_utils.text_model import ENCODINGS, WEIGHTS
from course_utils.words.text import LANGUAGES, SHOWN, words

from .explorer_calls import explorer_named, function_of
from .headless import SHARED_SIZE
from .heights import reserved_height
from .landing import TEXTS as LANDING_TEXTS
from .landing import landing_html, link_to, promise
from .layout import contents_html, lesson_html
from .lesson import (
    Cell,
    Page,
    as_notebook,
    markdown,
    page_name,
    parsed,
    read,
    unmarked,
    waiting,
    with_pictures,
)
from .printed import book_html, print_book
from .scripts import as_value, compact
from .searching import searchable
from .sharing import COURSE, write_pictures
from .stored import packed, scenes_of, stops_of
from .story_page import STORY, story_script

WEB = Path(__file__).resolve().parent
REPOSITORY = WEB.parent
VIEWS = REPOSITORY / "course_utils" / "explorers"
BROWSERS = (os.environ.get("COURSE_BROWSER", "chromium"), "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
PDF = "course.pdf"
NOT_IN_PYODIDE = ("anywidget", "comm", "ipywidgets", "jupyterlab-widgets", "psygnal")
NAME = "positional-encodings-course"
READER = "ruler_explorer"
MODEL = "model_clocks_explorer"
YOUR_MODEL = "your-model.html"
"""A page for engineers, which shows the clocks of a model and does not require the course."""

TEXTS = words(WEB / "words.toml")
FOLDER = REPOSITORY / "notebooks"
TEN_MINUTES, FIRST, APPENDIX, GLOSSARY = (
    FOLDER / f"{name}.ipynb"
    for name in (
        "ten_minutes", "00_start_here", "07_pytorch_appendix", "glossary",
    )
)  # fmt: skip
NUMBERED = sorted({*FOLDER.glob("[0-9]*.ipynb")} - {APPENDIX})
# The appendix needs lesson 09, so no earlier lesson leads to it.
LESSONS = [TEN_MINUTES, *NUMBERED, APPENDIX]
DEEPER = sorted(FOLDER.glob("deeper/*.ipynb"))
LABS = sorted(REPOSITORY.glob("labs/*/*.ipynb"))
NOTEBOOKS = [*LESSONS, GLOSSARY, *DEEPER, *LABS]


def lesson_of(notebook: Path) -> Path:
    """Return the lesson to which a lab, a deeper notebook or the appendix belongs.

    A deeper notebook and the appendix have the number of their lesson; a lab belongs to the first
    lesson whose recap links to it.
    """
    if notebook in (*DEEPER, APPENDIX):
        return next(each for each in NUMBERED if each.stem[:2] == notebook.stem[:2])
    link = f"../labs/{notebook.parent.name}/{notebook.name}"
    return next(each for each in NUMBERED if link in recap_of(each))


def recap_of(notebook: Path) -> str:
    """Return the recap at the end of a lesson, or an empty string if there is none."""
    cells = nbformat.read(notebook, as_version=4).cells
    return next((cell.source for cell in cells if cell.id == "recap"), "")


def main() -> None:
    """Build the parts that all languages share, then each language in a separate process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder, which is recreated")
    parser.add_argument("--address", default="", help="future address of the site")
    parser.add_argument("--lite", action="store_true", help="add a JupyterLab in the browser")
    asked = parser.parse_args()
    if "COURSE_LANGUAGE" in os.environ:
        Edition(asked.out, asked.address, asked.lite).write()
        return
    shutil.rmtree(asked.out, ignore_errors=True)
    try:
        (asked.out / "pictures").mkdir(parents=True)
    except OSError as error:
        sys.exit(f"--out must be a folder that can be recreated; got {error}.")
    write_shared(asked.out, asked.address)
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", asked.out.resolve()]
    subprocess.run(wheel, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-m", "web.build", *sys.argv[1:]]
    environments = [{**os.environ, "COURSE_LANGUAGE": language} for language in LANGUAGES]
    running = [subprocess.Popen(command, env=each) for each in environments]
    if any([each.wait() for each in running]):
        sys.exit("The site is not complete.")
    if asked.lite:
        write_lite(asked.out.resolve())


def write_shared(out: Path, address: str = "") -> None:
    """Write the style sheet, the scripts, the icon, and the page that redirects to a language."""
    names = ("site.css", "story.css", "landing.css", "book.css", "wall.css", "lab.css")
    styles = {name: (WEB / name).read_text("utf-8") for name in names}
    styles["story.css"] = STYLE + styles["story.css"]
    styles["site.css"] = PAGE_STYLE + styles["site.css"]
    styles["site.css"] = colors("".join(styles.values())) + styles["site.css"]
    for name, style in styles.items():
        (out / name).write_text(cssmin(style), "utf-8")
    for name in ("site.js", "wall.js", "figures.js", "landing.js"):
        (out / name).write_text(jsmin((WEB / name).read_text("utf-8")), "utf-8")
    (out / "story.js").write_text(
        jsmin(story_script() + (WEB / "story.js").read_text("utf-8")), "utf-8"
    )
    (out / "explorers.js").write_text(jsmin((WEB / "explorers.js").read_text("utf-8")), "utf-8")
    (out / "explorers").mkdir()
    for kind, widget in widgets().items():
        if kind != "story":
            (out / "explorers" / f"{kind}.js").write_text(kind_script(kind, widget), "utf-8")
    write_weights(out / "weights")
    icon = Template((WEB / "icon.svg").read_text("utf-8"))
    fills = {"ground": PAGE_COLORS["word"][0], "hand": COLORS["position"][1]}
    (out / "icon.svg").write_text(icon.substitute(fills), "utf-8")
    shutil.copytree(WEB / "fonts", out / "fonts", dirs_exist_ok=True)
    (out / "fonts" / "faces.js").write_text(faces_script(), "utf-8")
    (out / "index.html").write_text(entrance(address), "utf-8")


def faces_script() -> str:
    """Return a script that contains the fonts and adds them to the page.

    A page on disk shows its text before a font from a separate file is ready.
    """
    rule = r'font-family: "(.*?)";(?: font-weight: (.*?);)? src: url\("(.*?)"\)'
    faces = [
        [family, weight or "400", base64.b64encode((WEB / file).read_bytes()).decode()]
        for family, weight, file in re.findall(rule, (WEB / "site.css").read_text("utf-8"))
    ]
    return (
        f"for (const [family, weight, data] of {compact(faces)})"
        "document.fonts.add(new FontFace(family,"
        "Uint8Array.from(atob(data),(letter)=>letter.charCodeAt(0)),{weight}));"
    )


def write_lite(out: Path) -> None:
    """Build JupyterLite with notebooks in each language and an installable copy of the course."""
    (wheel,) = out.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        contents = Path(folder) / "contents"
        for language in LANGUAGES:
            shutil.copytree(out / language / "files", contents / language)
        # JupyterLite installs the course by name, not by address. If the pattern did not limit the
        # length of the address, searching the encoded pictures would take minutes.
        address = rf"\S{{,200}}{re.escape(wheel.name)}"
        for notebook in contents.rglob("*.ipynb"):
            notebook.write_text(re.sub(address, NAME, notebook.read_text("utf-8")), "utf-8")
        # Pyodide lacks these packages; their versions match the views in the page.
        get = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"--dest={folder}/pypi"]
        get += ["--only-binary=:all:", "--platform=any", *NOT_IN_PYODIDE]
        subprocess.run([*get, f"--constraint={REPOSITORY / 'constraints.txt'}"], check=True)
        shutil.copy(wheel, Path(folder) / "pypi")
        settings = {"exposeAppInBrowser": True}  # used by try_lite.py
        settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
        (Path(folder) / "jupyter-lite.json").write_text(json.dumps(settings), "utf-8")
        command = ["jupyter", "lite", "build", f"--lite-dir={folder}", f"--contents={contents}"]
        command += [f"--output-dir={out / 'lite'}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def filled(template: str, **values: str) -> str:
    """Fill in the placeholders of a file in this folder."""
    return Template((WEB / template).read_text("utf-8")).substitute(values)


def entrance(address: str) -> str:
    """Return the page that redirects to the reader's language."""
    first = next(iter(LANGUAGES))
    about = " · ".join(LANDING_TEXTS["description"][code] for code in LANGUAGES)
    share = sharing_tags(address, first, "index.html")
    if not address:
        share = share.replace('content="share/', f'content="{first}/share/')
    names = {code: TEXTS["course"][code] for code in LANGUAGES}
    link = '<p><a lang="{0}" hreflang="{0}" href="{0}/index.html">{1}</a></p>'
    links = "".join(link.format(*each) for each in names.items())
    title = " · ".join(names.values())
    return filled(
        "entrance.html",
        title=title,
        links=links,
        known=compact([*LANGUAGES]),
        description=html.escape(about),
        share=share,
    )


def lesson_named(name: str) -> str:
    """Return the name of a page's lesson, or the page's own name if it has no lesson."""
    for notebook in (*DEEPER, *LABS):
        if page_name(notebook) == name:
            return lesson_of(notebook).stem
    return name.removesuffix(".html")


def described(name: str, language: str) -> str:
    """Return a one-sentence description of a page for search engines and shared links."""
    lesson = promise(lesson_named(name), language)
    about = LANDING_TEXTS["description"][language]
    return f"{lesson} {TEXTS['course'][language]}." if lesson else about


def sharing_tags(address: str, language: str, name: str) -> str:
    """Return a page's tags for shared links: its address, if known, and its picture."""
    there = f"{address}{language}/{name}"
    tags = {"og:url": there} if address else {}
    tags |= {"og:type": "website", "og:site_name": TEXTS["course"][language], "og:locale": language}
    if BROWSER:
        picture = f"share/{lesson_named(name)}.png"
        tags["og:image"] = f"{address}{language}/{picture}" if address else picture
        tags |= {"og:image:width": str(SHARED_SIZE[0]), "og:image:height": str(SHARED_SIZE[1])}
        tags["twitter:card"] = "summary_large_image"
    return "\n".join(
        f'<meta property="{tag}" content="{html.escape(value)}">' for tag, value in tags.items()
    )


def kind_script(kind: str, widget: type[ExplorerWidget]) -> str:
    """Return the script for all explorers of a kind: their module, settings and style."""
    _, bundle = (DIST / f"{kind}.js").read_text("utf-8").split("\n", 1)  # without its comment
    module = as_value(bundle)
    shared, style = compact(widget.shared_settings()), compact(cssmin(widget.style))
    given = (compact(kind), module, shared, style)
    return f"takeModule({','.join(given)});"


def write_weights(folder: Path) -> None:
    """Write each encoding's weights as a script of about 275 kB, which a page loads on demand."""
    folder.mkdir(parents=True, exist_ok=True)
    for encoding in ENCODINGS:
        header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
        numbers = base64.b64encode((WEIGHTS / f"{encoding}.bin").read_bytes()).decode()
        (folder / f"{encoding}.js").write_text(
            f'takeWeights({compact(header)},"{numbers}");', "utf-8"
        )


def colors(style: str) -> str:
    """Return the colours of a style as CSS variables: --c-word for pictures, --word for text."""
    named = {f"c-{name}": pair for name, pair in COLORS.items()} | PAGE_COLORS
    used = set(re.findall(r"var\(--([\w-]+)", style))
    light, dark = (
        "".join(f"--{name}:{pair[is_dark]};" for name, pair in named.items() if name in used)
        for is_dark in (False, True)
    )
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"


class Edition:
    """The pages in one language, with their explorers, the search index and the notebooks."""

    def __init__(self, out: Path, address: str, lite: bool) -> None:
        (self.language,) = SHOWN
        self.out, self.address, self.lite, self.folder = out, address, lite, out / self.language
        self.texts = {name.replace("-", "_"): text[self.language] for name, text in TEXTS.items()}

    def write(self) -> None:
        """Write the edition into its own folder."""
        (self.folder / "scenes").mkdir(parents=True)
        pages = {each: read(each, self.language, self.kept_picture) for each in NOTEBOOKS}
        self.show_how_it_works(pages[FIRST])
        for cell in (cell for page in pages.values() for cell in page.cells if cell.scenes):
            place = cell.tree.select_one("[data-scenes]")
            place["data-kind"] = explorer_named(cell.scenes).module
            if isinstance(explorer_named(cell.scenes), TextModelExplorer):
                # Each picture of a notebook has a text in each language.
                place.clear()
                place.append(parsed(self.still(cell.scenes)))
        used = {cell.scenes for page in pages.values() for cell in page.cells} - {""} | {
            READER,
            MODEL,
        }
        for name in (each for each in used if not each.startswith(STORY)):
            (self.folder / "scenes" / f"{name}.js").write_text(explorer_script(name), "utf-8")
        for lab in LABS:
            self.say_where(lab, pages[lab])
        bodies = {
            each: lesson_html(page, self.texts, self.language) for each, page in pages.items()
        }
        order = [*LESSONS, GLOSSARY]
        index = []
        for notebook, page in pages.items():
            body, parts = searchable(bodies[notebook], is_glossary=notebook == GLOSSARY)
            index.append([page.name, page.title, parts])
            around = self.around(notebook, order, pages)
            following = order[order.index(notebook) + 1 :] if notebook in order else []
            end = self.end(*((each, pages[each]) for each in following[:1]))
            self.write_page(page, body, around, self.where(notebook), end)
            self.write_notebook(notebook)
        search = jsmin((WEB / "search.js").read_text("utf-8"))
        texts = {
            name: self.texts[f"search_{name}"] for name in ("found", "some", "nothing", "little")
        }
        taken = f"takeWords({compact(index)},{compact(texts)});"
        (self.folder / "words.js").write_text(f"(() => {{\n{search}\n{taken}\n}})();", "utf-8")
        self.write_page(Page("index.html", self.texts["course"]), self.first_page(pages))
        self.write_page(Page(YOUR_MODEL, self.texts["your_model"]), self.your_model())
        if BROWSER:
            titles = {each.stem: pages[each].title for each in (*LESSONS, GLOSSARY)}
            titles = {COURSE: LANDING_TEXTS["claim"][self.language]} | titles
            write_pictures(BROWSER, self.folder, self.texts["course"], titles, self.language)
            self.write_pdf(pages, bodies)

    def show_how_it_works(self, page: Page) -> None:
        """Replace lesson 00's text about Jupyter with one about these pages; keep its explorer."""
        explorer = next(cell for cell in page.cells if cell.scenes)
        texts = words(WEB / "how_it_works.toml")
        cells = [Cell(id, parsed(markdown(text[self.language]))) for id, text in texts.items()]
        place = next(number for number, cell in enumerate(cells, 1) if cell.id == "move")
        page.cells = [*cells[:place], explorer, *cells[place:]]
        page.title = cells[0].heading.get_text()
        page.minutes = int(re.search(r"(\d+) minut", cells[0].words)[1])

    def around(self, notebook: Path, order: list[Path], pages: dict[Path, Page]) -> str:
        """Return links to the adjacent pages, or from a lab or deeper page to its lesson."""
        if notebook not in order:
            near = {"prev": pages[lesson_of(notebook)]}
        else:
            at = order.index(notebook)
            near = {"prev": pages[order[at - 1]]} if at else {}
            near |= {"next": pages[order[at + 1]]} if at + 1 < len(order) else {}
        return "".join(
            f'<a rel="{rel}" href="{page.name}">{self.texts[rel]}: {page.title}</a>'
            for rel, page in near.items()
        )

    def write_page(
        self, page: Page, body: str, around: str = "", where: str = "", end: str = ""
    ) -> None:
        """Fill in the template of all pages."""
        link = '<a rel="alternate" lang="{0}" hreflang="{0}" href="../{0}/{1}"{2}>{3}</a>'
        here = {self.language: ' aria-current="true"'}
        languages = "\n".join(
            link.format(code, page.name, here.get(code, ""), language_name)
            for code, language_name in LANGUAGES.items()
        )
        first, is_book = page.name == "index.html", page.name == "print.html"
        has_story = "data-story" in body
        styles = ["site.css", *["story.css"] * has_story, *["landing.css"] * first]
        styles += ["book.css"] * is_book + ["lab.css"] * ('class="hint"' in body or is_book)
        scripts = ["site.js", *["story.js"] * has_story]
        shown = {cell.scenes for cell in page.cells if not cell.scenes.startswith(STORY)} - {""}
        scripts += ["explorers.js"] * (bool(shown) or "data-scenes" in body)
        # The view of most explorers loads with the page if the first section has such an explorer.
        sections = [n for n, cell in enumerate(page.cells) if cell.tree.select_one("h2")]
        top = page.cells[: sections[1]] if len(sections) > 1 else page.cells
        with_scenes = any(
            explorer_named(cell.scenes).module == "scene"
            for cell in top
            if cell.scenes and not cell.scenes.startswith(STORY)
        )
        scripts += ["explorers/scene.js"] * with_scenes + ["landing.js"] * first
        values = {key: html.escape(text) for key, text in self.texts.items()} | {
            "language": self.language, "title": html.escape(page.title), "body": body,
            "languages": languages, "around": around, "page": page.name,
            "run": where and f"{self.texts['run']}: {where}.",
            "kind": "landing" if first else "lesson",
            "description": html.escape(described(page.name, self.language)),
            "share": self.shared(page.name),
            "scripts": "\n".join(f'<script defer src="../{each}"></script>' for each in scripts),
            "styles": "\n".join(f'<link rel="stylesheet" href="../{each}">' for each in styles),
            "faces": compact(["text", *["math"] * ("<math" in body)]),
            "toc": contents_html(page, self.texts["in_this_lesson"]),
            "end": end,
            "minutes": page.minutes or "", "takes": self.takes(page),
        }  # fmt: skip
        (self.folder / page.name).write_text(filled("page.html", **values), "utf-8")

    def shared(self, name: str) -> str:
        """Return tags for a shared link, without the picture if no browser could draw it."""
        return sharing_tags(self.address, self.language, name)

    def end(self, following: tuple[Path, Page] | None = None) -> str:
        """Return the end of a lesson: a button to mark it as done, and the next lesson's card."""
        finish = (
            f'<button type="button" class="finish" data-done="{self.texts["finished"]}" hidden>'
        )
        shown = f"{finish}{self.texts['finish']}</button>"
        if following:
            notebook, page = following
            card = link_to(notebook.stem, page, self.takes(page), self.language)
            shown += f'<div class="next-card">{card}</div>'
        return f'<div class="end">{shown}</div>'

    def takes(self, page: Page) -> str:
        """Return the duration of the page in words, if the page states it."""
        return self.texts["minutes"].format(minutes=page.minutes) if page.minutes else ""

    def first_page(self, pages: dict[Path, Page]) -> str:
        """Return the first page: a sentence to drag, and an overview."""
        lessons = {each.stem: pages[each] for each in LESSONS if each != APPENDIX}
        beneath: dict[str, list[tuple[str, Page]]] = {}
        for kind, notebooks in (("lab", LABS), ("deeper", DEEPER), ("appendix", [APPENDIX])):
            for each in notebooks:
                beneath.setdefault(lesson_of(each).stem, []).append((kind, pages[each]))
        shown = landing_html(lessons, beneath, self.takes, self.reader(), self.language)
        pdf = f'<p><a href="{PDF}">{self.texts["as_pdf"]}</a></p>\n' if BROWSER else ""
        return shown + pdf

    def reader(self) -> str:
        """Return the explorer of the character model, the second section of the first page."""
        title, about = (LANDING_TEXTS[name][self.language] for name in ("reader", "reader-about"))
        return (
            f'<section class="reader" id="reader"><h2>{title}</h2><p>{about}</p>'
            f"{self.cell_of(READER, 'data-late')}</section>\n"
        )

    def your_model(self) -> str:
        """Return the page that shows the clocks of a released model or a pasted configuration."""
        texts = {part: self.texts[f"your_model{part}"] for part in ("", "_about", "_more")}
        return (
            f'<div class="text"><div class="cell"><h1>{texts[""]}</h1>'
            f"<p>{texts['_about']}</p></div>"
            f"{self.cell_of(MODEL, kind='cell card')}"
            f'<div class="cell"><p>{texts["_more"]}</p></div></div>\n'
        )

    def cell_of(self, name: str, *marks: str, kind: str = "cell") -> str:
        """Return the cell of an explorer that does not come from a notebook."""
        room = reserved_height(name, self.language)
        opened = " ".join(
            (f'data-scenes="{name}" data-kind="{explorer_named(name).module}"', *marks)
        )
        place = f'<div {opened} style="{room}">{self.still(name)}</div>'
        return f'<div class="{kind}" id="{name}">{place}</div>'

    def still(self, name: str) -> str:
        """Return the still that is shown until an explorer of the character model has loaded."""
        still = unmarked(explorer_named(name).as_shown().html, self.language)
        return waiting(with_pictures(still, self.kept_picture))

    def say_where(self, notebook: Path, page: Page) -> None:
        """Describe at the top of a lab what the page offers, and where its code can be run.

        The last paragraph of the first cell, about work in the notebook, becomes its last part.
        """
        title = page.cells[0].tree
        *_, about_work = title.find_all("p")
        name = notebook.relative_to(REPOSITORY).as_posix()
        texts = {key: self.texts[f"lab_{key}"] for key in ("here", "there", "jupyterlab", "file")}
        shown = name.replace("/", "/<wbr>").replace(".", "<wbr>.")  # a phone may break it there
        ways = [texts["jupyterlab"].format(name=shown)]
        if self.lite:
            ways.append(self.texts["lab_tab"].format(address=self.in_a_tab(name)))
        ways.append(texts["file"].format(address=f"files/{name}"))
        items = "".join(f"<li>{way}</li>" for way in ways)
        note = f"<p>{texts['here']}</p><p>{texts['there']}</p><ul>{items}</ul>"
        title.append(parsed(f'<div class="note">{note}</div>'))
        about_work.insert(0, parsed(f"<b>{self.texts['lab_notebook']}</b> "))
        title.find(class_="note").append(about_work.extract())

    def where(self, notebook: Path) -> str:
        """Return links to places where the notebook can be run."""
        name = notebook.relative_to(REPOSITORY).as_posix()
        links = [f'<a href="files/{name}" download>{self.texts["as_notebook"]}</a>']
        if self.lite:
            links.append(f'<a href="{self.in_a_tab(name)}">{self.texts["in_a_tab"]}</a>')
        return ", ".join(links)

    def in_a_tab(self, name: str) -> str:
        """Return the address of a notebook in JupyterLite.

        The address opens Jupyter Notebook, because JupyterLab's panels leave no space on a phone.
        """
        return f"../lite/notebooks/index.html?path={self.language}/{name}"

    def write_pdf(self, pages: dict[Path, Page], bodies: dict[Path, str]) -> None:
        """Write all pages as one PDF, printed by the browser."""
        claim = LANDING_TEXTS["claim"][self.language]
        book = book_html(((page, bodies[each]) for each, page in pages.items()), self.texts, claim)
        self.write_page(Page("print.html", self.texts["course"]), book)
        source = self.folder / "print.html"
        print_book(BROWSER, source, self.folder / PDF)
        source.unlink()

    def write_notebook(self, notebook: Path) -> None:
        """Write the notebook in this language, and the data files that it reads."""
        target = self.folder / "files" / notebook.relative_to(REPOSITORY)
        target.parent.mkdir(parents=True, exist_ok=True)
        (wheel,) = self.out.glob("*.whl")
        up = self.address or "../" * len(target.parent.relative_to(self.out).parts)
        first = filled("install.txt", wheel=up + wheel.name, language=self.language, **self.texts)
        for name in {*re.findall(r"\.\./(experiments/[\w.]+)", notebook.read_text("utf-8"))}:
            (self.folder / "files" / "experiments").mkdir(exist_ok=True)
            shutil.copy(REPOSITORY / name, self.folder / "files" / name)
            if self.address:
                place = f"{self.address}{self.language}/files/{name}"
                first += filled("fetch.txt", name=name, place=place)
        nbformat.write(as_notebook(notebook, self.language, first.rstrip()), target)

    def kept_picture(self, encoded: str, alt: str) -> str:
        """Write a picture to a file shared by all languages, and return its tag.

        The same pixels take a quarter less space as WebP than as PNG.
        """
        data = base64.b64decode(encoded)
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.webp"
        picture = Image.open(io.BytesIO(data))
        picture.save(self.out / "pictures" / name, lossless=True, method=4, quality=100)
        size = f'width="{picture.width}" height="{picture.height}"'
        tag = f'<img alt="{alt}" src="../pictures/{name}" {size} loading="lazy">'
        title = self.texts["enlarge"]
        return f'<a class="picture" href="../pictures/{name}" title="{title}">{tag}</a>'


def explorer_script(name: str) -> str:
    """Return the script of an explorer, with the values of its traits and any scenes."""
    explorer = explorer_named(name)
    traits, stored = explorer.page_traits(), None
    if isinstance(explorer, Explorer):
        stops = stops_of(explorer, function_of(name))
        at = [[*stops[each]].index(value) for each, value in explorer.values.items()]
        traits = {each: traits[each] for each in ("position", "offset", "own", "guessed")}
        traits |= {"explorer": explorer.described(stops), "at": at}
        stored = packed([*scenes_of(explorer, stops)])
    given = (name, explorer.module, traits, stored)
    return f"takeExplorer({','.join(map(compact, given))});"


if __name__ == "__main__":
    main()
