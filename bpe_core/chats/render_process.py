"""Child process that renders a chat template: one JSON request on stdin, one JSON answer on stdout.

It imports nothing of bpe_core, so that it starts within a tenth of a second. Jinja's sandbox bars attributes; the
limits of the process bar what the sandbox cannot: endless loops, huge strings, deep recursion, inside C code as well.

The template is rendered twice: as transformers does, and with messages of traced text, whose characters keep their
origin through template operations. If both texts are equal, the origins hold; otherwise they are unknown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import wraps
from itertools import groupby
from typing import Any, SupportsIndex

import jinja2.ext
import jinja2.filters
from jinja2 import Template, TemplateError, TemplateSyntaxError, nodes, pass_environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

FROM_TEMPLATE, MIXED, FIRST_MESSAGE = 0, 1, 2
"""Origins of a character: the template; an operation that hides it; FIRST_MESSAGE + n for message n."""

_TEMPLATE, _MIXED = chr(FROM_TEMPLATE), chr(MIXED)
_LABELS = frozenset({"role", "type", "name", "id"})
"""Fields of a message that describe it, without its content."""

_PICKING = frozenset(
    (
        *("first", "last", "default", "d", "list", "map", "select", "reject", "selectattr", "rejectattr", "sort"),
        *("unique", "attr", "items", "dictsort", "min", "max", "random", "batch", "slice", "groupby"),
        *("length", "count"),
    )
)
"""Filters that return values, or parts of them, as they are."""

_TRACING = frozenset(("trim", "upper", "lower", "capitalize", "replace", "string"))
"""Filters that use methods of `_Traced` only."""


class _Traced(str):
    """Text with the origin of each character, as a parallel text of one character per origin.

    >>> said = _Traced(" Hi ", chr(FIRST_MESSAGE) * 4)
    >>> [(part, list(map(ord, part._tags))) for part in [said.strip() + "!"]]
    [('Hi!', [2, 2, 0])]
    """

    _tags: str

    def __new__(cls, text: str = "", tags: str | None = None) -> _Traced:
        """Without `tags` the origin of every character is mixed."""
        new = super().__new__(cls, text)
        new._tags = _MIXED * len(text) if tags is None else tags
        return new

    def __str__(self) -> str:
        return self

    def __add__(self, value: str, /) -> str:
        return joined((self, value)) if isinstance(value, str) else NotImplemented

    def __radd__(self, value: str, /) -> str:
        return joined((value, self)) if isinstance(value, str) else NotImplemented

    def __mul__(self, value: SupportsIndex, /) -> str:
        return _Traced(str.__mul__(self, value), self._tags * value)

    __rmul__ = __mul__

    def __mod__(self, value: Any, /) -> str:
        return _Traced(str.__mod__(self, value))

    def __getitem__(self, key: SupportsIndex | slice, /) -> str:
        return _Traced(str.__getitem__(self, key), self._tags[key])

    def __iter__(self) -> Iterator[str]:
        return (self[at] for at in range(len(self)))

    def lstrip(self, chars: str | None = None, /) -> str:
        return self[len(self) - len(str.lstrip(self, chars)) :]

    def rstrip(self, chars: str | None = None, /) -> str:
        return self[: len(str.rstrip(self, chars))]

    def strip(self, chars: str | None = None, /) -> str:
        return self.lstrip(chars).rstrip(chars)

    def removeprefix(self, prefix: str, /) -> str:
        return self[len(prefix) :] if self.startswith(prefix) else self

    def removesuffix(self, suffix: str, /) -> str:
        return self[: len(self) - len(suffix)] if self.endswith(suffix) else self

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._located(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._located(str.rsplit(self, sep, maxsplit), sep)

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        return self._three(str.partition(self, sep))

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        return self._three(str.rpartition(self, sep))

    def splitlines(self, keepends: bool = False) -> list[str]:
        found, at = [], 0
        for line in str.splitlines(self, True):
            found.append(self[at : at + (len(line) if keepends else len(line.splitlines()[0]))])
            at += len(line)
        return found

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        return joined(self.split(old, count), new) if old else _Traced(str.replace(self, old, new, count))

    def join(self, iterable: Iterable[str], /) -> str:
        return joined(list(iterable), self)

    def upper(self) -> str:
        return self._same(str.upper(self))

    def lower(self) -> str:
        return self._same(str.lower(self))

    def capitalize(self) -> str:
        return self._same(str.capitalize(self))

    def title(self) -> str:
        return self._same(str.title(self))

    def _same(self, text: str) -> str:
        """`text` with this text's origins, character by character; all mixed if the lengths differ."""
        return _Traced(text, self._tags if len(text) == len(self) else None)

    def _three(self, parts: tuple[str, str, str]) -> tuple[str, str, str]:
        first, second = len(parts[0]), len(parts[0]) + len(parts[1])
        return self[:first], self[first:second], self[second:]

    def _located(self, parts: list[str], sep: str | None) -> list[str]:
        """Parts between separators, or between white space."""
        found, at = [], 0
        for part in parts:
            at = self.index(part, at) if sep is None else at
            found.append(self[at : at + len(part)])
            at += len(part) + len(sep or "")
        return found


