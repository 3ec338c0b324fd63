# Sourced by scripts/run, scripts/test and scripts/lock, not run by itself.
# shellcheck shell=bash

PROJECT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
VENV=$PROJECT/.venv
PYTHON=$VENV/bin/python
UV=$VENV/bin/uv

# Without a bytecode cache, every process would compile the project and its packages again.
unset PYTHONDONTWRITEBYTECODE

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# is_python COMMAND [MODULE]: whether COMMAND runs (a name on the PATH may not) as Python 3.11 or newer, with MODULE.
is_python() {
    "$1" -c "import sys; sys.exit(sys.version_info < (3, 11))
import ${2:-sys}" >/dev/null 2>&1
}

# Prints the first Python on the PATH that can create an environment.
find_python() {
    local name without_venv=
    for name in python3.13 python3.12 python3.11 python3 python; do
        if is_python "$name" 'venv, ensurepip'; then
            printf '%s\n' "$name"
            return
        elif is_python "$name"; then
            without_venv=$name
        fi
    done
    if [[ -n $without_venv ]]; then
        fail "$without_venv has no venv module: install it (Debian, Ubuntu: apt-get install python3-venv) and run this again."
    fi
    fail "BPE Lab needs Python 3.11 or newer and found none on the PATH: install it from python.org or your package manager."
}

# make_environment: changes to the project's folder and creates .venv with Python and pip, unless it exists.
make_environment() {
    local python
    cd -- "$PROJECT" || exit
    if ! is_python "$PYTHON" pip; then
        python=$(find_python)
        printf 'Making the environment .venv with %s …\n' "$python" >&2
        "$python" -m venv --clear "$VENV" || fail "Could not make $VENV: is the folder writable, and the disk not full?"
    fi
}

# pip_install ARGUMENTS...: --no-compile, as uv does by default: only a third of these packages' 9,000 modules are ever
# imported, and Python compiles them then.
pip_install() {
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile "$@"
}

install_uv() {
    [[ -x $UV ]] || pip_install 'uv>=0.13,<0.14'
}

# prepare_environment LOCK...: installs exactly the packages of the first lock. An environment of a later lock, which
# contains the first one, is accepted too: scripts/run keeps what scripts/test has installed. Nothing is installed while
# a lock is unchanged since the last install, so that the app starts without a network.
prepare_environment() {
    local lock installed=$VENV/installed.lock
    make_environment
    for lock in "$@"; do
        if cmp -s -- "$lock" "$installed"; then return; fi
    done
    printf 'Installing the packages of %s, once …\n' "$1" >&2
    rm -f -- "$installed"
    # Without uv, pip installs the same versions, but does not remove packages that were dropped from the locks.
    { install_uv && "$UV" pip sync --quiet --python "$PYTHON" --require-hashes "$1"; } ||
        pip_install --no-deps --require-hashes -r "$1" ||
        fail "Could not install $1: this step needs a network, later starts do not. Run this again when there is one."
    cp -- "$1" "$installed"
}

# The scripts of the components are checked and tested with Node 20 or newer.
has_node() {
    command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' >/dev/null 2>&1
}

# Linter and type checker of the scripts, in node_modules; installed again only when package-lock.json changes.
prepare_node_modules() {
    has_node ||
        fail "The scripts of the components are checked with Node: install Node 20 or newer with npm, and run this again."
    local stamp=node_modules/installed-package-lock.json
    if cmp -s package-lock.json "$stamp"; then return; fi
    printf 'Installing the packages of package-lock.json, once …\n' >&2
    npm ci --no-audit --no-fund --loglevel=error >&2 ||
        fail "Could not install package-lock.json: this step needs a network, later runs do not. Run this again when there is one."
    cp package-lock.json "$stamp"
}
