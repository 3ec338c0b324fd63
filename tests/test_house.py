"""House rules that no linter enforces, checked in the source: imports between rooms, state, size limits.

`CONTRIBUTING.md` gives the reasons. Each test lists every violation as file:line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

PROJECT = Path(__file__).parents[1]

CORE_ROOMS = (
    "starting",
    "language",
    "errors",
    "work",
    "checks",
    "arrays",
    "kernels",
    "text",
    "drawing",
    "notebook",
    "display",
    "payloads",
    "page",
    "tokenizer",
    "bpe",
    "picky",
    "wordpiece",
    "wordlevel",
    "unigram",
    "sentencepiece",
    "segmentations",
    "bundled",
    "comparison",
    "huggingface",
    "formats",
    "chats",
    "hub",
    "published",
    "cluster",
    "cli",
)
"""The rooms of the core. Each may import those before it; `__init__.py` and `__main__.py` may import all."""

SHOWING = ("drawing", "notebook", "display", "payloads", "page")
"""The rooms that draw. They take arrays and records, and import none of the rooms after them."""
SHOWN = ("tokenizer", "bpe", "comparison", "cli")
"""The rooms whose values draw themselves, as in a notebook, and the command line; no others import the rooms that draw.
"""

UI_PAGES = ("train", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons")

UI_ROOMS: dict[str, tuple[str, ...]] = {
    "memory": (),
    "session": ("memory",),
    "views": ("session",),
    "work": ("memory", "session"),
    "runs": ("memory", "session", "views", "work"),
    "cache": ("memory", "session", "work"),
    "serving": ("cache", "memory", "session", "views"),
    "widgets": ("cache", "memory", "serving", "session", "views", "work"),
    **dict.fromkeys(UI_PAGES, ("cache", "memory", "runs", "session", "views", "widgets", "work")),
}
"""The rooms of ui, and the others that each may import."""

FORBIDDEN = {
    "bpe_core": ("streamlit", "ui", "pages", "app"),
    "ui": ("pages", "app"),
    "pages": ("app",),
}
"""The layers, and the imports forbidden in their files."""

STATE = ("session_state", "query_params")
CACHES = ("cache_data", "cache_resource", "cache", "lru_cache")
UNBOUNDED = ("cache_data", "cache_resource", "lru_cache")
"""Caches outside the shared memory. `cache` stays allowed for singletons."""
KEEPS = ("get", "peek")
"""The methods of the memory that store or look up values."""
MEMORY = "ui/views/protocol.py"
"""The only module of pages and components outside ui/session that accesses the session: state of components."""
ARRIVALS = "ui/serving/message_guard.py"
CHOICES = "ui/serving/choices.py"
"""Queries a server session for its widgets; it has no session of its own."""

REPLACED = {
    "bpe_core/cli/__init__.py": {"warnings.showwarning"},
    "ui/serving/patches.py": {"runtime.RuntimeConfig", "MultiPartParser.spool_max_size"},
}
"""Parts of other libraries that the app replaces at run time. This table may only shrink."""

PRIVATE = {
    "bpe_core/kernels/backend.py": {"_cache", "_compilation_chain_init_hook"},  # of the dispatchers made here
    "bpe_core/kernels/borrowed_arrays.py": {"_getvalue"},  # how Numba's documentation ends a constructor
    "bpe_core/kernels/code_cache.py": {  # Numba's caches are changed by subclasses, and are all private
        "_data_path",
        "_guard_against_spurious_io_errors",
        "_impl",
        "_index_path",
        "_load_overload",
        "_open_for_write",
        "_source_stamp",
    },
    "bpe_core/kernels/processes.py": {"_cache"},
    "ui/serving/choices.py": {  # which values came with a message; a widget's callback, with its place
        "_current_interaction_widget_states",
        "_new_widget_state",
    },
    # Streamlit exposes neither whether a run has begun nor what it was requested for.
    "ui/serving/preemption.py": {
        "_coalesce_widget_states",
        "_requests",
        "_rerun_data",
        "_scriptrunner",
        "_session_state",
    },
    "ui/serving/reconnect.py": {"_requests", "_scriptrunner", "_session_state"},
    "ui/serving/sessions.py": {  # a session makes its parts itself; they are replaced before its first run
        "_browser_queue",
        "_create_scriptrunner",
        "_handle_scriptrunner_event_on_event_loop",
        "_script_event_loop",
        "_scriptrunner",
        "_session_state",
    },
    "ui/session/expiry.py": {"_session_mgr"},  # the runtime gives only sessions that are connected
    "ui/session/query.py": {"_script_hash"},  # st.switch_page clears the address first
}
"""Names of other libraries with an underscore, by the files that use them. It may only become shorter."""

DOCUMENTED = {"_asdict", "_fields", "_make", "_replace", "_exit"}
"""Names with an underscore that are public: of named tuples, and of `os`."""

NOT_USED = re.compile(
    r"""(?<![a-z])(born|reckon(ed)?|twins?|stood|stands?(?![ _-](for|ins?|out)\b)|(?<!")stretch(es|ed)?)(?![a-z])"""
)
"""Words that GLOSSARY.md does not use. Those with a second meaning, such as sign or letter, are for the reader."""

IN_LINKS = ('Choice("born"', '"twins"')
"""Values of links, which stay as they are."""

MOST_BODY = 60
MOST_LINES = 400
MOST_POSITIONAL = 7

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Place: TypeAlias = tuple[int, str]
"""A line, and a name used in it."""


def python_files(*parts: str) -> list[Path]:
    """The Python files among these folders and files of the project."""
    found = [PROJECT / part for part in parts]
    files = [file for each in found for file in ([each] if each.suffix else sorted(each.rglob("*.py")))]
    assert files, parts
    return files


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), str(path))


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


