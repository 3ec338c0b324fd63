"""Tables next to the answers of lessons on newer ways to segment, single tokens, fairness to languages, and digits.

Pure data, no Streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bpe_core import (
    Removal,
    Tokenizer,
    TrainConfig,
    encode_fewest,
    encode_sampled,
    likely_segmentations,
    load_pretrained,
    train_parity,
    train_picky,
)
from bpe_core.bundled.openai import OPENAI
from bpe_core.language import _, language_name, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.published.known_glitches import ORIGINS, glitch_tokens
from bpe_core.text.digits import with_digits
from bpe_core.text.marks import marked
from bpe_core.text.splits import Split
from bpe_core.tokenizer.chips import plain
from bpe_core.tokenizer.prompt_end import heal
from ui.session.samples import all_samples
from ui.widgets.display import NAMES

if TYPE_CHECKING:
    from bpe_core import PickyTraining
    from ui.lessons.tables import OfLesson

DROPOUTS = (0.0, 0.1, 0.2, 0.5, 1.0)
"""Dropout probabilities in the table."""


def removals(given: OfLesson) -> Table:
    """First tokens that PickyBPE removes, with the counts that decide."""
    config = TrainConfig(vocab_size=int(given.choices["size"]), unit="char", split=given.config.split)
    training = train_picky(given.text, config, threshold=given.choices["threshold"] / 100)
    found = [(at, event) for at, event in enumerate(training.events, 1) if isinstance(event, Removal)][:10]
    return Table(
        Column(_("Token"), [_tokens(training, [event.token_id]) for _at, event in found]),
        Column(_("Removed at"), [at for at, _event in found], "number"),
        Column(_("Used up by"), [_tokens(training, [event.made]) for _at, event in found]),
        Column(_("Merged"), [event.used for _at, event in found], "number"),
        Column(_("Before"), [event.count for _at, event in found], "number"),
        Column(_("Share, %"), [100 * event.score for _at, event in found], "number", digits=1),
    )


def fewest_tokens(given: OfLesson) -> Table:
    """Words in tokens by merging, and in the fewest tokens that the vocabulary allows."""
    tokenizer = given.training().tokenizer()
    by_merges = [tokenizer.encode(word).tokens for word in given.words]
    least = [encode_fewest(tokenizer, word).tokens for word in given.words]
    return Table(
        Column(translate(term("typed", "Word")), given.words),
        Column(_("By the merges"), [f"{'|'.join(each)}: {len(each)}" for each in by_merges]),
        Column(_("The fewest"), [f"{'|'.join(each)}: {len(each)}" for each in least]),
    )


def dropouts(given: OfLesson) -> Table:
    """Tokens of the view's sample by dropout, and how often the first word has the same tokens as without dropout."""
    tokenizer, word = given.tokenizer(given.choices["with"]), given.words[0]
    usual = tuple(tokenizer.encode(word).ids.tolist())
    tokens, shares = [], []
    for dropout in DROPOUTS:
        seeds = range(10 if 0 < dropout < 1 else 1)
        draws = [len(encode_sampled(tokenizer, given.text, dropout=dropout, seed=seed)) for seed in seeds]
        tokens.append(sum(draws) / len(draws))
        found = likely_segmentations(tokenizer, word, None, dropout=dropout)
        shares.append(100 * sum(each.probability for each in found if each.ids == usual))
    return Table(
        Column("p", list(DROPOUTS), "number", digits=2),
        Column(_("Tokens of the story"), tokens, "number", digits=0),
        Column(_("{word} unchanged, %", word=marked(word)), shares, "number", digits=1),
    )


def prompt_ends(given: OfLesson) -> Table:
    """Prompts with the token that healing removes from each, and the tokens that may follow instead."""
    tokenizer = given.tokenizer(given.choices["with"])
    healed = [heal(tokenizer, prompt) for prompt in given.words]
    return Table(
        Column(_("Prompt"), [marked(prompt) for prompt in given.words]),
        Column(_("Removed"), [_tokens(tokenizer, each.removed) for each in healed]),
        Column(_("May follow"), [len(each.allowed) for each in healed], "number"),
        Column(_("The first of them"), [_tokens(tokenizer, each.allowed[:4]) for each in healed]),
    )


