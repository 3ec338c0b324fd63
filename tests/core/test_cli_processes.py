"""The command line as started by services and shells: with closed descriptors, and with Ctrl-C at any moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_core import starting
from bpe_core.cli import main
from tests.draws import first

PROJECT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "bpe_core"]
CLOSED = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}
INTERRUPTING = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED_AT"]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
"""


def run(*arguments: str, closed: tuple[str, ...], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    shell = f'exec "$@" {" ".join(CLOSED[name] for name in closed)}'
    command = ["sh", "-c", shell, "sh", *PROGRAM, *arguments]
    return subprocess.run(command, cwd=PROJECT, input=stdin, capture_output=True, check=False)


@pytest.mark.parametrize(
    "closed", first(2, [("stdin", "stdout", "stderr"), ("stdin", "stdout"), ("stdin", "stderr"), ("stderr",)])
)
def test_files_are_written_whatever_is_closed(closed: tuple[str, ...], tmp_path: Path) -> None:
    text, out = tmp_path / "text.txt", tmp_path / "out.json"
    text.write_text("low lower lowest", encoding="utf-8")
    done = run("train", str(text), "--vocab-size", "260", "--out", str(out), closed=closed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(out.read_bytes())["format"] == "bpe-lab"
    assert text.read_text(encoding="utf-8") == "low lower lowest"


@pytest.mark.parametrize(
    ("arguments", "closed", "says"),
    first(
        2,
        [
            pytest.param(["encode", "--tokenizer", "gpt2", "--text", "low"], ("stdout",), b"stdout is closed"),
            pytest.param(["encode", "--tokenizer", "gpt2"], ("stdin",), b"stdin is closed"),
            pytest.param(["decode", "--tokenizer", "gpt2"], ("stdin", "stdout"), b"stdin is closed"),
            pytest.param(["--help"], ("stdout",), b"stdout is closed"),
            pytest.param(["encode", "--tokenizer", "gtp2", "--text", "low"], ("stdin", "stdout"), b"Did you mean gpt2"),
        ],
    ),
)
def test_what_needs_a_closed_stream_says_so(arguments: list[str], closed: tuple[str, ...], says: bytes) -> None:
    done = run(*arguments, closed=closed)
    assert done.returncode == 1
    assert says in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_result_is_written_where_stderr_is_closed() -> None:
    done = run("encode", "--tokenizer", "gpt2", closed=("stderr",), stdin=b"Hello, world")
    assert (done.returncode, done.stdout) == (0, b"15496 11 995\n")


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["encode", "--tokenizer", "gpt2"],
        ["encode", "--tokenizer", "nothing here", "--text", "a"],
        ["decode", "--tokenizer", "gpt2", "--ids", "15496"],
        ["compare", "--text", "low"],
        ["train", "--vocab-size", "300", "--out", "-"],
        ["train"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_no_command_fails_in_another_way(
    name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Runs in this process: Python sets a stream to None if its descriptor is closed."""
    monkeypatch.setattr(sys, name, None)
    assert main(arguments) in (0, 1, 2)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("program", ["bpe_core", "ui"])
@pytest.mark.parametrize(
    "module",
    first(
        3,
        [
            "bpe_core.bpe.config",
            "numpy._core.multiarray",
            "bpe_core.cli.arguments",
            "numpy",
            "numba",
            "tiktoken",
            "sentencepiece",
            "bpe_core.cli",
        ],
    ),
)
def test_ctrl_c_while_anything_is_imported_is_exit_code_130(module: str, program: str, tmp_path: Path) -> None:
    Path(tmp_path, "sitecustomize.py").write_text(INTERRUPTING, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "INTERRUPTED_AT": module}
    done = subprocess.run(
        [sys.executable, "-m", program, "encode", "--tokenizer", "gpt2", "--text", "low"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_program_that_imports_the_core_keeps_its_ctrl_c() -> None:
    before = signal.getsignal(signal.SIGINT)
    program = "import signal, bpe_core; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True)
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.stdout == b"True\n"
    assert not starting.is_program(sys.orig_argv)
