"""House rules no linter keeps: imports run one way, and the public names of the core are documented."""

import ast
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parents[1]

# Who may not import what; a folder or a file each.
FORBIDDEN = {
    "bpe_core": {"streamlit", "plotly", "ui", "pages", "app"},
    "ui": {"pages", "app"},
    "pages": {"app"},
}

# Each public name of the core and the module it lives in: other programs call them by these names.
PUBLIC = {
    "TrainConfig": "config",
    "train": "training",
    "Training": "training",
    "Merge": "training",
    "Snapshot": "training",
    "Candidate": "training",
    "CountChange": "training",
    "Tokenizer": "tokenizer",
    "Encoding": "tokenizer",
    "Token": "tokenizer",
    "EncodeStep": "tokenizer",
    "TokenNode": "tokenizer",
    "PRETRAINED": "pretrained",
    "load_pretrained": "pretrained",
    "compare": "compare",
    "Comparison": "compare",
    "Row": "compare",
    "Agreement": "compare",
    "Disagreement": "compare",
    "save": "formats",
    "load": "formats",
    "train_wordpiece": "wordpiece",
    "train_unigram": "unigram",
    "BpeError": "errors",
    "ConfigError": "errors",
    "CorpusError": "errors",
    "TokenIdError": "errors",
    "VocabularyError": "errors",
    "FormatError": "errors",
}

# Imports every module of the core where no display library can be imported.
IMPORT_ALONE = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(["streamlit", "plotly"]))
import bpe_core
for module in pkgutil.walk_packages(bpe_core.__path__, "bpe_core."):
    importlib.import_module(module.name)
"""


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_imports_nothing_above_it(layer: str) -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}:{line} imports {name}"
        for path in sorted((PROJECT / layer).rglob("*.py"))
        for line, name in imported_names(path)
        if name.split(".")[0] in FORBIDDEN[layer]
    ]
    assert not wrong


def test_the_core_imports_where_streamlit_and_plotly_are_missing() -> None:
    command = [sys.executable, "-c", IMPORT_ALONE]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_core_exports_every_name_that_other_programs_use(bpe_core: ModuleType) -> None:
    written = {name for name, module in PUBLIC.items() if exists(module)}
    assert written <= set(bpe_core.__all__)


def test_the_list_of_public_names_is_the_truth(bpe_core: ModuleType) -> None:
    names = bpe_core.__all__
    public = {
        name for name, value in vars(bpe_core).items() if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert len(names) == len(set(names)), "a name twice"
    assert {name for name in names if not name.startswith("__")} == public


def test_every_public_class_and_function_says_what_it_is(bpe_core: ModuleType) -> None:
    undocumented = [name for name, value in public_objects(bpe_core) if not has_own_docstring(name, value.__doc__)]
    assert not undocumented


def test_every_public_function_shows_an_example(bpe_core: ModuleType) -> None:
    without = [
        name
        for name, value in public_objects(bpe_core)
        if inspect.isfunction(value) and ">>>" not in (value.__doc__ or "")
    ]
    assert not without


@pytest.fixture
def bpe_core() -> ModuleType:
    return importlib.import_module("bpe_core")


def exists(module: str) -> bool:
    return any((PROJECT / "bpe_core" / path).exists() for path in (f"{module}.py", f"{module}/__init__.py"))


def imported_names(path: Path) -> Iterator[tuple[int, str]]:
    """The absolute imports of a file, wherever they stand in it: (line, dotted name)."""
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, node.module or ""


def public_objects(module: ModuleType) -> list[tuple[str, object]]:
    return [
        (name, value)
        for name in module.__all__
        if inspect.isclass(value := getattr(module, name)) or inspect.isfunction(value)
    ]


def has_own_docstring(name: str, text: str | None) -> bool:
    """False too for what dataclass and NamedTuple write by themselves: Name(field, field)."""
    return bool(text) and not text.startswith(f"{name}(")
