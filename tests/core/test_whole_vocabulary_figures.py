"""Figures of a whole vocabulary: the merge forest, the composition of tokens, and the savings of the first merges."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bpe_core import Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.display.composition_figures import MOST_GROUPS, Composition, composition_figure
from bpe_core.display.figures import MOST_POINTS
from bpe_core.display.first_merges_figures import Curve, first_merges_figure
from bpe_core.display.forest_figures import MOST_TREES, forest_figure
from bpe_core.display.plain_text import LONGEST_TOKEN, literal_token
from bpe_core.drawing.themes import THEMES, contrast
from bpe_core.errors import ConfigError, TokenIdError
from bpe_core.text.scripts import SCRIPTS
from bpe_core.tokenizer.facts import token_facts
from bpe_core.tokenizer.forests import merge_forest
from bpe_core.tokenizer.kinds import KINDS, token_kinds
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordlevel.model import WordLevelModel
from bpe_core.wordpiece.model import wordpiece_tokenizer
from tests.core.test_figures import HOSTILE, TEXT, reason
from tests.draws import first

Figure = Any


def boxes_of(figure: Figure) -> dict[int | None, dict[str, Any]]:
    """A treemap's data of each token, by id; None for the enclosing box."""
    [trace] = figure.data
    names = ("ids", "labels", "parents", "values", "customdata")
    rows = zip(*(trace[name] for name in names), trace.marker.colors, strict=True)
    return {row[4][1]: dict(zip((*names, "share"), row, strict=True)) for row in rows}


# -- the merge forest ---------------------------------------------------------------------------------------------


def test_each_token_is_within_its_left_part_and_a_tree_is_as_large_as_its_tokens() -> None:
    training = train(TEXT, TrainConfig(vocab_size=700))
    tokenizer = training.tokenizer()
    boxes = boxes_of(tokenizer.figure("forest"))
    assert len(boxes) == 701, "all tokens and the enclosing box"
    assert boxes[None]["values"] == 700
    at = {box["ids"]: token_id for token_id, box in boxes.items()}
    for merge in training.merges:
        box = boxes[merge.token_id]
        assert at[box["parents"]] == merge.left
        left, right = (literal_token(tokenizer.token_bytes(part)) for part in (merge.left, merge.right))
        assert box["customdata"][2:4] == [f"{left} + {right}", f"{merge.rank + 1:,}"]
        assert box["labels"] == literal_token(tokenizer.token_bytes(merge.token_id))
    for token_id, box in boxes.items():
        within = sum(
            other["values"] for other in boxes.values() if at.get(other["parents"]) == token_id and other is not box
        )
        assert box["values"] == within + (token_id is not None)
    base = [boxes[i]["customdata"][2:4] for i in range(256)]
    assert base == [["base symbol", "–"]] * 256
    shares = [boxes[merge.token_id]["share"] for merge in training.merges]
    assert shares == sorted(shares), "the colour is the number of the merge"
    assert (boxes[0]["share"], shares[-1]) == (0, pytest.approx(1))


def test_by_use_a_tree_has_the_occurrences_of_its_tokens() -> None:
    tokenizer = load_pretrained("gpt2")
    text = "the then there low low low, low."
    boxes = boxes_of(tokenizer.figure("forest", text=text))
    used = np.bincount(tokenizer.encode(text).ids, minlength=50_257)
    forest = merge_forest(tokenizer)
    drawn = {token_id: box for token_id, box in boxes.items() if token_id is not None}
    assert {token_id for token_id in drawn if used[token_id]} == set(np.flatnonzero(used).tolist())
    assert sum(box["customdata"][4] for box in drawn.values()) == used.sum() == boxes[None]["values"]
    low = tokenizer.token_id(b" low")
    assert drawn[low]["customdata"][4:] == [4, 4]
    assert drawn[low]["share"] == 1
    assert max(forest.trees(used[forest.ids]).totals) <= used.sum()


