"""The core is independent, and its public names are those that other programs use, each documented."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parents[1]
MODULES = [path.relative_to(PROJECT).as_posix() for path in sorted((PROJECT / "bpe_core").rglob("*.py"))]

# Each public name of the core and its module: other programs import them by these names.
PUBLIC = {
    "TrainConfig": "bpe",
    "train": "bpe",
    "WordCounts": "text",
    "count_words": "text",
    "Training": "bpe",
    "Merge": "bpe",
    "Snapshot": "bpe",
    "Candidate": "bpe",
    "CountChange": "bpe",
    "Tokenizer": "tokenizer",
    "Encoding": "tokenizer",
    "encode_files": "tokenizer",
    "Token": "tokenizer",
    "EncodeStep": "tokenizer",
    "TokenNode": "tokenizer",
    "PRETRAINED": "published",
    "load_pretrained": "published",
    "compare": "comparison",
    "Comparison": "comparison",
    "Row": "comparison",
    "Agreement": "comparison",
    "Disagreement": "comparison",
    "save": "formats",
    "load": "formats",
    "load_from_hub": "hub",
    "train_picky": "picky",
    "train_wordpiece": "wordpiece",
    "train_unigram": "unigram",
    "BpeError": "errors",
    "ConfigError": "errors",
    "CorpusError": "errors",
    "TokenIdError": "errors",
    "VocabularyError": "errors",
    "FormatError": "errors",
    "HubError": "errors",
    "ClusterError": "errors",
}

# Imports every module of the core where neither display nor cluster libraries can be imported.
IMPORT_ALONE = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(["streamlit", "plotly", "dask", "distributed", "zstandard", "anywidget"]))
import bpe_core
for module in pkgutil.walk_packages(bpe_core.__path__, "bpe_core."):
    importlib.import_module(module.name)
"""


def test_the_core_imports_where_display_and_cluster_libraries_are_missing() -> None:
    command = [sys.executable, "-c", IMPORT_ALONE]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_core_exports_every_name_that_other_programs_use(bpe_core: ModuleType) -> None:
    written = {name for name, module in PUBLIC.items() if exists(module)}
    assert written <= set(bpe_core.__all__)


def test_the_list_of_public_names_is_the_truth(bpe_core: ModuleType) -> None:
    """The names that type checkers read are those that are imported on first use."""
    [read] = [node for node in ast.parse(Path(str(bpe_core.__file__)).read_bytes()).body if isinstance(node, ast.If)]
    imports = [node for node in read.body if isinstance(node, ast.ImportFrom)]
    read_names = {alias.name: node.module for node in imports for alias in node.names}
    assert read_names == bpe_core._MODULES
    assert set(bpe_core.__all__) == set(dir(bpe_core)) == {name for name in read_names if hasattr(bpe_core, name)}
    assert not hasattr(bpe_core, "no_such_name")


# Imported on first use, if ever.
LATER = {
    "coverage",
    "email",
    "huggingface_hub",
    "llvmlite",
    "numba",
    "pandas",
    "plotly",
    "pyarrow",
    "sentencepiece",
    "ssl",
    "tiktoken",
    "tokenizers",
    "xml",
    "yaml",
}

TRAIN_ONE = "from bpe_core import TrainConfig, train; train('low lower', TrainConfig(vocab_size=258)).tokenizer()"


def modules_after(command: str) -> set[str]:
    command += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", command], cwd=PROJECT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_core_reads_none_of_its_rooms() -> None:
    found = modules_after("import bpe_core")
    assert {name for name in found if name.startswith("bpe_core")} == {"bpe_core", "bpe_core.starting"}
    assert "numpy" not in found


def test_training_on_a_small_text_imports_nothing_that_it_does_not_use() -> None:
    found = modules_after(TRAIN_ONE)
    assert sorted(found & LATER) == []


def test_opening_a_rank_file_reads_no_file_formats() -> None:
    found = modules_after("from bpe_core import load_pretrained; load_pretrained('gpt2')")
    assert not {name for name in found if name.startswith(("bpe_core.formats", "bpe_core.huggingface"))}


@pytest.mark.parametrize("path", MODULES, ids=MODULES)
def test_every_public_name_says_what_it_is_and_shows_an_example(path: str) -> None:
    wrong = [f"{path}:{line}:{name} {fault}" for line, name, fault in documentation_faults(path)]
    assert not wrong, "\n".join(wrong)


def documentation_faults(path: str) -> Iterator[tuple[int, str, str]]:
    """The public functions, classes and methods of a module without a docstring or an example."""
    for node in ast.parse((PROJECT / path).read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield from faults_of(node, None)
            for member in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    yield from faults_of(member, node)


def faults_of(node: ast.FunctionDef | ast.ClassDef, owner: ast.ClassDef | None) -> Iterator[tuple[int, str, str]]:
    """A method may be shown in its class's example instead; a protocol, which is never instantiated, needs none."""
    text = ast.get_docstring(node) or ""
    if not text:
        yield node.lineno, node.name, "has no docstring"
    elif ">>>" not in text and not is_protocol(owner or node) and not (owner and uses(owner, node.name)):
        yield node.lineno, node.name, "has no example"


def is_protocol(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases)


def uses(owner: ast.ClassDef, method: str) -> bool:
    """True if a class's example uses this method."""
    lines = (ast.get_docstring(owner) or "").splitlines()
    return any(f".{method}" in line for line in lines if line.startswith((">>>", "...")))


@pytest.fixture
def bpe_core() -> ModuleType:
    return importlib.import_module("bpe_core")


def exists(module: str) -> bool:
    return any((PROJECT / "bpe_core" / path).exists() for path in (f"{module}.py", f"{module}/__init__.py"))
