"""Tags and example scores of a text's tokens, and the resulting entities by strategy. Pure data, no Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.language import TranslatableMessage, _, current_language, message, n_
from bpe_core.tokenizer.label_groups import (
    AGGREGATIONS,
    AggregationStrategy,
    Entity,
    Tagged,
    aggregate,
    entities,
)
from bpe_core.tokenizer.labels import OUTSIDE, Placed, Span, iob1, iob2, label_ids, placed, trimmed
from bpe_core.tokenizer.row_tables import TokenRow
from ui.session.labels import DECIMALS, TAGS, Guess

_SURE, _SPREAD = 90, 9
"""By default a token's own tag has a score of 0.90 to 0.98."""


class LabelRow(NamedTuple):
    """An id with its tags and example scores; None and 0 for special tokens, which are not part of the text."""

    token: str | bytes
    word: int | None
    start: int
    end: int
    iob1: str | None
    iob2: str | None
    label_id: int
    first_tag: str | None
    first_score: float
    second_tag: str | None
    second_score: float


class Labelled:
    """The tokens of a text with marks: tags in both schemes, example scores, and entities from these.

    Ranges exclude the white space around a token; otherwise most spans would begin inside a token.
    """

    def __init__(self, text: str, rows: Sequence[TokenRow], spans: Sequence[Span], chosen: Sequence[Guess]) -> None:
        self.text = text
        self.rows = list(rows)
        self.spans = [span for span in spans if span.end <= len(text)]
        self.beyond = len(spans) - len(self.spans)
        inside = [row.text is not None for row in rows]
        ranges = [(row.start, row.end) if is_text else (0, 0) for row, is_text in zip(rows, inside, strict=True)]
        self.ranges = trimmed(ranges, text)
        self.words = [row.word for row in rows]
        self.iob1 = iob1(self.spans, self.ranges)
        self.iob2 = iob2(self.spans, self.ranges)
        self._chosen = {guess.place: guess for guess in chosen}

    @cached_property
    def guesses(self) -> list[Guess | None]:
        """Scores of each token, chosen or default; None for tokens without characters."""
        return [default and self._chosen.get(default.place, default) for default in self.default_guesses]

    @cached_property
    def default_guesses(self) -> list[Guess | None]:
        """Default scores of each token, mostly for its IOB2 tag; None for tokens without characters."""
        nth: Counter[tuple[int, int]] = Counter()
        found: list[Guess | None] = []
        for number, ((start, end), tag) in enumerate(zip(self.ranges, self.iob2, strict=True)):
            if tag is None:
                found.append(None)
                continue
            place = (start, end, nth[start, end])
            nth[start, end] += 1
            other = "I-MISC" if tag == OUTSIDE else OUTSIDE
            found.append(Guess(*place, tag, (_SURE + number * 7 % _SPREAD) / 100, other))
        return found

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """Scores, tokens × TAGS."""
        made = np.zeros((len(self.rows), len(TAGS)))
        for row, guess in zip(made, self.guesses, strict=True):
            if guess is not None:
                row[TAGS.index(guess.first)] = guess.score
                row[TAGS.index(guess.second)] = guess.rest
        return made

    @cached_property
    def table(self) -> list[LabelRow]:
        """A row for each id, as shown and copied."""
        ids = label_ids(self.iob2, TAGS)
        lines = []
        for number, (row, guess) in enumerate(zip(self.rows, self.guesses, strict=True)):
            first, second = self.iob1[number], self.iob2[number]
            scores = (None, 0.0, None, 0.0) if guess is None else (guess.first, guess.score, guess.second, guess.rest)
            lines.append(LabelRow(row.token, row.word, *self.ranges[number], first, second, ids[number], *scores))
        return lines

    @cached_property
    def digits(self) -> int:
        """Decimals of the scores shown: two, or four if a score has more than two."""
        whole = all(guess is None or guess.score == round(guess.score, 2) for guess in self.guesses)
        return 2 if whole else DECIMALS

    @property
    def places(self) -> list[Placed]:
        """Positions of the marks among the tokens."""
        return placed(self.spans, self.ranges)

    def entities(self, strategy: AggregationStrategy) -> list[Entity]:
        """The entities of the example scores."""
        return entities(self.scores, TAGS, self.ranges, self.words, strategy)

    @cached_property
    def disagreeing(self) -> list[range]:
        """Words whose tokens have different labels, as ranges of token indices."""
        kept = [number for number, guess in enumerate(self.guesses) if guess is not None]
        found = []
        for _word, each in groupby(kept, key=self.words.__getitem__):
            tokens = list(each)
            labels = {guess.first[2:] for number in tokens if (guess := self.guesses[number])}
            if len(labels) > 1:
                found.append(range(tokens[0], tokens[-1] + 1))
        return found

    def of_word(self, word: range, strategy: AggregationStrategy) -> list[Tagged]:
        """The tags of a word's tokens, or the single tag of the word."""
        part = slice(word.start, word.stop)
        return aggregate(self.scores[part], TAGS, self.ranges[part], self.words[part], strategy)

    def labels_in(self, word: range, strategy: AggregationStrategy) -> str:
        """The tags of a word under a strategy; for "simple", the labels of the groups it joins."""
        if strategy == "simple":
            return ", ".join(each.label for each in self._grouped_in(word))
        return ", ".join(each.tag for each in self.of_word(word, strategy))

    def effect(self, word: range, strategy: AggregationStrategy) -> str:
        """Sentence about the effect of a strategy on a word."""
        tokens = [number for number in word if self.guesses[number] is not None]
        found = self.of_word(word, strategy)
        if strategy == "none":
            return n_(
                "Its one token stays by itself, with its own tag.",
                "Each of its {count} tokens stays by itself, with its own tag.",
                len(tokens),
            )
        if strategy == "simple":
            parts = len({entity.first for entity in self._grouped_in(word)})
            return n_(
                "Neighbours of one label are joined: {count} part here.",
                "Neighbours of one label are joined: {count} parts here.",
                parts,
            )
        [tagged] = found
        if strategy == "first":
            return _("Its first token decides: {tag}. The others do not count.", tag=tagged.tag)
        best = self.scores[tokens].max(axis=1)
        if strategy == "max":
            nth = int(best.argmax())
            return _(
                "Its {nth} token has the highest score, {score}, and decides: {tag}.",
                nth=_nth(nth + 1),
                score=self._shown(best[nth]),
                tag=tagged.tag,
            )
        column = self.scores[tokens][:, TAGS.index(tagged.tag)]
        shown = " + ".join(map(self._shown, column))
        return _(
            "Highest mean: {tag}, ({sum}) ÷ {count} = {mean}.",
            tag=tagged.tag,
            sum=shown,
            count=len(tokens),
            mean=self._shown(tagged.score),
        )

    def _shown(self, score: float) -> str:
        return f"{score:.{self.digits}f}"

    def _grouped_in(self, word: range) -> list[Entity]:
        return [each for each in self.entities("simple") if each.first < word.stop and word.start < each.stop]


