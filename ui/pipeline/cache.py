"""Caches of the Pipeline page: drawn stages, chats under every treatment of mark-up, and rendered chat templates."""

from __future__ import annotations

from typing import Any, NamedTuple

from bpe_core import BpeError, Chat, ChatTemplates, Message, render_chat
from bpe_core.chats.template_files import read_chat_templates
from bpe_core.payloads.frames import Body
from bpe_core.tokenizer.chat_tokens import WriterCounts, writer_counts
from bpe_core.tokenizer.row_tables import TokenRow, token_rows
from bpe_core.tokenizer.rows import row_of
from ui.cache import tokenizer
from ui.memory.cache import cached
from ui.pipeline.drawing import pipeline_body
from ui.pipeline.grid import grid_body, rows_drawn
from ui.pipeline.request import MarkupCounts, PipelineRequest, count_markups
from ui.session.tokenizer_files import OwnTokenizer
from ui.widgets.display import title_of

MOST_COPIED = 1_000
"""Maximum number of ids in the table of a row."""


class DrawnPipeline(NamedTuple):
    """A pipeline in drawable form.

    stages: None for a batch, where only the grid is drawn. grid: None for a chat, which is never padded.
    tables: the ids of each row, by the names of `rows_drawn`, with their total number. surrogates: number of replaced
    lone surrogates. longest: characters of the longest text. added: special tokens new to the vocabulary.
    """

    stages: Body | None
    grid: Body | None
    tables: dict[str, tuple[list[TokenRow], int]]
    surrogates: int
    longest: int
    added: dict[str, int]
    written: WriterCounts | None


@cached
def drawn_pipeline(request: PipelineRequest, language: str, *key: Any) -> DrawnPipeline:
    """All stages of the texts and the ids with their masks, drawn in a language; `key`: arguments of `tokenizer`."""
    chosen = tokenizer(*key)
    if request.kind == "chat":
        done = request.run(chosen)
        made, rows = None, {"1": row_of(done)}
        passages = list(done.passages)
    else:
        made = request.batch(chosen)
        done = made.pipeline(0)
        rows = {name: row for name, (_, row) in rows_drawn(made).items()}
        passages = [passage for each in made.passages for passage in each]
    normalized = [passage.normalized for passage in passages]
    return DrawnPipeline(
        None if request.kind == "batch" else pipeline_body(request, done, rows["1"], title_of(key[0])),
        None if made is None else grid_body(made, request.kind),
        {name: (token_rows(row, done.tokenizer, most=MOST_COPIED), len(row)) for name, row in rows.items()},
        sum(each.surrogates for each in normalized),
        max(len(each.original) for each in normalized),
        done.added,
        writer_counts(done, request.whole_chat) if request.kind == "chat" else None,
    )


@cached
def markup_counts(request: PipelineRequest, *key: Any) -> tuple[MarkupCounts, ...] | BpeError:
    """A chat under every treatment of mark-up; `key`: arguments of `tokenizer`."""
    return count_markups(request, tokenizer(*key))


@cached
def chat_templates(file: OwnTokenizer) -> ChatTemplates | BpeError | None:
    """Chat templates among the files of a tokenizer, None without; errors are returned."""
    try:
        return read_chat_templates(file.contents())
    except BpeError as error:
        return error.with_traceback(None)


@cached
def rendered_chat(file: OwnTokenizer, template: str, messages: tuple[Message, ...], prompted: bool) -> Chat | BpeError:
    """The messages rendered by the template of this name, "" for the default; errors are returned."""
    templates = chat_templates(file)
    assert isinstance(templates, ChatTemplates)  # the page offers no others
    try:
        source = templates.source(template or None)
        return render_chat(source, messages, templates.special_tokens, add_generation_prompt=prompted)
    except BpeError as error:
        return error.with_traceback(None)