# -- imports -------------------------------------------------------------------------------------------------


def imported(path: Path) -> Iterator[Place]:
    """All imports anywhere in a file: `from a.b import c` as a.b.c, so that a module's own name is included."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = path.relative_to(PROJECT).parts[: -node.level]
                base = ".".join([*package, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def imported_rooms(path: Path, layer: str) -> Iterator[Place]:
    """The rooms of a layer that a file imports; "" for the layer itself: names that its `__init__` re-exports."""
    rooms = {each.stem for each in (PROJECT / layer).iterdir() if each.is_dir() or each.suffix == ".py"}
    for line, name in imported(path):
        parts = name.split(".")
        if parts[0] == layer:
            yield line, parts[1] if len(parts) > 1 and parts[1] in rooms else ""


def rooms_in(layer: str) -> set[str]:
    """Every folder and file of a layer that is a room."""
    entries = [each for each in (PROJECT / layer).iterdir() if each.suffix == ".py" or any(each.rglob("*.py"))]
    return {each.stem for each in entries} - {"__init__", "__main__"}


def files_of_room(layer: str, room: str) -> list[Path]:
    """The files of a room; none for a room of the table that does not exist yet."""
    folder = PROJECT / layer / room
    return sorted([*folder.rglob("*.py"), *folder.parent.glob(f"{room}.py")])


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_imports_nothing_above_it(layer: str) -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {name}"
        for path in python_files(layer)
        for line, name in imported(path)
        if name.split(".")[0] in FORBIDDEN[layer]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_room_has_its_place_in_the_tables() -> None:
    assert not rooms_in("bpe_core") - set(CORE_ROOMS)
    assert rooms_in("ui") == set(UI_ROOMS)


@pytest.mark.parametrize("room", CORE_ROOMS)
def test_a_room_of_the_core_imports_only_rooms_before_it(room: str) -> None:
    allowed = {*CORE_ROOMS[: CORE_ROOMS.index(room)], room}
    wrong = [
        f"{name_of(path)}:{line} imports bpe_core{other and '.'}{other}"
        for path in files_of_room("bpe_core", room)
        for line, other in imported_rooms(path, "bpe_core")
        if other not in allowed
    ]
    assert not wrong, "\n".join([f"{room} may import {', '.join(sorted(allowed - {room})) or 'no room'}.", *wrong])


@pytest.mark.parametrize("room", [room for room in CORE_ROOMS if room not in (*SHOWING, *SHOWN)])
def test_a_room_whose_values_do_not_draw_themselves_imports_nothing_that_draws(room: str) -> None:
    wrong = [
        f"{name_of(path)}:{line} imports bpe_core.{other}"
        for path in files_of_room("bpe_core", room)
        for line, other in imported_rooms(path, "bpe_core")
        if other in SHOWING
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", UI_ROOMS)
def test_a_room_of_the_ui_imports_only_rooms_below_it_and_no_page_another_page(room: str) -> None:
    allowed = {*UI_ROOMS[room], room}
    wrong = [
        f"{name_of(path)}:{line} imports ui{other and '.'}{other}"
        for path in files_of_room("ui", room)
        for line, other in imported_rooms(path, "ui")
        if other not in allowed
    ]
    assert not wrong, "\n".join([f"{room} may import {', '.join(UI_ROOMS[room]) or 'no other room'}.", *wrong])


def test_only_the_kernels_import_numba() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {name}"
        for path in python_files("bpe_core", "ui", "pages", "app.py")
        if not name_of(path).startswith("bpe_core/kernels/")
        for line, name in imported(path)
        if name.split(".")[0] == "numba"
    ]
    assert not wrong, "\n".join(wrong)


def foreign_names(path: Path) -> dict[str, str]:
    """The names under which a file has modules, classes and functions of other libraries, and what they name."""
    tree = parsed(path)
    foreign: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or node.names[0].name
            if getattr(node, "level", 0) == 0 and module.split(".")[0] not in (*FORBIDDEN, "app"):
                names = [alias.asname or alias.name.split(".")[0] for alias in node.names]
                foreign |= dict(zip(names, names, strict=True))
    for node in ast.walk(tree):
        match node:
            case (
                ast.AnnAssign(target=ast.Name(id=alias), value=ast.Name(id=name))
                | ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=name))
            ) if name in foreign:
                foreign[alias] = foreign[name]
    return foreign


def replaced(path: Path) -> set[str]:
    """Attributes of other libraries' modules and classes that a file sets or deletes."""
    foreign = foreign_names(path)
    found = set()
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, ast.Constant(value=name), *_]):
                pass
            case _:
                continue
        first, _, rest = ast.unparse(owner).partition(".")
        if first in foreign:
            found.add(".".join([foreign[first], *([rest] if rest else []), str(name)]))
    return found


