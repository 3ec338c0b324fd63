"""chat: messages written by a model's chat template, with their ids and who wrote each token."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bpe_core.chats.template_files import ChatTemplates, load_chat_templates, required_templates
from bpe_core.cli.help import Parser
from bpe_core.cli.loading import loaded
from bpe_core.cli.terminal import STDIN, UsageError, interrupted_at_once, read, report, write, write_json
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.reading import a_list, an_object
from bpe_core.hub.files import fetched_files
from bpe_core.hub.names import PREFIX, parsed_name
from bpe_core.language import _, message
from bpe_core.published.pretrained import PRETRAINED
from bpe_core.tokenizer.chat_tokens import writer_counts, writers
from bpe_core.tokenizer.stages import chat_pipeline

_WRITERS = ("template", "message", "both")
_MESSAGES = message("It is a list of messages: {example}.", example='[{"role": "user", "content": "Hi"}]')

_REMEDY = message("Send such a list, or write messages as ROLE=TEXT.")


def declare(command: Callable[[str, str], Parser], one_tokenizer: Callable[[Parser], None]) -> None:
    """Declare the command. `one_tokenizer`: adds the options of the tokenizer.

    >>> from bpe_core.cli.arguments import parser
    >>> parser("bpe").parse_args(["chat", "--tokenizer", "gpt2", "user=Hi"]).messages
    ['user=Hi']
    """
    writing = command("chat", _("Write messages by a model's chat template, and count their tokens."))
    one_tokenizer(writing)
    writing.add_argument("messages", nargs="*", metavar="ROLE=TEXT", help=_("messages (default: JSON on stdin)"))
    writing.add_argument("--template", metavar="NAME", help=_("which of its templates (default: its default)"))
    writing.add_argument("--generation-prompt", action="store_true", help=_("begin the assistant's answer"))


def chat(arguments: Namespace) -> None:
    """Write the rendered text, or JSON with its ids. Raises UsageError for a message without role.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load_pretrained, save
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     save(load_pretrained("gpt2"), f"{folder}/tokenizer.json", format="tokenizers")
    ...     _ = Path(folder, "chat_template.jinja").write_text("{{ messages[0].role }}: {{ messages[0].content }}")
    ...     chat(parser("bpe").parse_args(["chat", "--tokenizer", folder, "user=Hi"]))
    user: Hi
    3 tokens: 0 of the messages, 2 of the template, 1 of both.
    """
    given = [_mapping(each) for each in arguments.messages] or _read()
    templates = _templates(arguments.tokenizer)
    tokenizer = loaded(arguments)
    with interrupted_at_once():
        rendered = templates.render(given, arguments.template, add_generation_prompt=arguments.generation_prompt)
        done = chat_pipeline(rendered, tokenizer, markup="parsed")
    counts = writer_counts(done, rendered)
    if arguments.json:
        by = [_WRITERS[writer] for writer in writers(done, rendered).tolist()]
        ids = done.ids.tolist()
        write_json({"text": rendered.text, "count": counts.total, **counts._asdict(), "ids": ids, "written_by": by})
        return
    write(rendered.text if rendered.text.endswith("\n") else rendered.text + "\n")
    report(
        _(
            "{total:,} tokens: {messages:,} of the messages, {template:,} of the template, {both:,} of both.",
            total=counts.total,
            **counts._asdict(),
        )
    )


def _mapping(written: str) -> dict[str, Any]:
    role, equals, text = written.partition("=")
    if not (role and equals):
        raise UsageError(_("{message} is not a message: write ROLE=TEXT.", message=repr(written)))
    return {"role": role, "content": text}


def _read() -> list[dict[str, Any]]:
    """Messages on stdin."""
    content = parsed_json(read(STDIN), "stdin", limit=_MESSAGES, remedy=_REMEDY)
    entries = a_list("stdin", content, remedy=_REMEDY)
    return [an_object(f"stdin[{at}]", each, ("role",), remedy=_REMEDY) for at, each in enumerate(entries)]


def _templates(name: str) -> ChatTemplates:
    """Chat templates of a model on the hub, or in a folder."""
    if name in PRETRAINED:
        return required_templates({}, name)
    if not name.startswith((PREFIX, "https://")):
        return load_chat_templates(name)
    return required_templates(fetched_files(parsed_name(name)).read(), name)
