"""The "config" of BPE Lab's tokenizer files: training settings, or a tokenizer's stages in the same terms."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, NamedTuple, cast

from bpe_core.bpe.config import MOST_IDS, TrainConfig
from bpe_core.formats.bpe import bpe_model
from bpe_core.formats.reading import a_flag, a_list, an_object, made
from bpe_core.text.normalizer_settings import standard_chain
from bpe_core.text.normalizers import CleanText, Form, Lowercase, Normalizer, StripAccents
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import WordPieceModel


class FileConfig(NamedTuple):
    """A file's config as training settings, with the equivalent normalizer.

    `trained`: whether the settings are those of a training, not the stages of another program's file.

    >>> from bpe_core import train
    >>> settings = settings_of(train("low", TrainConfig(lowercase=True)).tokenizer())
    >>> stages = read_stages(settings | {"special_tokens": []})
    >>> stages.normalizer.normalize("LOW").text, stages.trained
    ('low', True)
    """

    config: TrainConfig
    normalizer: Normalizer
    trained: bool


_OF_TRAININGS = ("method", "transition")
"""Settings that tokenizer files lack: these have the split that resulted from them."""

_READ_ONLY = ("clean", "lowercase_each")
"""Settings that occur only in normalizers of other programs' files."""


def read_stages(value: object) -> FileConfig:
    """Read the config of a file. Raises FormatError with the invalid setting.

    >>> read_stages({"vocab_size": 300})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: config lacks 'unit'. It has vocab_size, unit, split, ...
    """
    names = tuple(setting.name for setting in fields(TrainConfig) if setting.name not in _OF_TRAININGS)
    more = _READ_ONLY if isinstance(value, dict) and _READ_ONLY[0] in value else ()
    settings = an_object("config", value, (*names, *more), only=True)
    special = a_list("config.special_tokens", settings["special_tokens"])
    known = {name: settings[name] for name in names} | {"special_tokens": tuple(special)}
    config = made("config", lambda: TrainConfig(**known))
    clean, each = (a_flag(f"config.{name}", settings.get(name, False)) for name in _READ_ONLY)
    normalizer = standard_chain(
        config.normalization,
        lowercase=config.lowercase,
        strip_accents=config.strip_accents,
        clean=clean,
        each=each,
    )
    return FileConfig(config, normalizer, trained=not more)


def settings_of(tokenizer: Tokenizer) -> dict[str, Any]:
    """The config of a tokenizer's file: its training settings, or the settings equivalent to its stages.

    >>> from bpe_core import load_pretrained
    >>> settings = settings_of(load_pretrained("gpt2").with_stages(lowercase=True))
    >>> settings["split"], settings["lowercase"]
    ('gpt2', True)
    """
    settings = asdict(default_settings(tokenizer) if tokenizer.config is None else tokenizer.config)
    for name in _OF_TRAININGS:
        del settings[name]
    if tokenizer.split.by_model:
        return settings
    steps = tokenizer.normalizer.steps
    lower = [step for step in steps if isinstance(step, Lowercase)]
    settings |= {
        "split": tokenizer.split.pattern,
        "normalization": next((step.form for step in steps if isinstance(step, Form)), "none"),
        "lowercase": bool(lower),
        "strip_accents": any(isinstance(step, StripAccents) for step in steps),
    }
    clean, each = any(isinstance(step, CleanText) for step in steps), any(step.each for step in lower)
    return settings | {"clean": clean, "lowercase_each": each} if clean or each else settings


def default_settings(tokenizer: Tokenizer) -> TrainConfig:
    """Settings for a tokenizer trained elsewhere, apart from its normalizer.

    The sizes are those of the first files of version 2, so that files stay byte-identical.

    >>> from bpe_core import load_pretrained
    >>> default_settings(load_pretrained("gpt2")).vocab_size
    50256
    """
    model, split = tokenizer.model, tokenizer.split.pattern
    size = min(max(len(model.tokens), 256), MOST_IDS)
    if model.kind == "bpe":
        base = bpe_model(tokenizer).base
        fallback = model.unit == "char" and base.byte_ids is not None
        return TrainConfig(vocab_size=size, unit=model.unit, split=split, end_of_word=base.mark, byte_fallback=fallback)
    if model.kind == "wordpiece" and cast("WordPieceModel", model).longest_word:
        return TrainConfig(vocab_size=size, unit="char", split=split)
    if model.kind == "wordpiece":
        special = tuple(token for token, i in tokenizer.special_tokens.items() if i < len(model.tokens))
        return TrainConfig(unit="char", split=split, special_tokens=special)
    return TrainConfig(unit="char", split=split, normalization="NFKC" if model.kind == "sentencepiece" else "none")
