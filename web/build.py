"""Build the web edition: pages in each language, with explorers that need no kernel.

    python web/build.py --out site
    python web/build.py --out site --address https://somebody.github.io/course/

The pages are made of the committed notebooks and the package, without network. ``--address`` is
where the site will be found: a notebook that is opened elsewhere installs the course from there.
Where there is a Chromium, or COURSE_BROWSER names one, each language gets a PDF, too. ``--lite``
adds a JupyterLab that runs in the browser, with the notebooks and the course inside. It gets some
packages from the network; Python itself comes from where Pyodide is published, or is put inside
from the archive that JUPYTERLITE_PYODIDE_URL names.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from string import Template

WEB = Path(__file__).resolve().parent
REPOSITORY = WEB.parent
PACKAGE = REPOSITORY / "course_utils"
sys.path[:0] = [str(REPOSITORY), str(WEB)]

import nbformat
import reading
from lesson import Page, as_notebook, read
from stored import packed, stops_of

from course_utils import explorers
from course_utils.explorers.reading import ReadingExplorer
from course_utils.notebook.display import PAGE_STYLE
from course_utils.words.text import LANGUAGES, SHOWN, words

BROWSERS = (os.environ.get("COURSE_BROWSER", "chromium"), "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
PDF = "course.pdf"
NOT_IN_PYODIDE = ("anywidget", "comm", "ipywidgets", "jupyterlab-widgets", "psygnal")
NAME = "positional-encodings-course"
SAID = words(WEB / "words.toml")
# The appendix comes after the lessons, and the glossary at the end.
APPENDIX, GLOSSARY = (
    REPOSITORY / "notebooks" / f"{name}.ipynb" for name in ("07_pytorch_appendix", "glossary")
)
NUMBERED = sorted({*REPOSITORY.glob("notebooks/[0-9]*.ipynb")} - {APPENDIX})
PARTS = {
    "lessons": [*NUMBERED, APPENDIX, GLOSSARY],
    "labs": sorted(REPOSITORY.glob("labs/*/*.ipynb")),
}
NOTEBOOKS = [each for part in PARTS.values() for each in part]


def main() -> None:
    """Build what all languages share, and each language in a process that speaks only this one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder, made anew")
    parser.add_argument("--address", default="", help="where the site will be found")
    parser.add_argument("--lite", action="store_true", help="a JupyterLab in the browser, too")
    asked = parser.parse_args()
    if "COURSE_LANGUAGE" in os.environ:
        Edition(asked.out, asked.address, asked.lite).write()
        return
    shutil.rmtree(asked.out, ignore_errors=True)
    (asked.out / "pictures").mkdir(parents=True)
    style = PAGE_STYLE.read_text("utf-8") + (WEB / "site.css").read_text("utf-8") + reading.style()
    (asked.out / "site.css").write_text(style, "utf-8")
    (asked.out / "site.js").write_text(script(), "utf-8")
    (asked.out / "index.html").write_text(entrance(), "utf-8")
    reading.write_weights(asked.out / "weights")
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", asked.out.resolve()]
    subprocess.run(wheel, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, *sys.argv]
    environments = [{**os.environ, "COURSE_LANGUAGE": language} for language in LANGUAGES]
    running = [subprocess.Popen(command, env=each) for each in environments]
    if any([each.wait() for each in running]):
        sys.exit("The site is not complete.")
    if asked.lite:
        write_lite(asked.out.resolve())