def joined(parts: Iterable[Any], separator: str = "") -> str:
    """Join values as `"".join` does, with the origin of each character if one is traced.

    >>> joined(["a", 1], ", ")
    'a, 1'
    """
    texts: list[str] = []
    for part in parts:
        if texts and separator:
            texts.append(separator)
        texts.append(part if isinstance(part, str) else finalized(str(part), part))
    text = "".join(texts)
    if not any(isinstance(each, _Traced) for each in texts):
        return text
    return _Traced(text, "".join(each._tags if isinstance(each, _Traced) else _TEMPLATE * len(each) for each in texts))


def is_traced(value: object) -> bool:
    """Whether a value is, or holds, traced text.

    >>> is_traced({"a": [_Traced("b")]}), is_traced("b")
    (True, False)
    """
    if isinstance(value, dict):
        return any(map(is_traced, value)) or any(map(is_traced, value.values()))
    if isinstance(value, list | tuple | set):
        return any(map(is_traced, value))
    return isinstance(value, _Traced)


def finalized(result: Any, *inputs: object) -> Any:
    """The result, marked as mixed text if it is untraced text computed from traced text.

    >>> type(finalized("ab", [_Traced("a")])).__name__, type(finalized("ab", ["a"])).__name__
    ('_Traced', 'str')
    """
    made = isinstance(result, str) and not isinstance(result, _Traced) and is_traced(inputs)
    return _Traced(result) if made else result


def traced(value: Any, tag: str, key: str = "") -> Any:
    """A message whose texts are traced.

    >>> is_traced(traced({"role": "user"}, "a")), is_traced(traced({"content": "Hi"}, "a"))
    (False, True)
    """
    if isinstance(value, str):
        return value if key in _LABELS else _Traced(value, tag * len(value))
    if isinstance(value, list):
        return [traced(each, tag, key) for each in value]
    return {name: traced(each, tag, name) for name, each in value.items()} if isinstance(value, dict) else value


# -- the environment of transformers -----------------------------------------------------------------------------


class RefusedError(TemplateError):
    """Raised by a template itself, through `raise_exception`.

    >>> RefusedError("Roles must alternate").message
    'Roles must alternate'
    """


class _Generator(CodeGenerator):
    """Compiles `~` to a call of the environment's `concat`, which keeps origins."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.concat((")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write("))")


class _Generation(jinja2.ext.Extension):
    """{% generation %}, which marks what the assistant writes; its content is rendered unchanged."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_content"), [], [], body).set_lineno(line)

    def _content(self, caller: Callable[[], str]) -> str:
        return caller()


