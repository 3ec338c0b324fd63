# Sourced by scripts/run and scripts/test, not run by itself.
# shellcheck shell=bash

PROJECT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
VENV=$PROJECT/.venv
PYTHON=$VENV/bin/python

# Without its bytecode kept, every process would compile the project and its packages again.
unset PYTHONDONTWRITEBYTECODE

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# is_python COMMAND [MODULE]: does COMMAND run (a name on the PATH need not), as Python 3.11 or newer, with MODULE?
is_python() {
    "$1" -c "import sys; sys.exit(sys.version_info < (3, 11))
import ${2:-sys}" >/dev/null 2>&1
}

# Prints the first Python on the PATH that can make an environment.
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

# prepare_environment REQUIREMENTS...: the project's own environment, with the packages of these files. The last file
# includes the others. Nothing is installed while the files are as they were at the last install, so that the app
# starts without a network. Both scripts use one environment: what is tested is what runs.
prepare_environment() {
    local wanted last=${*: -1} stamp python
    cd -- "$PROJECT" || exit
    wanted=$(cat -- "$@")
    stamp=$VENV/installed-$last
    if ! is_python "$PYTHON" pip; then
        python=$(find_python)
        printf 'Making the environment .venv with %s …\n' "$python" >&2
        "$python" -m venv --clear "$VENV" || fail "Could not make $VENV: is the folder writable, and the disk not full?"
    fi
    if [[ ! -f $stamp || $(<"$stamp") != "$wanted" ]]; then
        printf 'Installing the packages of %s, once …\n' "$last" >&2
        # --no-compile: Python compiles what it imports when it first does, a third of these packages' 9,000 modules.
        "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile -r "$last" ||
            fail "Could not install $last: this step needs a network, later starts do not. Run this again when there is one."
        printf '%s\n' "$wanted" >"$stamp"
    fi
}
