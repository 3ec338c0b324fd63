"""Tables beside the answers of the lessons on fairness to languages and on digits. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bpe_core import Tokenizer, TrainConfig, load_pretrained, train_parity
from bpe_core.bundled.openai import OPENAI
from bpe_core.language import _, language_name, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.text.digits import with_digits
from bpe_core.text.splits import Split
from ui.session.samples import all_samples
from ui.widgets.display import NAMES

if TYPE_CHECKING:
    from ui.lessons.tables import OfLesson


def fair_languages(given: OfLesson) -> Table:
    """Tokens of the sample paragraph by language: usual training, and parity-aware by paragraph and by bytes."""
    samples = [each for each in all_samples() if each.group == "parallel"]
    texts = {each.name: each.text for each in samples}
    config = TrainConfig(vocab_size=int(given.choices["fair_ids"]), min_count=2)
    columns = {
        _("Usual training"): train_parity(texts, config, global_merges=config.vocab_size),
        _("Parity-aware, by paragraph"): train_parity(texts, config, unit="lines"),
        _("Parity-aware, by bytes"): train_parity(texts, config, unit="bytes"),
    }
    return Table(
        (
            Column(_("Language"), [language_name(each.language) for each in samples]),
            *(Column(title, found.tokens[-1].tolist(), "number") for title, found in columns.items()),
        )
    )


def digit_groups(given: OfLesson) -> Table:
    """A summand and the sum in groups of digits, and in how many places both summands and the sum agree."""
    left, right = (int(number) for number in given.words)
    numbers = [str(number) for number in (left, right, left + right)]
    groups = [[cut(number) for number in numbers] for cut in groupings().values()]
    return Table(
        (
            Column(_("Groups of digits"), list(groupings())),
            Column(_("Agree"), [f"{agreeing(each)}/{len(numbers[-1])}" for each in groups], "number"),
            *(Column(numbers[at], ["|".join(each[at]) for each in groups], "number") for at in (0, 2)),
        )
    )


def groupings() -> dict[str, Callable[[str], list[str]]]:
    """What cuts a number into groups of digits: tokenizers, and splits."""
    cuts: dict[str, Callable[[str], list[str]]] = {
        translate(NAMES[name]): partial(_tokens, load_pretrained(name)) for name in OPENAI
    }
    cuts[_("One by one")] = Split(with_digits("gpt2", "one")).words
    cuts[_("From the left")] = Split(with_digits("gpt2", "left")).words
    cuts[_("From the right")] = Split(with_digits("gpt2", "right")).words
    return cuts


def _tokens(tokenizer: Tokenizer, number: str) -> list[str]:
    return [token.bytes.decode() for token in tokenizer.encode(number)]


def agreeing(numbers: Sequence[Sequence[str]]) -> int:
    """Places, of ones, tens and so on, at which all numbers that have the place have it equally far into its group.

    numbers: each in groups of digits. Counted from the end of the group, so that ones are at 0.

    >>> agreeing([["8", "765"], ["2", "345"], ["11", "110"]]), agreeing([["876", "5"], ["234", "5"], ["111", "10"]])
    (5, 2)
    """
    places = [[at for group in reversed(groups) for at in range(len(group))] for groups in numbers]
    longest = max(map(len, places))
    return sum(len({each[place] for each in places if place < len(each)}) == 1 for place in range(longest))