def test_the_tree_of_one_token_has_what_begins_with_it() -> None:
    tokenizer = load_pretrained("gpt2")
    the = tokenizer.token_id(b" the")
    boxes = boxes_of(tokenizer.figure("forest", token_id=the))
    assert all(tokenizer.token_bytes(token_id).startswith(b" the") for token_id in boxes)
    assert boxes[the]["parents"] == ""
    assert boxes[the]["values"] == len(boxes) == 50
    assert boxes[the]["customdata"][2:4] == ["·t + he", "7"]
    assert (
        reason(tokenizer.figure("forest", token_id=tokenizer.token_id(b" therefore")))
        == "No merge begins with this token."
    )
    assert reason(tokenizer.figure("forest", token_id=50_256)) == "No merge begins with this token."
    with pytest.raises(TokenIdError):
        tokenizer.figure("forest", token_id=50_257)


def test_of_200_000_tokens_the_largest_trees_are_drawn_and_the_rest_is_said() -> None:
    tokenizer = load_pretrained("o200k_base")
    forest = merge_forest(tokenizer)
    labelled: list[int] = []

    def token_bytes(token_id: int) -> bytes:
        labelled.append(token_id)
        return tokenizer.token_bytes(token_id)

    trees = forest.trees()
    figure = forest_figure(trees, token_bytes, "dark")
    boxes = boxes_of(figure)
    assert len(boxes) == MOST_TREES + 1
    assert len(labelled) <= 3 * MOST_TREES
    drawn = {box["ids"] for box in boxes.values()}
    assert all(box["parents"] in drawn for token_id, box in boxes.items() if token_id is not None)
    sizes = dict(zip(trees.ids.tolist(), trees.totals.tolist(), strict=True))
    smallest = min(sizes[token_id] for token_id in boxes if token_id is not None)
    assert all(size <= smallest for token_id, size in sizes.items() if token_id not in boxes)
    assert "800 of 199,998 tokens, those of the largest trees" in figure.layout.title.subtitle.text


@pytest.mark.parametrize("theme", THEMES)
def test_tokens_are_legible_on_every_colour_of_the_scale(theme: str) -> None:
    [boxes] = train("aa", TrainConfig(vocab_size=257)).tokenizer().figure("forest", theme=theme).data
    for _place, colour in boxes.marker.colorscale:
        assert contrast(boxes.textfont.color, colour) >= 4.5


def test_a_file_of_several_merges_for_one_token_takes_the_first() -> None:
    tokenizer = train("aaaa aa", TrainConfig(vocab_size=258, split="none"), forced=[(97, 97), (97, 97)]).tokenizer()
    forest = merge_forest(tokenizer)
    assert sorted(forest.merges.tolist())[-2:] == [1, 2]


# -- composition --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", first(3, ["gpt2", "bert-base-uncased", "t5-small", "cl100k_base", "o200k_base"]))
def test_bars_are_the_kinds_and_scripts_of_all_tokens(name: str) -> None:
    tokenizer = load_pretrained(name)
    facts = token_facts(tokenizer)
    for figure, codes, groups in (
        (tokenizer.figure("composition"), token_kinds(tokenizer), KINDS),
        (tokenizer.figure("scripts"), facts.scripts, SCRIPTS),
    ):
        [bars] = figure.data
        counts = {group: int((codes == code).sum()) for code, group in enumerate(groups) if (codes == code).any()}
        found = {group: count for _name, group, count, *_rest in bars.customdata}
        assert sum(found.values()) == len(facts)
        assert all(counts[group] == count for group, count in found.items() if group in counts)
        assert len(found) == min(len(counts), MOST_GROUPS) or figure.layout.title.text == "Kinds of tokens"
        assert list(bars.x) == pytest.approx([100 * row[2] / len(facts) for row in bars.customdata])
        assert list(figure.layout.yaxis.ticktext) == [row[1] for row in bars.customdata]
        assert f"{len(facts):,} tokens" in figure.layout.title.subtitle.text
    shares = list(bars.x)[: MOST_GROUPS - 1]
    assert shares == sorted(shares, reverse=True), "scripts: the largest first"


