"""Tests of the names and the image in ``classroom/kubernetes``, without a cluster.

The chart itself rejects unknown keys.
"""

import shlex
import shutil
import subprocess

import pytest
import yaml
from checks.labs import REPOSITORY

FOLDER = REPOSITORY / "classroom" / "kubernetes"


def documents(name: str) -> list[dict]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def test_names_agree_across_files():
    (values,) = documents("values.yaml")
    job, _ = documents("grading.yaml")
    claims = {document["metadata"]["name"] for document in documents("exchange.yaml")}
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    image = values["singleuser"]["image"]
    assert container["image"] == f"{image['name']}:{image['tag']}"
    storage = values["singleuser"]["storage"]
    volumes = [*pod["volumes"], *storage["extraVolumes"].values()]
    assert {each["persistentVolumeClaim"]["claimName"] for each in volumes} == claims
    mounts = [*container["volumeMounts"], *storage["extraVolumeMounts"].values()]
    assert {each["name"] for each in mounts} == {each["name"] for each in volumes}
    assert container["args"][-1] == f"$(JOB_COMPLETION_INDEX)/{job['spec']['completions']}"


def test_image_keeps_package_outside_home_volume():
    program = shutil.which("jupyter-repo2docker")
    if program is None:
        pytest.skip("repo2docker is missing (python -m pip install jupyter-repo2docker)")
    lines = (FOLDER / "values.yaml").read_text(encoding="utf-8").splitlines()
    (command,) = [line[1:] for line in lines if "repo2docker" in line and line[:2] == "# "]
    appendix = (FOLDER / "appendix").read_text(encoding="utf-8")
    command = command.replace('"$(cat classroom/kubernetes/appendix)"', shlex.quote(appendix))
    command = [program, "--no-build", "--debug", *shlex.split(command)[1:]]
    run = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    recipe = run.stdout + run.stderr
    assert run.returncode == 0, recipe[-2000:]
    assert appendix in recipe and "/srv/course" in command
    assert "COPY --chown=0:0 src/ ${REPO_DIR}/" in recipe  # so learners cannot change it
    assert [line for line in recipe.splitlines() if line.startswith("USER")][-1] != "USER root"
