"""Build the web edition: pages in each language, with explorers that need no kernel.

    python web/build.py --out site
    python web/build.py --out site --address https://somebody.github.io/course

The pages are made of the committed notebooks and the package, without network. ``--address`` is
where the site will be found; notebooks that are opened elsewhere install the course from there.
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
from pathlib import Path
from string import Template

WEB = Path(__file__).resolve().parent
REPOSITORY = WEB.parent
sys.path.insert(0, str(REPOSITORY))

from course_utils import explorers, page, scenes  # noqa: E402
from course_utils.explorers.controls import state  # noqa: E402
from course_utils.text import LANGUAGES, SHOWN, Text, words  # noqa: E402

if str(WEB) not in sys.path:
    sys.path.insert(0, str(WEB))
import lesson  # noqa: E402
import stored  # noqa: E402

SAID = words(WEB / "words.toml")
LESSONS = sorted(REPOSITORY.glob("notebooks/[0-9]*.ipynb"))
LABS = sorted(REPOSITORY.glob("labs/*/*.ipynb"))
# The appendix comes after lesson 09, and the glossary at the end.
APPENDIX = REPOSITORY / "notebooks" / "07_pytorch_appendix.ipynb"
GLOSSARY = REPOSITORY / "notebooks" / "glossary.ipynb"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder, made anew")
    parser.add_argument("--address", default="", help="where the site will be found")
    asked = parser.parse_args()
    if "COURSE_LANGUAGE" in os.environ:
        build_language(asked.out, SHOWN[0])
        return
    shutil.rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    write_shared(asked.out)
    # A process for each language: what it imports then speaks this language only.
    again = [sys.executable, *sys.argv]
    running = [
        subprocess.Popen(again, env={**os.environ, "COURSE_LANGUAGE": each}) for each in LANGUAGES
    ]
    if any([each.wait() for each in running]):
        sys.exit("The site is not complete.")


def write_shared(out: Path) -> None:
    """What the pages of all languages use."""
    style = (page.MODULE_FOLDER / "page.css").read_text("utf-8") + read("site.css")
    (out / "site.css").write_text(style, "utf-8")
    (out / "site.js").write_text(script(), "utf-8")
    (out / "pictures").mkdir()
    (out / "index.html").write_text(entrance(), "utf-8")


def read(name: str) -> str:
    return (WEB / name).read_text("utf-8")


def entrance() -> str:
    """The page that leads on to the reader's language."""
    links = "".join(
        f'<p><a lang="{code}" hreflang="{code}" href="{code}/index.html">{name}: '
        f"{SAID['course'][code]}</a></p>"
        for code, name in LANGUAGES.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>'
        f"{' · '.join(SAID['course'][code] for code in LANGUAGES)}</title>"
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="site.css">'
        f"<main>{links}</main><script>const known = {json.dumps([*LANGUAGES])};"
        "const wanted = [localStorage.getItem('course-language'), ...navigator.languages];"
        "const chosen = wanted.map((each) => each?.slice(0, 2)).find((each) => known.includes(each));"
        "if (chosen) location.replace(`${chosen}/index.html`);</script></html>"
    )


def build_language(out: Path, language: str) -> None:
    """All pages of one language, the explorers that they show and the words to search."""
    folder = out / language
    (folder / "scenes").mkdir(parents=True)
    lessons = [each for each in LESSONS if each != APPENDIX] + [APPENDIX]
    pages = {
        each: lesson.read(each, language, lambda *given: kept_picture(out, *given))
        for each in [*lessons, *LABS, GLOSSARY]
    }
    in_order = list(pages)
    for place, (notebook, its) in enumerate(pages.items()):
        around = in_order[place - 1] if place else None, *in_order[place + 1 : place + 2]
        write_page(folder, lesson.page_name(notebook), its.title, its.body, its.minutes, links(
            pages, [SAID["previous"], SAID["next"]], around), notebook)
    write_page(folder, "index.html", SAID["course"][language], contents(pages, lessons, language))
    asked = sorted({name for its in pages.values() for name in re.findall(r'data-scenes="([^"]+)"', its.body)})
    for name in asked:
        (folder / "scenes" / f"{name}.js").write_text(explorer_script(name), "utf-8")
    index = [
        [lesson.page_name(notebook), its.title, *section]
        for notebook, its in pages.items()
        for section in its.sections
    ]
    (folder / "words.js").write_text(f"takeWords({compact(index)});", "utf-8")


def compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def links(pages: dict, names: list[Text], notebooks: tuple) -> str:
    return "".join(
        f'<a href="{lesson.page_name(each)}">{name[SHOWN[0]]}: {pages[each].title}</a>' if each else "<span></span>"
        for name, each in zip(names, [*notebooks, None], strict=False)
    )