def test_no_more_of_other_libraries_is_replaced() -> None:
    files = {name_of(path): replaced(path) for path in python_files("bpe_core", "ui", "pages", "app.py")}
    assert {name: parts for name, parts in files.items() if parts} == REPLACED


def defined(path: Path) -> Iterator[str]:
    """Every name that a file defines, takes as an argument, or assigns: to a variable, to `self` or to `cls`."""
    for node in ast.walk(parsed(path)):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store())
            ):
                yield name


def used_of_other_libraries(path: Path) -> Iterator[str]:
    """Names that a file uses from its imports of other libraries, even if a name of ours is the same."""
    foreign = foreign_names(path)
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Attribute(value=owner, attr=name) if ast.unparse(owner).split(".")[0] in foreign:
                yield name
            case ast.ImportFrom(module=str(module), level=0, names=names):
                if module.split(".")[0] not in (*FORBIDDEN, "app"):
                    yield from (alias.name for alias in names)


def test_no_more_private_names_of_other_libraries_are_used() -> None:
    files = python_files("bpe_core", "ui", "pages", "app.py")
    ours = {name for path in files for name in defined(path)}
    used = {
        name_of(path): {*used_of_other_libraries(path), *({name for _, name in names_used(path)} - ours)}
        for path in files
    }
    private = {path: {name for name in names - DOCUMENTED if re.match("_(?!_)", name)} for path, names in used.items()}
    assert {path: names for path, names in private.items() if names} == PRIVATE


@pytest.mark.parametrize("path", sorted(name for name in {**REPLACED, **PRIVATE} if name.startswith("ui/")))
def test_a_file_that_changes_streamlit_names_the_upstream_issues_it_waits_for(path: str) -> None:
    text = ast.get_docstring(parsed(PROJECT / path)) or ""
    assert re.search(r"Upstream\b[^:]*:\s(\w+/\w+#\d+|none known)", text)


def test_a_number_is_searched_in_an_array_without_converting_it() -> None:
    """`np.searchsorted` copies an array whose type differs from the number's: at every call, whatever its length."""
    searched = [
        (name_of(path), call.lineno)
        for path in python_files("bpe_core", "ui", "pages", "app.py")
        for called, call in calls(path)
        if called == "int"
        and any(ast.unparse(each.func).endswith("searchsorted") for each in call.args if isinstance(each, ast.Call))
    ]
    assert [name for name, _ in searched] == ["bpe_core/arrays.py"], searched