def write_lite(out: Path) -> None:
    """JupyterLite, with the notebooks of each language as files and the course to be installed."""
    (wheel,) = out.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        contents = Path(folder) / "contents"
        for language in LANGUAGES:
            shutil.copytree(out / language / "files", contents / language)
        # There, what is to be installed is known by its name.
        for notebook in contents.rglob("*.ipynb"):
            source = re.sub(rf"\S*{re.escape(wheel.name)}", NAME, notebook.read_text("utf-8"))
            notebook.write_text(source, "utf-8")
        # What Pyodide has not, in the versions that the views in the page belong to.
        get = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"--dest={folder}/pypi"]
        get += ["--only-binary=:all:", "--platform=any", *NOT_IN_PYODIDE]
        subprocess.run([*get, f"--constraint={REPOSITORY / 'constraints.txt'}"], check=True)
        shutil.copy(wheel, Path(folder) / "pypi")
        settings = {"exposeAppInBrowser": True}  # try_lite.py asks it
        settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
        (Path(folder) / "jupyter-lite.json").write_text(json.dumps(settings), "utf-8")
        command = ["jupyter", "lite", "build", f"--lite-dir={folder}", f"--contents={contents}"]
        command += [f"--output-dir={out / 'lite'}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def compact(data: object) -> str:
    """Data as JavaScript, without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def filled(template: str, **values: str) -> str:
    """A file of this folder with its placeholders filled in."""
    return Template((WEB / template).read_text("utf-8")).substitute(values)


def entrance() -> str:
    """The page that leads on to the reader's language."""
    names = {code: SAID["course"][code] for code in LANGUAGES}
    link = '<p><a lang="{0}" hreflang="{0}" href="{0}/index.html">{1}</a></p>'
    links = "".join(link.format(*each) for each in names.items())
    title = " · ".join(names.values())
    return filled("entrance.html", title=title, links=links, known=compact([*LANGUAGES]))


def script() -> str:
    """One classic script: modules and requests do not work from a folder on disk."""
    script = f"const settings = {compact(explorers.settings())};\n"
    for name, module in (("view", "explorers/view.js"), ("switches", "notebook/switch.js")):
        source = (PACKAGE / module).read_text("utf-8")
        exported = re.findall(r"^export (?:function|const) (\w+)", source, re.M)
        inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
        inside += f"return {{ render, {', '.join(exported)} }};"
        script += f"const {name} = (() => {{\n{inside}\n}})();\n"
    return script + reading.script() + (WEB / "site.js").read_text("utf-8")


class Edition:
    """The pages of one language, their explorers, what can be searched, and the notebooks."""

    def __init__(self, out: Path, address: str, lite: bool) -> None:
        (self.language,) = SHOWN
        self.out, self.address, self.lite, self.folder = out, address, lite, out / self.language
        self.said = {name.replace("-", "_"): text[self.language] for name, text in SAID.items()}

    def write(self) -> None:
        """Write all of it into a folder of its own."""
        (self.folder / "scenes").mkdir(parents=True)
        pages = {each: read(each, self.language, self.kept_picture) for each in NOTEBOOKS}
        shown = [*pages.values()]
        for before, notebook, after in zip([None, *shown], pages, [*shown[1:], None], strict=False):
            around = "".join(
                f'<a rel="{rel}" href="{near.name}">{self.said[rel]}: {near.title}</a>'
                for rel, near in (("prev", before), ("next", after))
                if near
            )
            pages[notebook].body = self.note(notebook) + pages[notebook].body
            run = f"{self.said['run']}: {self.where(notebook)}."
            self.write_page(pages[notebook], around, run)
            self.write_notebook(notebook)
        if BROWSER:
            self.write_pdf(shown)
        self.write_page(Page("index.html", self.said["course"], self.contents(pages)))
        used = {name for page in shown for name in re.findall(r'data-scenes="(.*?)"', page.body)}
        for name in used:
            (self.folder / "scenes" / f"{name}.js").write_text(explorer_script(name), "utf-8")
        index = [[page.name, page.title, *part] for page in shown for part in page.parts]
        (self.folder / "words.js").write_text(f"takeWords({compact(index)});", "utf-8")

    def write_page(self, page: Page, around: str = "", run: str = "") -> None:
        """Fill in the template that all pages have."""
        link = '<a rel="alternate" lang="{0}" hreflang="{0}" href="../{0}/{1}"{2}>{3}</a>'
        here = {self.language: ' aria-current="true"'}
        languages = "\n".join(
            link.format(code, page.name, here.get(code, ""), said)
            for code, said in LANGUAGES.items()
        )
        values = {key: html.escape(text) for key, text in self.said.items()} | {
            "language": self.language, "title": html.escape(page.title), "body": page.body,
            "languages": languages, "around": around, "run": run,
            "minutes": page.minutes or "", "takes": self.takes(page),
        }  # fmt: skip
        (self.folder / page.name).write_text(filled("page.html", **values), "utf-8")

    def takes(self, page: Page) -> str:
        """How long the page takes, if it says so."""
        return self.said["minutes"].format(minutes=page.minutes) if page.minutes else ""

    def contents(self, pages: dict[Path, Page]) -> str:
        """The first page: what there is, and how long it takes."""
        parts = f"<h1>{self.said['course']}</h1>\n<p>{self.said['about']}</p>\n"
        parts += f'<p><a href="{PDF}">{self.said["as_pdf"]}</a></p>\n' if BROWSER else ""
        for part, notebooks in PARTS.items():
            lines = "".join(
                f'<li><a href="{page.name}">{page.title}</a> <span>{self.takes(page)}</span></li>\n'
                for page in map(pages.get, notebooks)
            )
            parts += f'<h2>{self.said[part]}</h2>\n<ul class="contents">{lines}</ul>\n'
        return parts

    def note(self, notebook: Path) -> str:
        """What has to be said before a page that is about running something."""
        if notebook in PARTS["labs"]:
            note = self.said["where_to_do_it"].format(where=self.where(notebook))
        else:
            note = self.said["of_the_notebooks"] if notebook == NOTEBOOKS[0] else ""
        return note and f'<p class="note">{note}</p>\n'

    def where(self, notebook: Path) -> str:
        """Links to where the notebook can be run."""
        name = notebook.relative_to(REPOSITORY).as_posix()
        links = [f'<a href="files/{name}" download>{self.said["as_notebook"]}</a>']
        if self.lite:
            # Notebook's page and not JupyterLab's, whose panels leave no room on a telephone.
            there = f"../lite/notebooks/index.html?path={self.language}/{name}"
            links.append(f'<a href="{there}">{self.said["in_a_tab"]}</a>')
        return ", ".join(links)

    def write_pdf(self, pages: list[Page]) -> None:
        """All pages as one, printed by the browser."""
        whole = "".join(f'<article class="printed">{page.body}</article>' for page in pages)
        whole = whole.replace('loading="lazy"', "").replace("<details", "<details open")
        self.write_page(Page("print.html", self.said["course"], whole))
        source = (self.folder / "print.html").resolve()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
            command += ["--disable-background-networking", f"--user-data-dir={profile}"]
            command += ["--no-pdf-header-footer", f"--print-to-pdf={source.with_name(PDF)}"]
            subprocess.run([*command, source.as_uri()], check=True, capture_output=True)
        source.unlink()

    def write_notebook(self, notebook: Path) -> None:
        """The notebook in this language, in the same folders, with the numbers that it reads."""
        target = self.folder / "files" / notebook.relative_to(REPOSITORY)
        target.parent.mkdir(parents=True, exist_ok=True)
        (wheel,) = self.out.glob("*.whl")
        up = self.address or "../" * len(target.parent.relative_to(self.out).parts)
        first = filled("install.txt", wheel=up + wheel.name, language=self.language, **self.said)
        for name in {*re.findall(r"\.\./(experiments/[\w.]+)", notebook.read_text("utf-8"))}:
            (self.folder / "files" / "experiments").mkdir(exist_ok=True)
            shutil.copy(REPOSITORY / name, self.folder / "files" / name)
            if self.address:
                place = f"{self.address}{self.language}/files/{name}"
                first += filled("fetch.txt", name=name, place=place)
        nbformat.write(as_notebook(notebook, self.language, first.rstrip()), target)

    def kept_picture(self, encoded: str, alt: str) -> str:
        """The tag of a picture that is written to a file of its own, once for all languages."""
        data = base64.b64decode(encoded)
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.png"
        (self.out / "pictures" / name).write_bytes(data)
        width, height = struct.unpack(">II", data[16:24])
        size = f'width="{width}" height="{height}"'
        tag = f'<img alt="{alt}" src="../pictures/{name}" {size} loading="lazy">'
        title = self.said["enlarge"]
        return f'<a class="picture" href="../pictures/{name}" title="{title}">{tag}</a>'


def explorer_script(name: str) -> str:
    """What an explorer has beside its scenes, and the scenes."""
    function, *given = name.split("-")
    named = dict(each.split("=") for each in given if "=" in each)
    explorer = getattr(explorers, function)(*(each for each in given if "=" not in each), **named)
    if isinstance(explorer, ReadingExplorer):
        return reading.explorer_script(name, explorer)
    stops = stops_of(explorer, function)
    at = [[*values].index(explorer.parameters[each].value) for each, values in stops.items()]
    start = {"at": at, "position": explorer.position.value, "offset": explorer.view.offset}
    spec = {"explorer": explorer.described(stops), "start": start}
    return f'takeScenes("{name}",{compact(spec)},"{packed(explorer, stops)}");'


if __name__ == "__main__":
    main()
