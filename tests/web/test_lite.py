"""Tests of JupyterLab in the browser, with Pyodide from npm but without NumPy and Matplotlib.

If JUPYTERLITE_PYODIDE_URL points to a complete Pyodide, all steps must succeed with it.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from checks.extras import missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not find_spec("jupyterlite_pyodide_kernel"), reason=missing("JupyterLite", "lite")
    ),
    pytest.mark.skipif(not shutil.which("npm"), reason="npm, which brings Pyodide, is missing"),
]
REPOSITORY = Path(__file__).resolve().parents[2]
WHOLE = "JUPYTERLITE_PYODIDE_URL"
# Imports of the kernel and anywidget. No registry has the NumPy and Matplotlib wheels.
PURE = ["ipython", "jedi", "micropip", "packaging", "traitlets", "typing-extensions"]


def without_numpy(folder: Path) -> Path:
    """Create an archive of Pyodide, with its core from npm and pure Python packages from PyPI."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION, PYODIDE_VERSION

    npm = ["npm", "pack", "--silent", f"pyodide@{PYODIDE_VERSION}"]
    subprocess.run(npm, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    shutil.unpack_archive(folder / f"pyodide-{PYODIDE_VERSION}.tgz", folder)
    pyodide = (folder / "package").rename(folder / "pyodide")
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    names = [*PURE]
    for name in names:
        needed = (each.lower().replace("_", "-") for each in lock["packages"][name]["depends"])
        names += [each for each in needed if each not in names]
    packages = [lock["packages"][name] for name in names]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"--dest={pyodide}"]
    pip += ["--only-binary=:all:", f"--python-version={PYODIDE_PYTHON_VERSION}", "--platform=any"]
    named = [f"{package['name']}=={package['version']}" for package in packages]
    subprocess.run([*pip, *named], check=True)
    wheels = {each.name.split("-")[0].lower(): each for each in pyodide.glob("*.whl")}
    for package in packages:
        wheel = wheels[package["name"].replace("-", "_").lower()]
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        package.update(file_name=wheel.name, sha256=digest)
    (pyodide / "pyodide-lock.json").write_text(json.dumps(lock))
    return Path(shutil.make_archive(folder / "whole", "bztar", folder, "pyodide"))


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Minimal site with JupyterLite."""
    folder = tmp_path_factory.mktemp("lite")
    built = os.environ.get("COURSE_SITE")
    if not built or not Path(built).exists():
        pytest.skip("COURSE_SITE names no site that was built before")
    pyodide = os.environ.get(WHOLE) or without_numpy(folder)
    for each in [*Path(built).glob("*.whl"), *Path(built).glob("*/files")]:
        target = folder / "site" / each.relative_to(built)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(each, target) if each.is_dir() else shutil.copy(each, target)
    write_lite = "from web import build; build.write_lite(Path(sys.argv[1]))"
    code = f"import sys; from pathlib import Path; {write_lite}"
    environment = {**os.environ, WHOLE: str(pyodide)}
    command = [sys.executable, "-c", code, folder / "site"]
    subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, stdout=subprocess.DEVNULL)
    return folder / "site"


def test_jupyterlite_keeps_its_data(site):
    command = [sys.executable, REPOSITORY / "tools" / "try_lite.py", site]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1_200)
    assert "works: JupyterLab opens" in run.stdout, run.stderr
    others = [each for each in run.stdout.splitlines() if not each.startswith("works: ")]
    if not os.environ.get(WHOLE):
        assert others.pop(0).startswith("does not work: NumPy and Matplotlib are there")
        others = [each for each in others if not each.startswith("not tried: ")]
    assert others == [], run.stdout