# -- state ---------------------------------------------------------------------------------------------------


def names_used(path: Path) -> Iterator[Place]:
    """Every name that a file imports or reads, and every attribute."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names)


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a file, by the last part of the called name."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield called, node


def test_a_fragment_shows_its_problems() -> None:
    """Fragments that a step or a key runs show them in other ways."""
    bare = [
        name_of(path)
        for path in python_files("ui", "pages")
        if re.search("@(st.fragment|fragment_ahead)", path.read_text("utf-8"))
    ]
    assert bare == ["ui/compare/text.py", "ui/encode/tokens.py", "ui/train/steps.py"]


def outside_of_the_session() -> list[Path]:
    return [
        path
        for path in python_files("ui", "pages", "app.py")
        if not name_of(path).startswith(("ui/session/", MEMORY, ARRIVALS, CHOICES))
    ]


def test_only_the_session_room_touches_the_session_and_the_query() -> None:
    wrong = [
        f"{name_of(path)}:{line} uses {name}: give it an Item or an Upload in ui/session"
        for path in outside_of_the_session()
        for line, name in names_used(path)
        if name in STATE
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_session_room_names_keys_that_are_read_back() -> None:
    wrong = []
    for path in outside_of_the_session():
        for called, call in calls(path):
            named = any(isinstance(each, ast.Constant | ast.JoinedStr) for each in call.args[:1])
            if named and called in ("Item", "Upload", "sent"):
                wrong.append(f"{name_of(path)}:{call.lineno} names a key for {called}: name it in ui/session")
    assert not wrong, "\n".join(wrong)


def test_caches_stand_in_files_named_cache_only() -> None:
    wrong = []
    for path in python_files("ui", "pages", "app.py"):
        if path.name == "cache.py":
            continue
        wrong += [f"{name_of(path)}:{line} uses {name}" for line, name in caches_used(parsed(path))]
        wrong += [f"{name_of(path)}:{line} uses {name}" for line, name in memory_used(parsed(path))]
        wrong += [f"{name_of(path)}:{line} keeps {name}, empty at first" for line, name in empty_at_first(parsed(path))]
    assert not wrong, "\n".join(wrong)


def test_everything_is_kept_in_the_one_memory_that_is_bounded() -> None:
    wrong = [
        f"{name_of(path)}:{line} uses {name}"
        for path in python_files("ui", "pages", "app.py")
        if path.name == "cache.py"
        for line, name in caches_used(parsed(path))
        if name.rpartition(".")[2] in UNBOUNDED
    ]
    assert not wrong, "\n".join(wrong)


def memory_used(tree: ast.Module) -> Iterator[Place]:
    """Places that store values in the app's memory, or create a memory."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in KEEPS and getattr(node.value, "id", "") == "MEMORY":
            yield node.lineno, f"MEMORY.{node.attr}"
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Memory", "Room"):
            yield node.lineno, f"a {node.func.id} of its own"  # type: ignore[attr-defined]
        elif isinstance(node, Function):
            yield from ((each.lineno, "cached") for each in node.decorator_list if getattr(each, "id", "") == "cached")


def caches_used(tree: ast.Module) -> Iterator[Place]:
    """Caches of Streamlit and functools, as attributes or imported; a module named cache does not count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CACHES and getattr(node.value, "id", "") in CACHING:
            yield node.lineno, f"{ast.unparse(node.value)}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in ("functools", "streamlit"):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in CACHES)


CACHING = ("st", "streamlit", "functools")


def empty_at_first(tree: ast.Module) -> Iterator[Place]:
    """Module-level names initialized to an empty dict, list or set, to be filled later."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and is_empty(node.value):
            yield node.lineno, ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


def is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        called = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return called in ("dict", "list", "set", "defaultdict", "OrderedDict", "WeakKeyDictionary") and not value.args
    return (isinstance(value, ast.Dict) and not value.keys) or (isinstance(value, ast.List) and not value.elts)


# -- size limits ---------------------------------------------------------------------------------------------

