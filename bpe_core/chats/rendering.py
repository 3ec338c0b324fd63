"""Render chat templates: a template is an untrusted program, so it runs in a process of its own, with limits.

A thread cannot be stopped and a sandbox bounds neither time nor memory: a filter that pads to a billion characters is
one call into C. The process is limited in both, inherits no environment, and costs a tenth of a second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from bpe_core import checks
from bpe_core.errors import BpeError, ConfigError, CorpusError, FormatError, quoted, reason_of
from bpe_core.language import message
from bpe_core.tokenizer.templates import Chat, Message

LONGEST_TEMPLATE = 500_000
"""Maximum characters of a template; those of known models have 30,000 at most."""

LONGEST_CHAT = 2_000_000
"""Maximum characters of the messages, and of the rendered text."""

MOST_MESSAGES = 1_000
SECONDS, MEMORY = 4, 256 * 1024 * 1024
"""Limits of the process."""

_PATIENCE = 30
"""Seconds of wall-clock time until the process is killed, however little processor time it had."""

_TURNS = BoundedSemaphore(2)
"""Maximum number of processes at once."""

_START = "import sys; sys.path += sys.argv[1:]; import render_process; render_process._main()"
_KEPT_ENVIRONMENT = ("SYSTEMROOT", "TZ", "LD_LIBRARY_PATH")
_CHOOSE = message("Use another template.")


def render_chat(
    template: str,
    messages: Sequence[Message | Mapping[str, Any]],
    special_tokens: Mapping[str, str | Sequence[str]] | None = None,
    *,
    add_generation_prompt: bool = False,
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> Chat:
    """Render messages by a chat template of Jinja, as `apply_chat_template` of transformers does.

    template: its source. messages: Message, or mappings as transformers takes them, with "role" and "content".
    special_tokens: by role, such as {"bos_token": "<s>"}. add_generation_prompt: whether the template begins the
    assistant's answer. tools: JSON schemas of functions.

    `said` of the result has the ranges of characters from the messages, `mixed` those whose origin a template operation
    hides; all others come from the template. Roles count as part of the template.

    Raises FormatError for a template that is not valid Jinja, fails, or exceeds a limit: 4 seconds, 256 MB,
    2,000,000 characters; CorpusError for messages that the template refuses, or that are too long; ConfigError for
    other values.

    >>> source = "{{ bos_token }}{{ messages[0].content | trim }}"
    >>> rendered = render_chat(source, [Message("user", " Hi ")], {"bos_token": "<s>"})
    >>> rendered.text, rendered.said
    ('<s>Hi', ((3, 5),))
    >>> render_chat("{{ raise_exception('No system message') }}", [Message("system", "Hi")])
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The template refuses these messages: No system message. Templates may check ...
    """
    template = checks.utf8_text(template, message("The template"))
    _refuse_long(message("The template"), len(template), LONGEST_TEMPLATE)
    checks.true_or_false(add_generation_prompt, "add_generation_prompt")
    known = {} if special_tokens is None else checks.mapping(special_tokens, "special_tokens", message("texts by role"))
    chat = [_as_mapping(each) for each in checks.sequence(messages, "messages", "Message")]
    if len(chat) > MOST_MESSAGES:
        raise CorpusError(
            message("The chat has {count:,} messages.", count=len(chat)),
            limit=message("The most allowed is {most:,}.", most=MOST_MESSAGES),
            remedy=message("Leave some out."),
        )
    request = {
        "template": template,
        "messages": chat,
        "variables": {
            "documents": None,
            **known,
            "tools": tools,
            "add_generation_prompt": add_generation_prompt,
        },
        "most": LONGEST_CHAT,
        "seconds": SECONDS,
        "memory": MEMORY,
    }
    return _as_chat(_answer(_written(request)))


def _as_mapping(given: object) -> dict[str, Any]:
    if isinstance(given, Message):
        return {"role": checks.given_text(given.role), "content": checks.given_text(given.text)}
    wanted = message("a Message, or a mapping with role and content")
    return dict(checks.mapping(given, message("A message"), wanted))


def _written(request: dict[str, Any]) -> bytes:
    try:
        written = json.dumps(request, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(
            message("The messages, tools or special tokens are not JSON: {reason}.", reason=quoted(str(error))),
            limit=message("Templates accept texts, numbers, lists, and mappings with string keys."),
            remedy=message("Convert the other values to text."),
        ) from None
    _refuse_long(message("The chat"), len(written) - len(request["template"]), 6 * LONGEST_CHAT)
    return written.encode()


def _refuse_long(what: str, size: int, most: int) -> None:
    if size > most:
        raise CorpusError(
            message("{what} has {characters:,} characters.", what=what, characters=size),
            limit=message("The most allowed is {most:,}.", most=most),
            remedy=message("Shorten it."),
        )


def _answer(request: bytes) -> dict[str, Any]:
    """The answer of a process to a request."""
    libraries = [str(Path(str(find_spec(name).origin)).parents[1]) for name in ("jinja2", "markupsafe")]  # type: ignore[union-attr]
    command = [sys.executable, "-I", "-S", "-c", _START, str(Path(__file__).parent), *libraries]
    environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    try:
        with _TURNS:
            done = subprocess.run(
                command, input=request, capture_output=True, timeout=_PATIENCE, env=environment, check=False
            )
    except subprocess.TimeoutExpired:
        raise _exceeded() from None
    except OSError as error:
        raise FormatError(
            message("Templates cannot be rendered here: {reason}.", reason=reason_of(error)),
            limit=message("A template runs in a process of its own."),
            remedy=message("Allow Python to start one."),
        ) from None
    if done.returncode:  # ended by the system: processor time, memory, or too deep a recursion in C
        raise _exceeded()
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _as_chat(answer: Mapping[str, Any]) -> Chat:
    if "error" in answer:
        raise _error(answer)
    runs = answer["origins"]
    ends = list(accumulate(length for length, _ in runs))
    ranges = [((end - length, end), origin) for end, (length, origin) in zip(ends, runs, strict=True)]
    said = tuple(place for place, origin in ranges if origin > 1)
    return Chat(answer["text"], None, said, tuple(place for place, origin in ranges if origin == 1))


def _exceeded() -> FormatError:
    return FormatError(
        message("The template was stopped: it takes too long, or too much memory."),
        limit=message("It has {seconds} seconds and {memory:,} MB.", seconds=SECONDS, memory=MEMORY // 2**20),
        remedy=message("Shorten the messages, or use another template."),
    )


def _error(answer: Mapping[str, Any]) -> BpeError:
    kind, reason = answer["error"], str(answer["reason"])[:300].rstrip(".") + "."
    if kind in ("memory", "recursion"):
        return _exceeded()
    if kind == "refused":
        return CorpusError(
            message("The template refuses these messages: {reason}.", reason=reason.removesuffix(".")),
            limit=message("Templates may check roles, their order and tools."),
            remedy=message("Change the messages, or use another template."),
        )
    if kind == "long":
        return FormatError(
            message("The template writes {size:,} characters.", size=answer["size"]),
            limit=message("The most allowed is {most:,}.", most=LONGEST_CHAT),
            remedy=message("Shorten the messages, or use another template."),
        )
    if kind == "syntax":
        return FormatError(
            message("Line {line:,} of the template: {reason}", line=answer["line"], reason=reason),
            limit=message("Chat templates are written in Jinja."),
            remedy=message("Correct it, or use another one."),
        )
    if kind == "unsafe":
        return FormatError(
            message("The template uses something that is forbidden: {reason}", reason=reason),
            limit=message("Templates may only read messages and format text."),
            remedy=_CHOOSE,
        )
    return FormatError(
        message("The template fails with these messages: {reason}", reason=reason),
        limit=message("It may need tools, documents or other values than the chat has."),
        remedy=message("Change the messages, or use another template."),
    )