def test_vocabularies_are_beside_each_other_in_order_also_under_one_name() -> None:
    gpt2 = load_pretrained("gpt2")
    figure = gpt2.figure("composition", tokenizers={"gpt2": load_pretrained("bert-base-uncased"), "cl": gpt2})
    assert [trace.name for trace in figure.data] == ["gpt2", "gpt2", "cl"]
    assert figure.data[0].x == figure.data[2].x != figure.data[1].x
    assert figure.layout.showlegend
    first, last = figure.layout.yaxis.range
    assert first > last


def kinds_of(tokenizer: Tokenizer) -> dict[str, str]:
    kinds = token_kinds(tokenizer)
    return {tokenizer.token(i): KINDS[kind] for i, kind in zip(tokenizer.ids, kinds.tolist(), strict=True)}


def test_what_kind_a_token_is_depends_on_how_its_model_marks_words() -> None:
    gpt2 = kinds_of(load_pretrained("gpt2"))
    assert {token: gpt2[token] for token in (" don", "'s", " U", ".", "...", " 20", "\n\n", "ful", " -", "\x00")} == {
        " don": "Word starts", "'s": "Word parts", " U": "Word starts", ".": "Punctuation and symbols",
        "...": "Punctuation and symbols", " 20": "Digits", "\n\n": "White space", "ful": "Word parts",
        " -": "Punctuation and symbols", "\x00": "Other",
    }  # fmt: skip
    cl100k = kinds_of(load_pretrained("cl100k_base"))
    for token in (".get", "_id", "(self", "getElement", "</"):
        assert cl100k[token] == ("Punctuation and symbols" if token == "</" else "Code-like")
    assert kinds_of(wordpiece_tokenizer(["[UNK]", "hug", "##s", "##1", "é"], special_tokens=["[UNK]"])) == {
        "[UNK]": "Special tokens", "hug": "Word starts", "##s": "Word parts", "##1": "Digits", "é": "Word starts",
    }  # fmt: skip
    t5 = kinds_of(load_pretrained("t5-small"))
    assert (t5["▁"], t5["▁the"], t5["ing"], t5["</s>"]) == (
        "White space",
        "Word starts",
        "Word parts",
        "Special tokens",
    )
    ends = train("low low", TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=8)).tokenizer()
    kinds = kinds_of(ends)
    assert (kinds["low</w>"], kinds["lo"], kinds["</w>"]) == ("Word ends", "Word parts", "Other")
    assert kinds_of(Tokenizer("words", model=WordLevelModel(["low", "e.g."])))["low"] == "Word starts"


def test_the_share_of_scripts_beyond_the_largest_is_one_bar() -> None:
    of = Composition("all", np.arange(30, 0, -1), [[b"a"]] * 30)
    [bars] = composition_figure("Scripts of tokens", [f"S{at}" for at in range(30)], [of], "light", by_size=True).data
    assert [row[1] for row in bars.customdata] == [*(f"S{at}" for at in range(MOST_GROUPS - 1)), "15 others"]
    assert sum(bars.x) == pytest.approx(100)


# -- the first merges ---------------------------------------------------------------------------------------------