class _Environment(ImmutableSandboxedEnvironment):
    code_generator_class = _Generator
    intercepted_binops = frozenset("%")
    concat = staticmethod(joined)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        return finalized(super().call_binop(context, operator, left, right), left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        owner = getattr(__obj, "__self__", None)
        if type(owner) is str and __obj.__name__ == "join" and len(args) == 1:
            args = (list(args[0]),)
            if is_traced(args) and all(isinstance(each, str) for each in args[0]):
                return joined(args[0], owner)
        result = super().call(__context, __obj, *args, **kwargs)
        return result if isinstance(__obj, Macro) else finalized(result, owner, args, kwargs)


def _filter(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose results are marked as mixed unless it keeps origins."""
    if name in _PICKING:
        return function

    @wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if isinstance(result, _Traced) and name not in _TRACING:
            return _Traced(result)
        return finalized(result, args, kwargs)

    return wrapped


@pass_environment
def _join(environment: _Environment, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        value = map(jinja2.filters.make_attrgetter(environment, attribute), value)
    return joined(list(value), str(d))


def _tojson(
    value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """JSON without the escapes of Jinja's own filter."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _refuse(reason: object) -> None:
    raise RefusedError(str(reason))


def environment(now: datetime) -> _Environment:
    """The environment in which transformers renders; `now` is the time of `strftime_now`.

    >>> made = environment(datetime(2026, 1, 2))
    >>> made.from_string("{{ strftime_now('%Y') ~ messages[0].content|trim }}").render(messages=[{"content": " Hi "}])
    '2026Hi'
    """
    made = _Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_Generation, jinja2.ext.loopcontrols],
        finalize=lambda value: value if isinstance(value, str) or not is_traced(value) else _Traced(str(value)),
    )
    made.filters["tojson"] = _tojson
    made.filters = {name: _filter(name, each) for name, each in made.filters.items()} | {"join": _join}
    made.globals |= {"raise_exception": _refuse, "strftime_now": now.strftime}
    return made


# -- one request -------------------------------------------------------------------------------------------------


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """The rendered text with its origins as [length, origin] pairs, or the kind of an error and its reason.

    >>> answer({"template": "{{ messages[0].content }}!", "messages": [{"content": "Hi"}], "variables": {}, "most": 9})
    {'text': 'Hi!', 'origins': [[2, 2], [1, 0]]}
    """
    messages = request["messages"]
    try:
        template = environment(datetime.now()).from_string(request["template"])
        text = _rendered(template, request, messages)
    except TemplateSyntaxError as error:
        return {"error": "syntax", "reason": str(error.message), "line": error.lineno}
    except RefusedError as error:
        return {"error": "refused", "reason": str(error.message)}
    except SecurityError as error:
        return {"error": "unsafe", "reason": str(error)}
    except UndefinedError as error:
        return {"error": "undefined", "reason": str(error)}
    except (MemoryError, RecursionError) as error:
        return {"error": "memory" if isinstance(error, MemoryError) else "recursion", "reason": ""}
    except Exception as error:
        return {"error": "failed", "reason": f"{type(error).__name__}: {error}"}
    if len(text) > request["most"]:
        return {"error": "long", "reason": "", "size": len(text)}
    return {"text": text, "origins": _origins(template, request, text)}


def _rendered(template: Template, request: Mapping[str, Any], messages: list[Any]) -> str:
    context = template.new_context({**request["variables"], "messages": messages})
    return joined(template.root_render_func(context))


def _origins(template: Template, request: Mapping[str, Any], text: str) -> list[list[int]]:
    """Runs of equal origin; all mixed if tracing fails or changes the text."""
    try:
        messages = [traced(each, chr(FIRST_MESSAGE + number)) for number, each in enumerate(request["messages"])]
        found = _rendered(template, request, messages)
    except Exception:
        return [[len(text), MIXED]]
    if found != text:
        return [[len(text), MIXED]]
    tags = found._tags if isinstance(found, _Traced) else _TEMPLATE * len(text)
    return [[len(list(run)), ord(tag)] for tag, run in groupby(tags)]


def _limit(seconds: int, memory: int) -> None:
    """Bound this process: processor time, memory, no files and no processes. Windows has no such limits."""
    try:
        import resource
    except ImportError:
        return
    for name, most in (("CPU", seconds), ("AS", memory), ("FSIZE", 0), ("CORE", 0), ("NPROC", 0)):
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        except (AttributeError, OSError, ValueError):
            continue  # unknown to this system, or below current use: the other limits and the parent's timeout apply


def _main() -> None:
    """Answer the request on stdin."""
    request = json.loads(sys.stdin.buffer.read())
    _limit(request["seconds"], request["memory"])
    sys.stdout.buffer.write(json.dumps(answer(request)).encode())