def contents(pages: dict, lessons: list[Path], language: str) -> str:
    """The first page: what there is, and how long it takes."""
    parts = [f"<h1>{SAID['course'][language]}</h1><p class='note'>{SAID['about'][language]}</p>"]
    for heading, notebooks in (("lessons", [*lessons, GLOSSARY]), ("labs", LABS)):
        lines = "".join(
            f'<li><a href="{lesson.page_name(each)}">{pages[each].title}</a> '
            f"{minutes_of(pages[each].minutes)}</li>"
            for each in notebooks
        )
        parts.append(f'<h2>{SAID[heading][language]}</h2><ul class="contents">{lines}</ul>')
    return "\n".join(parts)


def minutes_of(minutes: int | None) -> str:
    return "" if minutes is None else SAID["minutes"].format(minutes=minutes)[SHOWN[0]]


def write_page(
    folder: Path, name: str, title: str, body: str, minutes: int | None = None, around: str = "", notebook: Path | None = None
) -> None:
    language = folder.name
    said = {key: text[language] for key, text in SAID.items()}
    others = [code for code in LANGUAGES if code != language]
    alternates = [
        f'<link rel="alternate" hreflang="{code}" href="../{code}/{name}">' for code in LANGUAGES
    ]
    languages = [
        f'<a lang="{code}" hreflang="{code}" href="../{code}/{name}">{LANGUAGES[code]}</a>' for code in others
    ]
    left = ""
    if minutes is not None:
        left = (
            f'<span data-minutes="{minutes}" data-left="{said["minutes-left"]}">'
            f"{minutes_of(minutes)}</span>"
        )
    text = Template(read("page.html")).substitute(
        {key: html.escape(each) for key, each in said.items() if key.isidentifier()},
        language=language,
        root="../",
        title=html.escape(title),
        alternates="\n".join(alternates),
        languages="\n".join(languages),
        minutes=left,
        body=body,
        around=around,
        run="",
    )
    (folder / name).write_text(text, "utf-8")


def kept_picture(out: Path, encoded: str, alt: str) -> str:
    """The tag of a picture that is written to a file of its own, once for all languages."""
    data = base64.b64decode(encoded)
    name = f"{hashlib.sha256(data).hexdigest()[:16]}.png"
    (out / "pictures" / name).write_bytes(data)
    width, height = struct.unpack(">II", data[16:24])
    return (
        f'<img alt="{alt}" src="../pictures/{name}" width="{width}" height="{height}" '
        'loading="lazy">'
    )


def script() -> str:
    """One classic script: modules and requests do not work from a folder on disk."""
    view, switch = map(as_object, ("explorers/view.js", "switch.js"))
    house = compact(scenes.for_every_scene())
    return f"const view = {view};\nconst switches = {switch};\nconst house = {house};\n{read('site.js')}"


def as_object(module: str) -> str:
    """A module of the package as an expression: an object of what it exports."""
    source = (page.MODULE_FOLDER / module).read_text("utf-8")
    names = re.findall(r"^export (?:function|const) (\w+)", source, re.M)
    inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
    return f"(() => {{\n{inside}\nreturn {{ {', '.join([*names, 'render'])} }};\n}})()"


def explorer_script(name: str) -> str:
    """What an explorer has beside its scenes, and the scenes."""
    function, *given = name.split("-")
    explorer = getattr(explorers, function)(*given)
    stops = stored.stops_of(explorer, function)
    parameters = [
        {
            "name": each,
            "kind": type(control).__name__,
            "label": control.description,
            "stops": [str(s) if isinstance(s, str) else s for s in stops[each]],
            "names": [option[0] if isinstance(option, tuple) else option for option in getattr(control, "options", [])],
            "at": stops[each].index(control.value),
        }
        for each, control in explorer.parameters.items()
    ]
    presets = [
        [label, [stops[each].index(value) for each, value in values.items()]]
        for label, values in explorer.presets.items()
    ]
    view = explorer.view
    spec = {
        "parameters": parameters,
        "presets": presets,
        "position": {"label": explorer.position.description, "value": explorer.position.value},
        "offset": explorer.offset and {"label": explorer.offset.description, "value": explorer.offset.value},
        "view": {"caption": view.caption, "words": view.words, "play": played(explorer)},
    }
    return f"takeScenes({compact(name)},{compact(spec)},{compact(stored.packed(explorer, function))});"


def played(explorer: explorers.Explorer) -> dict:
    play = explorer.view.play
    names = {f"IPY_MODEL_{c.model_id}": f"IPY_MODEL_{name}" for name, c in explorer.parameters.items()}
    return {**play, "control": names.get(play.get("control"))} if play else {}


if __name__ == "__main__":
    main()