def test_the_curve_has_the_counts_of_the_first_merges_on_a_log_axis() -> None:
    cl100k, gpt2 = load_pretrained("cl100k_base"), load_pretrained("gpt2")
    bert = load_pretrained("bert-base-uncased")
    figure = cl100k.figure("merges", text=TEXT, tokenizers={"GPT-2": gpt2, "BERT": bert})
    assert [trace.name for trace in figure.data] == ["cl100k_base", "GPT-2"]
    for trace, tokenizer in zip(figure.data, (cl100k, gpt2), strict=True):
        counts = tokenizer.tokens_over_merges(TEXT)
        assert list(trace.y) == counts[list(trace.x)].tolist()
        assert (trace.x[0], trace.x[-1]) == (1, len(counts) - 1)
        assert len(trace.x) <= MOST_POINTS
        _name, merges, tokens, per_token, saved, left = trace.customdata[-1]
        assert (merges, tokens, left) == (len(counts) - 1, len(tokenizer.encode(TEXT)), 0)
        assert per_token == pytest.approx(len(TEXT.encode()) / tokens)
        assert saved == pytest.approx(1 - tokens / len(TEXT.encode()))
    assert figure.layout.xaxis.type == "log"


# -- bad input ----------------------------------------------------------------------------------------------------


def test_a_figure_says_which_others_take_what_it_does_not() -> None:
    gpt2 = load_pretrained("gpt2")
    refused: list[tuple[str, dict[str, Any]]] = [
        ("lengths", {"text": "low"}),
        ("merges", {"token_id": 3}),
        ("forest", {"tokenizers": {}}),
        ("scripts", {"text": ""}),
    ]
    for name, given in refused:
        with pytest.raises(ConfigError, match=f"name is '{name}'. Only '.*' takes {next(iter(given))}. Leave out"):
            gpt2.figure(name, **given)
    with pytest.raises(ConfigError, match="The tokenizer 'a'"):
        gpt2.figure("composition", tokenizers={"a": "gpt2"})  # type: ignore[dict-item]


def test_without_text_merges_or_tokens_a_figure_says_so() -> None:
    gpt2, bert = load_pretrained("gpt2"), load_pretrained("bert-base-uncased")
    assert reason(gpt2.figure("merges")) == reason(gpt2.figure("merges", text="")) == "The text has no tokens."
    assert (
        reason(bert.figure("merges", text="low")) == reason(bert.figure("forest")) == "This vocabulary has no merges."
    )
    assert reason(gpt2.figure("forest", text="")) == "The text has none of these tokens."
    nothing = Tokenizer("none", model=WordLevelModel([]))
    special = Tokenizer("special", model=WordLevelModel([None]), special_tokens={"<s>": 0, "</s>": 1})
    for name in ("composition", "scripts"):
        assert reason(nothing.figure(name)) == "This vocabulary has no tokens."
        assert special.figure(name).data[0].x == (100.0,)
    for tokenizer in (nothing, special):
        assert reason(tokenizer.figure("forest")) == "This vocabulary has no merges."
    assert first_merges_figure([Curve("a", np.array([3]))], 3, "light").layout.annotations[0].text


def test_one_merge_infinite_scores_and_a_token_of_8_000_bytes_are_drawn() -> None:
    one = train("aa", TrainConfig(vocab_size=257)).tokenizer()
    assert one.figure("merges", text="aa").data[0].x == (1,)
    assert len(boxes_of(one.figure("forest", text="aa"))) == 2
    scores = unigram_tokenizer(UnigramModel({"▁": 2.0, "▁low": -math.inf, "er": math.inf, "l": 1.0}))
    assert sum(scores.figure("composition").data[0].x) == pytest.approx(100)
    long = train("x" * 8_192, TrainConfig(vocab_size=269, split="none")).tokenizer()
    assert max(len(long.token_bytes(i)) for i in long.ids) == 8_192
    labels = long.figure("forest").data[0].labels
    assert max(map(len, labels)) == LONGEST_TOKEN
    assert max(len(row[4]) for row in long.figure("composition").data[0].customdata) < 200


def test_tokens_that_are_ranges_of_a_text_are_drawn() -> None:
    training = train("ab" * 3_000 + HOSTILE, TrainConfig(vocab_size=300, split="none", min_count=1))
    chain = boxes_of(training.tokenizer().figure("forest"))
    assert len(chain) == len(training.tokenizer()) + 1
    assert all(
        first >= second for first, second in pairwise(sorted((b["values"] for b in chain.values()), reverse=True))
    )
