"""Tests that the bundles in ``dist`` are built from the explorers' JavaScript."""

import subprocess

import pytest
from generators import bundles
from private_jupyter import REPOSITORY

from course_utils.explorers.base import widgets

RUN = "run `python tools/generate.py bundles` and commit what it writes"


def test_each_bundle_has_checksum_of_its_sources() -> None:
    for name in bundles.entries():
        stored = bundles.DIST / f"{name}.js"
        assert stored.exists(), f"dist/{name}.js is missing: {RUN}"
        assert bundles.is_current(stored), f"sources of dist/{name}.js have changed: {RUN}"
    former = {each.stem for each in bundles.stored_files()} - bundles.entries().keys()
    assert not former, f"dist has bundles without sources, {former}: {RUN}"


def test_every_kind_of_explorer_has_its_bundle() -> None:
    for name, widget in widgets().items():
        assert name in bundles.entries(), f"{widget.__name__} needs explorers/{name}/{name}.js"


def test_esbuild_writes_stored_bundles() -> None:
    """The test runs only if deno has already downloaded esbuild, so that it needs no network."""
    try:
        made = bundles.bundled("--cached-only")
    except (SystemExit, subprocess.CalledProcessError):
        pytest.skip(
            "esbuild is missing (install the extra style, run `tools/generate.py bundles` once)"
        )
    for name, text in made.items():
        stored = (bundles.DIST / f"{name}.js").read_text("utf-8")
        assert stored == text, f"dist/{name}.js was edited: delete it, and {RUN}"


def test_changed_source_changes_checksum(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(bundles, "EXPLORERS", tmp_path)
    monkeypatch.setattr(bundles, "DIST", tmp_path / "dist")
    (tmp_path / "one").mkdir()
    bundles.DIST.mkdir()
    entry, used = tmp_path / "one" / "one.js", tmp_path / "one" / "used.js"
    entry.write_text('import {\n  some\n} from "./used.js";\nexport default { render: some };\n')
    used.write_text("export const some = 1;\n")
    stored = bundles.DIST / "one.js"
    stored.write_text(bundles.first_line(entry))
    assert bundles.sources_of(entry) == [entry, used]
    assert bundles.files() == {stored: bundles.first_line(entry)}
    used.write_text("export const some = 2;\n")
    assert not bundles.is_current(stored)


def test_modules_pass_type_check() -> None:
    """All shared modules are checked, and other modules if they request it."""
    begins = "// @ts-check\n"
    shared = sorted(bundles.EXPLORERS.glob("shared/*.js"))
    unchecked = [each.name for each in shared if not each.read_text("utf-8").startswith(begins)]
    assert not unchecked, f"begin with the line // @ts-check: {unchecked}"
    modules = [each for name in bundles.entries().values() for each in bundles.sources_of(name)]
    checked = [each for each in modules if each.read_text("utf-8").startswith(begins)]
    try:
        deno = bundles.esbuild((), ())[0]
    except SystemExit as missing:
        pytest.skip(str(missing))
    command = [deno, "check", "--no-lock", *sorted({*map(str, checked)})]
    found = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)
    assert found.returncode == 0, found.stderr


def test_missing_deno_is_named(monkeypatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match=r"deno is missing: pip install"):
        bundles.bundled()
