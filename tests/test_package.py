"""The project as a package: the wheel is complete, and its commands work in any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from bpe_core import TrainConfig, load_pretrained, train
from tests.browser.serving import PROJECT, Server, served_app
from tests.forged.visitor import PATIENCE, visiting

PACKAGES = ("bpe_core", "ui")
BESIDE_APP = (".streamlit/config.toml", "app.py", "lessons", "pages", "sample_texts")
"""The wheel's content in its folder bpe_lab."""

FOR_CHECKERS_ONLY = {".ts"}

CORE = """
import sys
from bpe_core import TrainConfig, load, load_pretrained, save, train
tokenizer = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
save(tokenizer, "tokenizer.json", format="tokenizers")
print(load("tokenizer.json").encode("slower").ids.tolist(), load_pretrained("gpt2").encode("slower").ids.tolist())
assert not {"streamlit", "ui"} & set(sys.modules)
"""


def files_below(path: Path) -> Iterator[Path]:
    found = path.rglob("*") if path.is_dir() else [path]
    return (each for each in found if each.is_file() and "__pycache__" not in each.parts)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    [built] = folder.iterdir()
    return built


def test_the_wheel_has_every_file_that_the_app_needs_and_no_other(wheel: Path) -> None:
    packaged = (each for name in PACKAGES for each in files_below(PROJECT / name))
    expected = {path.relative_to(PROJECT).as_posix() for path in packaged if path.suffix not in FOR_CHECKERS_ONLY}
    beside_app = (each for name in BESIDE_APP for each in files_below(PROJECT / name))
    expected |= {f"bpe_lab/{path.relative_to(PROJECT).as_posix()}" for path in beside_app}
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
        assert names == expected
        for name in ("bpe_core/vocabularies/r50k_base.tiktoken", "bpe_lab/.streamlit/config.toml"):
            assert opened.read(name) == (PROJECT / name.removeprefix("bpe_lab/")).read_bytes()


def test_streamlit_run_serves_the_same_product_as_the_scripts(tmp_path: Path) -> None:
    with served_app(tmp_path, module="streamlit", arguments=["run", "app.py"]) as server:
        check_product(server)


def check_product(server: Server) -> None:
    """Fail unless a server has the app's settings and the patches that serve.set_up applies before its start."""
    assert '<head><script type="module" src="./static/bpe-lab.' in fetched(f"{server.url}/")
    theme = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    with visiting(server.url) as visitor:
        run = visitor.open("lessons")
        assert (run.status, run.exceptions) == ("FINISHED_SUCCESSFULLY", [])
        assert visitor.theme.base_font_size == theme["baseFontSize"]
        assert visitor.theme.light.primary_color == theme["light"]["primaryColor"]
        components = run.of("bidi_component")
        assert {each.component_name for each in components} == {"bpe_lab"}
        visitor.socket.send(b"\xff\xff\xff no message of the protocol")
        with pytest.raises(ConnectionClosed, match="1002"):
            all(visitor.socket.recv(PATIENCE) for _ in count())
    assert "Traceback" not in server.log_text()


def fetched(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        text: str = answer.read().decode("utf-8")
    return text


# -- installed ---------------------------------------------------------------------------------------------------------


def installed(folder: Path, requirement: str) -> Path:
    """The bin folder of a new environment with this requirement, in the locked versions."""
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, folder], check=True)
    target = ["--python", folder / "bin" / "python", "--constraint", PROJECT / "requirements-dev.lock"]
    subprocess.run([*uv, "pip", "install", *target, requirement], check=True)
    return folder / "bin"


def run_in(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(tmp_path_factory.mktemp("core"), f"bpe-lab @ {wheel.as_uri()}")


@pytest.mark.thorough
def test_the_installed_core_trains_encodes_and_loads_without_streamlit(core: Path, tmp_path: Path) -> None:
    assert run_in(tmp_path, core / "python", "-c", "import streamlit").returncode == 1
    done = run_in(tmp_path, core / "python", "-c", CORE)
    trained = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer().encode("slower").ids.tolist()
    published = load_pretrained("gpt2").encode("slower").ids.tolist()
    assert done.stdout == f"{trained} {published}\n", done.stderr


@pytest.mark.thorough
def test_the_installed_command_does_without_the_app_until_it_is_started(core: Path, tmp_path: Path) -> None:
    done = run_in(tmp_path, core / "bpe-lab", "encode", "--tokenizer", "gpt2", "--text", "Hello, world")
    assert (done.returncode, done.stdout) == (0, "15496 11 995\n"), done.stderr
    done = run_in(tmp_path, core / "bpe-lab", "run")
    assert done.returncode == 1
    assert done.stderr.startswith("bpe-lab: error: The library streamlit is not installed.")
    assert "pip install '.[app]'" in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.thorough
def test_the_installed_app_runs_in_an_empty_folder_with_its_own_settings(wheel: Path, tmp_path: Path) -> None:
    commands = installed(tmp_path / "environment", f"bpe-lab[app] @ {wheel.as_uri()}")
    empty = tmp_path / "empty"
    (empty / ".streamlit").mkdir(parents=True)
    (empty / ".streamlit" / "config.toml").write_text('[server]\nbaseUrlPath = "elsewhere"\n', encoding="utf-8")
    with served_app(tmp_path, empty, module="ui", arguments=["run"], python=commands / "python") as server:
        check_product(server)
    assert [path.name for path in files_below(empty)] == ["config.toml"]
