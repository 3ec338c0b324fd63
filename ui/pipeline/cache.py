"""What the Pipeline page keeps between runs: its own tokenizers, the drawn stages, and chats under every mark-up."""

from __future__ import annotations

from typing import Any, NamedTuple

from bpe_core import BpeError, Tokenizer, TrainConfig
from ui.components.exchange import Body
from ui.memory.cache import kept
from ui.pipeline.drawing import pipeline_body
from ui.pipeline.request import MarkupCounts, PipelineRequest, count_markups
from ui.pipeline.request import title as pipeline_title
from ui.pipeline.training import trained_otherwise
from ui.session.state import Forks, Source
from ui.shared.cache import tokenizer


class DrawnPipeline(NamedTuple):
    """A pipeline as it is drawn, how many lone surrogates were replaced, and the length of the longest text."""

    body: Body
    surrogates: int
    longest: int


@kept
def _otherwise(name: str, source: Source) -> Tokenizer | None:
    return trained_otherwise(name, source)


def pipeline_tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks) -> Tokenizer:
    """A tokenizer of the Pipeline page: one of those that all pages have, or one trained on the same text."""
    return _otherwise(name, source) or tokenizer(name, source, config, forks)


@kept
def drawn_pipeline(request: PipelineRequest, *key: Any) -> DrawnPipeline:
    """All stages of the texts, drawn; `key` is that of `pipeline_tokenizer`."""
    done = request.run(pipeline_tokenizer(*key))
    normalized = [passage.normalized for passage in done.passages]
    return DrawnPipeline(
        pipeline_body(request, done, pipeline_title(key[0])),
        sum(each.surrogates for each in normalized),
        max(len(each.original) for each in normalized),
    )


@kept
def markup_counts(request: PipelineRequest, *key: Any) -> tuple[MarkupCounts, ...] | BpeError:
    """A chat under every way to treat its mark-up; `key` is that of `pipeline_tokenizer`."""
    return count_markups(request, pipeline_tokenizer(*key))