PARTS = [*(f"bpe_core/{room}" for room in CORE_ROOMS), *(f"ui/{room}" for room in UI_ROOMS), "pages", "app.py"]


def files_of_part(part: str) -> list[Path]:
    layer, _, room = part.partition("/")
    return files_of_room(layer, room) if room else python_files(part)


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(path)) if isinstance(node, Function))


def body_lines(function: Function) -> int:
    """Lines from the first statement to the last one, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def positional(function: Function) -> int:
    """Parameters that can be passed by position, without self or cls."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


@pytest.mark.parametrize("part", PARTS)
def test_no_function_has_a_longer_body_than_a_screen(part: str) -> None:
    wrong = [
        f"{name_of(path)}:{each.lineno} {each.name} has {body_lines(each)} lines, at most {MOST_BODY}"
        for path in files_of_part(part)
        for each in functions(path)
        if body_lines(each) > MOST_BODY
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", PARTS)
def test_no_function_takes_more_than_seven_arguments_by_position(part: str) -> None:
    wrong = [
        f"{name_of(path)}:{each.lineno} {each.name} takes {positional(each)} by position, at most {MOST_POSITIONAL}"
        for path in files_of_part(part)
        for each in functions(path)
        if positional(each) > MOST_POSITIONAL
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", [part for part in PARTS if part != "bpe_core/kernels"])
def test_no_module_is_longer_than_four_hundred_lines(part: str) -> None:
    lines = {path: len(path.read_bytes().splitlines()) for path in files_of_part(part)}
    wrong = [f"{name_of(path)}:{MOST_LINES} has {count} lines" for path, count in lines.items() if count > MOST_LINES]
    assert not wrong, "\n".join(wrong)


WRITTEN = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("*.txt"), *PROJECT.glob("*.toml")]
"""Text files that no compiler checks."""


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_no_merge_is_left_half_done(path: Path) -> None:
    wrong = [
        f"{name_of(path)}:{number} {line}"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.startswith(("<<<<<<< ", ">>>>>>> "))
    ]
    assert not wrong, "\n".join(wrong)


# -- names ---------------------------------------------------------------------------------------------------


def own_names(path: Path) -> Iterator[Place]:
    """The public names that a module defines or a room's `__init__` re-exports; not the modules themselves."""
    for node in parsed(path).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield node.lineno, name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield node.lineno, name
            case ast.ImportFrom(module=str(module)) if path.stem == "__init__":
                handed_on = (alias.asname or alias.name for alias in node.names)
                yield from ((node.lineno, each) for each in handed_on if not module_file(f"{module}.{each}"))


def module_file(name: str) -> bool:
    place = PROJECT.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").exists()


@pytest.mark.parametrize("part", PARTS)
def test_no_name_is_also_that_of_a_module_beside_it(part: str) -> None:
    wrong = [
        f"{name_of(path)}:{line}:{name}"
        for path in files_of_part(part)
        for line, name in own_names(path)
        if module_file(".".join([*path.parent.relative_to(PROJECT).parts, name]))
    ]
    assert not wrong, "\n".join(wrong)


def in_words(line: str) -> str:
    """A line in lower case, with the words of its camel-case names apart."""
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", line).lower()


def test_no_file_uses_a_word_that_the_glossary_does_not() -> None:
    scripts = sorted((PROJECT / "frontend/src").rglob("*.ts"))
    lessons = sorted((PROJECT / "lessons").rglob("*.toml"))
    pages = [path for path in WRITTEN if path.name not in ("GLOSSARY.md", "CHANGELOG.md")]
    wrong = [
        f"{name_of(path)}:{number} {found[0]}"
        for path in [*python_files("bpe_core", "ui", "pages", "app.py"), *scripts, *lessons, *pages]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := NOT_USED.search(in_words(line))) and not any(value in line for value in IN_LINKS)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("layer", ["bpe_core", "ui"])
def test_a_public_class_name_is_defined_once(layer: str) -> None:
    places: dict[str, list[str]] = {}
    for path in python_files(layer):
        for line, name in public_classes(path):
            places.setdefault(name, []).append(f"{name_of(path)}:{line}")
    wrong = [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]
    assert not wrong, "\n".join(wrong)


def public_classes(path: Path) -> Iterator[Place]:
    """The classes that a module defines anywhere, without those with a leading underscore."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.lineno, node.name
