"""``classroom/kubernetes``, which nothing here can run: its keys, its names, the image's recipe."""

import shlex
import shutil
import subprocess
from collections.abc import Iterator

import pytest
import yaml
from checks.labs import REPOSITORY

FOLDER = REPOSITORY / "classroom" / "kubernetes"

# Keys that zero-to-jupyterhub publishes in its values.schema.yaml (JupyterHub 5.5), for the
# sections that are used here. Where the chart takes any key below, there are none below.
PUBLISHED = {
    "": "cull debug global hub imagePullSecret imagePullSecrets ingress prePuller proxy rbac "
    "scheduling singleuser",
    "hub": "activeServerLimit allowNamedServers args authenticatePrometheus baseUrl command "
    "concurrentSpawnLimit config consecutiveFailureLimit cookieSecret db deploymentStrategy "
    "existingSecret extraConfig extraEnv extraFiles extraVolumeMounts extraVolumes image "
    "loadRoles networkPolicy redirectToServer resources services templatePaths templateVars",
    "hub.config": "",
    "hub.db": "password pvc type upgrade url",
    "hub.loadRoles": "",
    "proxy": "chp https secretToken service traefik",
    "proxy.https": "enabled hosts letsencrypt manual secret type",
    "proxy.https.letsencrypt": "acmeServer contactEmail",
    "singleuser": "cloudMetadata cmd cpu defaultUrl events extraContainers extraEnv extraFiles "
    "extraPodConfig extraResource fsGid image initContainers lifecycleHooks memory networkPolicy "
    "nodeSelector profileList serviceAccountName startTimeout storage uid",
    "singleuser.image": "name pullPolicy pullSecrets tag",
    "singleuser.memory": "guarantee limit",
    "singleuser.cpu": "guarantee limit",
    "singleuser.lifecycleHooks": "",
    "singleuser.storage": "capacity dynamic extraLabels extraVolumeMounts extraVolumes "
    "homeMountPath static type",
    "singleuser.storage.extraVolumes": "",
    "singleuser.storage.extraVolumeMounts": "",
    "singleuser.networkPolicy": "allowedIngressPorts egress egressAllowRules enabled ingress "
    "interNamespaceAccessLabels",
    "singleuser.networkPolicy.egressAllowRules": "cloudMetadataServer "
    "dnsPortsCloudMetadataServer dnsPortsKubeSystemNamespace dnsPortsPrivateIPs nonPrivateIPs "
    "privateIPs",
    "cull": "adminUsers concurrency enabled every maxAge removeNamedServers timeout users",
    "scheduling": "corePods podPriority userPlaceholder userPods userScheduler",
    "scheduling.podPriority": "defaultPriority enabled globalDefault imagePullerPriority "
    "userPlaceholderPriority",
    "scheduling.userPlaceholder": "annotations containerSecurityContext enabled image labels "
    "replicas resources revisionHistoryLimit",
    "prePuller": "annotations containerSecurityContext continuous extraImages extraTolerations "
    "hook labels pause pullProfileListImages pullSecrets resources revisionHistoryLimit",
    "prePuller.continuous": "enabled",
}


def used(values: dict[str, object], section: str = "") -> Iterator[tuple[str, str]]:
    """Every key, with the section that it stands in."""
    for key, value in values.items() if PUBLISHED[section] else ():
        yield section, key
        if isinstance(value, dict):
            yield from used(value, f"{section}.{key}".removeprefix("."))


def documents(name: str) -> list[dict]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def test_the_chart_knows_every_key():
    (values,) = documents("values.yaml")
    assert [where for where in used(values) if where[1] not in PUBLISHED[where[0]].split()] == []


def test_names_that_meet_in_several_files_are_the_same():
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


def test_the_image_has_the_package_outside_the_home_that_a_volume_hides():
    program = shutil.which("jupyter-repo2docker")
    if program is None:
        pytest.skip("repo2docker is missing (python -m pip install jupyter-repo2docker)")
    lines = (FOLDER / "values.yaml").read_text(encoding="utf-8").splitlines()
    (command,) = [line[1:] for line in lines if "repo2docker" in line and line[:2] == "# "]
    appendix = (FOLDER / "appendix").read_text(encoding="utf-8")
    command = command.replace('"$(cat classroom/kubernetes/appendix)"', shlex.quote(appendix))
    _, *arguments, folder = shlex.split(command)
    assert folder == "."
    assert arguments[arguments.index("--target-repo-dir") + 1] == "/srv/course"
    run = subprocess.run(
        [program, "--no-build", "--debug", *arguments, REPOSITORY],
        capture_output=True,
        text=True,
        timeout=60,
    )
    recipe = run.stdout + run.stderr
    assert run.returncode == 0, recipe[-2000:]
    assert '--file "environment.yml"' in recipe  # Python and packages come from there
    assert appendix in recipe
    assert "COPY --chown=0:0 src/ ${REPO_DIR}/" in recipe  # learners cannot change it
    assert [line for line in recipe.splitlines() if line.startswith("USER")][-1] != "USER root"
