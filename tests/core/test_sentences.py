"""Sentences describing drawn items: many come from few templates, and none depends on the previous one."""

from collections import Counter
from collections.abc import Iterable
from string import Formatter
from typing import Any

import pytest

from bpe_core.language import PSEUDO, message, sentence
from bpe_core.language.sentences import Strong


def test_a_template_is_parsed_once_for_all_sentences_that_are_made_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: Counter[str] = Counter()
    parse = Formatter.parse

    def counting(self: Formatter, template: str) -> Iterable[tuple[str, str | None, str | None, str | None]]:
        parsed[template] += 1
        return parse(self, template)

    monkeypatch.setattr(Formatter, "parse", counting)
    template = "The rank of **{token}** is {rank:,}, told many times."
    made = [tuple(sentence(template, token=b"lo", rank=rank)) for rank in range(1_000)]
    assert made[-1] == ("The rank of ", b"lo", " is 999, told many times.")
    assert parsed[template] == 1


@pytest.mark.parametrize(
    ("made", "parts"),
    [
        (sentence("**Merge {n}.** {what!r}", n=3, what="a"), [Strong("Merge 3."), " 'a'"]),
        (sentence("{{{n:03}}}**{word}**", n=7, word=message("so")), ["{007}", Strong("so")]),
        (sentence("{a}{a} **and {b}", a=b"x", b="y"), [b"x", b"x", " ", Strong("and y")]),
        (sentence("**not closed"), [Strong("not closed")]),
        (sentence("begins plain"), ["begins plain"]),
    ],
)
def test_bold_words_values_and_braces_are_the_parts_of_a_sentence(made: tuple[Any, ...], parts: list[Any]) -> None:
    for _ in range(2):
        assert list(made) == parts
        assert [type(part) for part in made] == [type(part) for part in parts]
    assert sentence("{n}", n=1).in_language(PSEUDO) == ("⟦1⟧",)