def _tokens(of: Tokenizer | PickyTraining, ids: Sequence[int]) -> str:
    return "  ".join(translate(plain(of.token_bytes(token_id))) for token_id in ids)


def glitch_origins(given: OfLesson) -> Table:
    """Known glitch tokens of the view's vocabulary by their origin, the most frequent origin first."""
    tokenizer = given.tokenizer(given.choices["of"])
    by_origin: dict[str, list[int]] = {}
    for each in glitch_tokens(tokenizer).values():
        by_origin.setdefault(translate(ORIGINS[each.origin]), []).append(each.id)
    rows = sorted(by_origin.items(), key=lambda row: -len(row[1]))
    return Table(
        Column(_("Came from"), [origin for origin, _ids in rows]),
        Column(translate(term("number", "Tokens")), [len(ids) for _origin, ids in rows], "number"),
        Column(_("The first of them"), [_tokens(tokenizer, ids[:1]) for _origin, ids in rows]),
    )


def fair_languages(given: OfLesson) -> Table:
    """Tokens of the sample paragraph by language: standard training, and parity-aware by paragraph and by bytes."""
    samples = [each for each in all_samples() if each.group == "parallel"]
    texts = {each.name: each.text for each in samples}
    config = TrainConfig(vocab_size=int(given.choices["fair_ids"]), min_count=2)
    columns = {
        _("Standard training"): train_parity(texts, config, global_merges=config.vocab_size),
        _("Parity-aware, by paragraph"): train_parity(texts, config, unit="lines"),
        _("Parity-aware, by bytes"): train_parity(texts, config, unit="bytes"),
    }
    return Table(
        Column(_("Language"), [language_name(each.language) for each in samples]),
        *(Column(title, found.tokens[-1].tolist(), "number") for title, found in columns.items()),
    )


def digit_groups(given: OfLesson) -> Table:
    """A summand and the sum in groups of digits, and the number of places in which both summands and the sum agree."""
    left, right = (int(number) for number in given.words)
    numbers = [str(number) for number in (left, right, left + right)]
    groups = [[cut(number) for number in numbers] for cut in groupings().values()]
    return Table(
        Column(_("Groups of digits"), list(groupings())),
        Column(_("Agree"), [f"{agreeing(each)}/{len(numbers[-1])}" for each in groups], "number"),
        *(Column(numbers[at], ["|".join(each[at]) for each in groups], "number") for at in (0, 2)),
    )


def groupings() -> dict[str, Callable[[str], list[str]]]:
    """Functions that cut a number into groups of digits, by name: tokenizers and splits."""
    cuts: dict[str, Callable[[str], list[str]]] = {
        translate(NAMES[name]): partial(_pieces, load_pretrained(name)) for name in OPENAI
    }
    cuts[_("One by one")] = Split(with_digits("gpt2", "one")).words
    cuts[_("From the left")] = Split(with_digits("gpt2", "left")).words
    cuts[_("From the right")] = Split(with_digits("gpt2", "right")).words
    return cuts


def _pieces(tokenizer: Tokenizer, number: str) -> list[str]:
    return [token.bytes.decode() for token in tokenizer.encode(number)]


def agreeing(numbers: Sequence[Sequence[str]]) -> int:
    """Number of decimal places (ones, tens, …) with the same position within their group in all numbers that have them.

    numbers: each in groups of digits. Positions count from the end of a group, so that ones are at 0.

    >>> agreeing([["8", "765"], ["2", "345"], ["11", "110"]]), agreeing([["876", "5"], ["234", "5"], ["111", "10"]])
    (5, 2)
    """
    places = [[at for group in reversed(groups) for at in range(len(group))] for groups in numbers]
    longest = max(map(len, places))
    return sum(len({each[place] for each in places if place < len(each)}) == 1 for place in range(longest))
