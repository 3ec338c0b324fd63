"""The project's own training file: versioned JSON that restores every step.

The file holds a training's input (settings, text, forks) and result (merges). Opening it retrains and compares the
merges, so the result is either the saved training or an error.

    {"format": "bpe-lab", "version": 1,
     "config": {…},            every setting of TrainConfig by name
     "characters": "ghnpu",    the base symbols of a character vocabulary in the order of their ids; null for bytes
     "forks": [[2, 97, 98]],   [step, left id, right id], each a fork of the previous training
     "merges": [[97, 97, 4]],  [left id, right id, count when chosen], by rank
     "text": "aaabdaaabac"}    the training text
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from typing import Any, NoReturn

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Progress
from bpe_core.bpe.training import Training, train
from bpe_core.errors import BpeError, ConfigError, FormatError, quoted
from bpe_core.formats.careful_json import json_text, parsed_json
from bpe_core.formats.reading import THE_FILE, an_object, check_size, check_version
from bpe_core.formats.reading_memory import of_json
from bpe_core.language import message
from bpe_core.work import taking

FORMAT, VERSION = "bpe-lab", 1
MOST_BYTES = 32_000_000
MOST_FORKS = 100
_HIGHEST = 10**15 - 1
"""Highest number in a fork or merge."""

Fork = tuple[int, int, int]
"""A pair merged against the rule: step, left id, right id."""

_KEYS = ("format", "version", "config", "characters", "forks", "merges", "text")
_SETTINGS = tuple(setting.name for setting in fields(TrainConfig))
_ADDED_LATER = {"method": "bpe", "transition": 0}
"""Settings that older files lack."""


@dataclass(frozen=True)
class SavedTraining:
    """Content of a training file. Its structure has been validated; its merges are verified only by `train`.

    >>> training = train("low low", TrainConfig(vocab_size=258))
    >>> saved = read_training(save_training(training, "low low"))
    >>> saved.train().merges == training.merges
    True
    >>> saved.check(train("low low", TrainConfig(vocab_size=257)))
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 2 merges, but its text and settings give 1. A file has all merges of ...
    """

    config: TrainConfig
    text: str = field(repr=False)
    forks: tuple[Fork, ...]
    characters: str | None = field(repr=False)
    merges: tuple[tuple[int, int, int], ...] = field(repr=False)

    def train(self, *, on_progress: Progress | None = None) -> Training:
        """Retrain from the file. Raises FormatError if the merges differ from the file's."""
        try:
            training = train(self.text, self.config, on_progress=on_progress)
            for step, left, right in self.forks:
                training = training.fork(step, (left, right))
        except BpeError as error:
            raise FormatError(
                message("The training in the file cannot be run: {problem}", problem=error.problem),
                limit=error.limit,
                remedy=_REMEDY,
            ) from None
        self.check(training)
        return training

    def check(self, training: Training) -> None:
        """Raise FormatError for the first merge that differs between a training and the file."""
        made = [(merge.left, merge.right, merge.count) for merge in training.merges]
        for rank, (stored, found) in enumerate(zip(self.merges, made, strict=False)):
            if stored != found:
                _refuse(
                    message(
                        "merges[{rank}] is {merge}, but this text and these settings give {found}.",
                        rank=rank,
                        merge=str(list(stored)),
                        found=str(list(found)),
                    ),
                    message("A file has the merges that its text and settings lead to."),
                )
        if len(self.merges) != len(made):
            _refuse(
                message(
                    "The file has {merges:,} merges, but its text and settings give {given:,}.",
                    merges=len(self.merges),
                    given=len(made),
                ),
                message("A file has all merges of its training."),
            )
        if self.characters != _characters(training):
            _refuse(
                message("The characters in the file are not those of its text."),
                message("They must be the text's base symbols."),
            )


def save_training(training: Training, text: str, *, forks: Sequence[Fork] = ()) -> bytes:
    """The file of a training on `text` with its `forks`.

    Raises FormatError if the file is too large, and for a training that continues from a tokenizer.

    >>> training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259))
    >>> open_training(save_training(training, "aaabdaaabac")).merges == training.merges
    True
    """
    if training.base is not None:
        raise FormatError(
            message("The training continues from {name}.", name=training.base.name),
            limit=message("A file of a training holds one that begins with bytes or characters."),
            remedy=message("Save its tokenizer instead."),
        )
    settings = asdict(training.config)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "config": {name: settings[name] for name in _SETTINGS if settings[name] != _ADDED_LATER.get(name)},
        "characters": _characters(training),
        "forks": [list(fork) for fork in forks],
    }
    merges = ",\n".join(f"[{merge.left}, {merge.right}, {merge.count}]" for merge in training.merges)
    # One line per key and per merge, for reading and comparing files.
    lines = [f'"{key}": {json_text(value)}' for key, value in head.items()]
    lines += [f'"merges": [\n{merges}\n]', f'"text": {json_text(text)}']
    data = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    if len(data) > MOST_BYTES:
        raise FormatError(
            message("The training takes {bytes:,} bytes as a file.", bytes=len(data)),
            limit=message("The most allowed is {most:,}.", most=MOST_BYTES),
            remedy=message("Train on a part of the text, or save its tokenizer instead."),
        )
    return data