def sentences(labelled: Labelled) -> list[str]:
    """Sentences about marks that do not align with token boundaries."""
    remarks = []
    for span, place in zip(labelled.spans, labelled.places, strict=True):
        name = _("“{text}”", text=labelled.text[span.start : span.end])
        if not place.tokens:
            remarks.append(
                _("{name} gets no tag: its token has the tag of the mark before.", name=name)
                if place.shared
                else _("{name} gets no tag: no token is there.", name=name)
            )
            continue
        first, last = labelled.ranges[place.tokens[0]], labelled.ranges[place.tokens[-1]]
        if place.before:
            token = labelled.text[first[0] : first[1]]
            remarks.append(
                _("{name} begins inside the token “{token}”, all of which gets its tag.", name=name, token=token)
            )
        if place.shared:
            remarks.append(
                _("{name} begins in a token of the mark before, so its tags begin one token later.", name=name)
            )
        if place.after and (place.before == 0 or len(place.tokens) > 1):
            token = labelled.text[last[0] : last[1]]
            remarks.append(_("{name} ends inside the token “{token}”.", name=name, token=token))
    return remarks


def _nth(number: int) -> str:
    """Ordinal in English: 1st, 2nd, 3rd, 4th; the bare number in other languages, whose sentences contain the rest.

    >>> [_nth(number) for number in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    if current_language() != "en":
        return f"{number}"
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


GENERAL: dict[AggregationStrategy, TranslatableMessage] = dict(
    zip(
        AGGREGATIONS,
        (
            message("Every token by itself, with the tag of its highest score."),
            message("Tokens of one label in a row are joined; a B- begins another."),
            message("A word takes the tag of its first token, and words are joined as with “simple”."),
            message("A word takes the tag of its token with the highest score, and words are joined as with “simple”."),
            message(
                "A word takes the tag of the highest mean of its tokens' scores, and words are joined as with “simple”."
            ),
        ),
        strict=True,
    )
)
"""Description of each strategy."""
