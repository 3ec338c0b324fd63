"""Validation and replacement of a tokenizer's stages."""

from __future__ import annotations

from typing import Protocol

from bpe_core import checks
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.text.normalizer_settings import with_changes
from bpe_core.text.normalizers import NORMALIZATIONS, Normalization, Normalizer
from bpe_core.text.splits import Split
from bpe_core.text.splitter import Splitter
from bpe_core.tokenizer.templates import Template


def check_stages(
    name: object,
    model: object,
    normalizer: object,
    split: object,
    decoder: object,
    template: object,
    kept: object,
) -> None:
    """Raise ConfigError unless every stage has the required attribute. `split`, `decoder`, `kept` may be None.

    >>> from bpe_core.text.normalizers import IDENTITY
    >>> from bpe_core.tokenizer.templates import NO_TEMPLATE
    >>> check_stages("mine", "merges", IDENTITY, None, None, NO_TEMPLATE, None)
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: model is 'merges'. It takes a Model. Correct it.
    """
    asked = (
        (name, "name", message("a text"), "strip"),
        (model, "model", message("a Model"), "encode_word"),
        (normalizer, "normalizer", message("a Normalizer"), "steps"),
        (split, "split", message("a Split"), "by_model"),
        (decoder, "decoder", message("a Decoder"), "parts"),
    )
    for stage, what, wanted, method in asked:
        if (isinstance(stage, type) or not hasattr(stage, method)) and not (
            stage is None and what in ("split", "decoder")
        ):
            raise checks.wrong(stage, what, message("It takes {wanted}.", wanted=wanted))
    checks.instance(template, "template", Template, message("a Template"))
    if kept is not None:
        checks.mapping(kept, "kept", message("what a file says, by its keys"))


class Stages(Protocol):
    """Parts of a tokenizer used by `changed_stages`: its name in messages, and the stages that can change.

    >>> from bpe_core import load_pretrained
    >>> stages: Stages = load_pretrained("gpt2")
    >>> stages.name, stages.split.pattern
    ('gpt2', 'gpt2')
    """

    name: str
    normalizer: Normalizer
    split: Splitter


def changed_stages(
    tokenizer: Stages,
    normalization: Normalization | None = None,
    lowercase: bool | None = None,
    strip_accents: bool | None = None,
    split: str | None = None,
    template: Template | None = None,
) -> dict[str, object]:
    """Stages of a tokenizer after these changes, by name; None is no change.

    Raises ConfigError for invalid values, and for a tokenizer whose model finds the words itself.

    >>> from bpe_core import load_pretrained
    >>> changed_stages(load_pretrained("gpt2"), split="words")["split"].pattern
    'words'
    """
    asked = (normalization, lowercase, strip_accents, split)
    if tokenizer.split.by_model and any(value is not None for value in asked):
        raise ConfigError(
            message("{name} would get another normalization or split.", name=tokenizer.name),
            limit=message("A SentencePiece model contains both."),
            remedy=message("Choose another tokenizer for that."),
        )
    if normalization is not None:
        checks.choice(normalization, "normalization", NORMALIZATIONS)
    for value, what in ((lowercase, "lowercase"), (strip_accents, "strip_accents")):
        if value is not None:
            checks.true_or_false(value, what)
    if template is not None:
        checks.instance(template, "template", Template, message("a Template"))
    changed: dict[str, object] = {}
    if asked[:3] != (None, None, None):
        changed["normalizer"] = with_changes(
            tokenizer.normalizer, normalization=normalization, lowercase=lowercase, strip_accents=strip_accents
        )
    if split is not None:
        changed["split"] = Split(split)
    if template is not None:
        changed["template"] = template
    return changed