def open_training(data: bytes, *, on_progress: Progress | None = None) -> Training:
    """Open a training file: retrain and verify. Raises FormatError for any other content.

    >>> open_training(b"not a file of ours")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is not JSON: Expecting value at line 1, column 1. A training file is JSON as \
BPE Lab saves it. Save the training again, and open that file.
    """
    return read_training(data).train(on_progress=on_progress)


def read_training(data: bytes) -> SavedTraining:
    """Read and validate a training file without training. Raises FormatError with the place and the reason.

    Nothing in the file is executed except its split pattern, which is checked and timed like every pattern.

    >>> saved = read_training(save_training(train("low low", TrainConfig(vocab_size=258)), "low low"))
    >>> saved.text, saved.merges
    ('low low', ((108, 111, 2), (256, 119, 2)))
    """
    check_size(data, most=MOST_BYTES, remedy=_REMEDY)
    with taking(lambda: of_json(data)):
        return training_of(parsed_json(data, limit=_IS_JSON, remedy=_REMEDY))


def training_of(parsed: object) -> SavedTraining:
    """The training in parsed JSON. Raises as `read_training`.

    >>> import json
    >>> data = save_training(train("low low", TrainConfig(vocab_size=257)), "low low")
    >>> training_of(json.loads(data)).merges
    ((108, 111, 2),)
    """
    content = an_object(THE_FILE, parsed, remedy=_REMEDY)
    if content.get("format") != FORMAT:
        _refuse(
            message("The file is not a training: its format is {format}.", format=quoted(content.get("format"))),
            message('It must be "{format}".', format=FORMAT),
        )
    check_version(content.get("version"), VERSION)
    an_object(THE_FILE, content, _KEYS, only=True, remedy=_REMEDY)
    config = _config(content["config"])
    characters = content["characters"]
    if characters is not None:
        characters = _text("characters", characters)
    return SavedTraining(
        config,
        _text("text", content["text"]),
        tuple(_triples("forks", content["forks"], MOST_FORKS)),
        characters,
        tuple(_triples("merges", content["merges"], config.vocab_size)),
    )


# -- validators ------------------------------------------------------------------------------------------------


_IS_JSON = message("A training file is JSON as BPE Lab saves it.")
_REMEDY = message("Save the training again, and open that file.")


def _refuse(problem: str, limit: str) -> NoReturn:
    raise FormatError(problem, limit=limit, remedy=_REMEDY)


def _config(value: object) -> TrainConfig:
    given = {**_ADDED_LATER, **value} if isinstance(value, dict) else value
    settings = an_object("config", given, _SETTINGS, only=True, remedy=_REMEDY)
    if not isinstance(settings["special_tokens"], list):
        _refuse(
            message("config.special_tokens is {value}.", value=quoted(settings["special_tokens"])),
            message("It must be a list of texts."),
        )
    try:
        return TrainConfig(**settings)
    except ConfigError as error:
        raise FormatError(
            message("In config: {problem}", problem=error.problem), limit=error.limit, remedy=_REMEDY
        ) from None


def _text(place: str, value: object) -> str:
    if not isinstance(value, str):
        _refuse(message("{place} is {value}.", place=place, value=quoted(value)), message("It must be a text."))
    return value


def _triples(place: str, value: object, most: int) -> list[tuple[int, int, int]]:
    """Validate a list of lists of three whole numbers."""
    if not isinstance(value, list):
        _refuse(message("{place} is {value}.", place=place, value=quoted(value)), message("It must be a list."))
    if len(value) > most:
        _refuse(
            message("{place} has {entries:,} entries.", place=place, entries=len(value)),
            message("The most allowed here is {most:,}.", most=most),
        )
    if triples(value, _HIGHEST) is None:
        for at, entry in enumerate(value):
            if not isinstance(entry, list) or len(entry) != 3 or not all(map(_is_number, entry)):
                _refuse(
                    message("{place}[{entry}] is {value}.", place=place, entry=at, value=quoted(entry)),
                    message("It must be a list of three whole numbers, none below 0."),
                )
    return [(first, second, third) for first, second, third in value]


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= _HIGHEST


def triples(entries: Sequence[Any], highest: int) -> Int64s | None:
    """Rows of three whole numbers from 0 to `highest`; None if an entry is anything else.

    >>> triples([[1, 2, 3]], 9).tolist(), triples([[1, 2, 3], [1, 2, "3"]], 9)
    ([[1, 2, 3]], None)
    """
    if not set(map(type, entries)) <= {list} or not set(map(len, entries)) <= {3}:
        return None
    numbers = [*chain.from_iterable(entries)]
    if not set(map(type, numbers)) <= {int} or not 0 <= min(numbers, default=0) <= max(numbers, default=0) <= highest:
        return None
    return np.array(numbers, np.int64).reshape(-1, 3)


def _characters(training: Training) -> str | None:
    """Characters among the base symbols, in id order; None for a byte vocabulary."""
    config = training.config
    if config.unit == "byte":
        return None
    tokenizer = training.tokenizer(0)
    first = len(tokenizer.special_tokens) + (256 if config.byte_fallback else 0)
    last = tokenizer.vocab_size - (1 if config.end_of_word else 0)
    return "".join(tokenizer.token_bytes(token_id).decode() for token_id in range(first, last))
