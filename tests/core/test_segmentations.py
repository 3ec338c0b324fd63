"""Many segmentations of a word, against the definitions, SentencePiece and the tokenizers library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import combinations, pairwise
from math import exp, log, sqrt
from random import Random

import pytest
import sentencepiece
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    Tokenizer,
    TrainConfig,
    UnigramModel,
    compare_fewest,
    encode_fewest,
    encode_sampled,
    likely_segmentations,
    load_pretrained,
    sampled_segmentations,
    segmentation_entropy,
    sentencepiece_tokenizer,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
    unigram_tokenizer,
    wordpiece_tokenizer,
)
from bpe_core.bpe.dropout import WordPart, dropout_probabilities, encode_plainly_with_dropout, encode_with_dropout
from bpe_core.formats import from_bytes
from bpe_core.segmentations.fewest import fewest_tokens, shortest_path
from bpe_core.unigram.paths import Paths
from tests.draws import examples

GPT2 = load_pretrained("gpt2")
TEXT = "low lower lowest, slow slower slowest; new newer newest wide wider widest. Über 日本語 hug hugs pug pun bun "
BYTES = train(TEXT * 3, TrainConfig(vocab_size=300)).tokenizer()
CHARS = train(TEXT * 3, TrainConfig(unit="char", vocab_size=80, end_of_word="</w>")).tokenizer()
FALLING_BACK = train(TEXT * 3, TrainConfig(unit="char", vocab_size=340, byte_fallback=True)).tokenizer()
PIECES = sentencepiece_tokenizer(train_sentencepiece(TEXT * 3, 60).model)
MERGED_PIECES = sentencepiece_tokenizer(train_sentencepiece(TEXT * 3, 70, model_type="bpe").model)
UNIGRAM = train_unigram(TEXT * 3, 60).tokenizer()
WORDPIECE = train_wordpiece(TEXT * 3, 70).tokenizer()

texts = st.text("lowernstigpub ,é日🙂", max_size=30)

SIGMAS = 7
"""Standard deviations within which a share has to be: chance exceeds them once in 10¹¹."""


def near(share: float, probability: float, draws: int) -> bool:
    return abs(share - probability) <= SIGMAS * sqrt(max(probability * (1 - probability), 1 / draws) / draws)


# -- BPE-dropout ---------------------------------------------------------------------------------------------

Table = dict[tuple[str, str], int]


def merge_of(ranks: Table, left: str, right: str) -> tuple[int, str] | None:
    rank = ranks.get((left, right))
    return None if rank is None else (rank, left + right)


def by_definition(word: tuple[str, ...], ranks: Table, p: float) -> dict[tuple[str, ...], float]:
    """Probability of each segmentation: in a round, any set of the merges may be the one that is not skipped."""
    places = [at for at, pair in enumerate(pairwise(word)) if pair in ranks]
    found: Counter[tuple[str, ...]] = Counter()
    for size in range(len(places) + 1):
        for left in combinations(places, size):
            share = (1 - p) ** size * p ** (len(places) - size)
            if not left:
                found[word] += share  # type: ignore[assignment]
                continue
            at = min(left, key=lambda at: (ranks[word[at], word[at + 1]], at))
            for end, probability in by_definition(
                (*word[:at], word[at] + word[at + 1], *word[at + 2 :]), ranks, p
            ).items():
                found[end] += share * probability  # type: ignore[assignment]
    return dict(found)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    tokens = [*"abc"]
    table: Table = {}
    for _ in range(draw(st.integers(1, 7))):
        left, right = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if (left, right) not in table:
            table[left, right] = len(table)
            tokens.append(left + right)
    return table


shares = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])


@settings(max_examples=examples(100))
@given(tables(), st.text("abc", max_size=6), shares)
def test_probabilities_of_dropout_are_those_of_the_definition(table: Table, word: str, dropout: float) -> None:
    found = dropout_probabilities(word, lambda left, right: merge_of(table, left, right), dropout)
    assert found is not None
    expected = {end: share for end, share in by_definition(tuple(word), table, dropout).items() if share}
    assert {tuple(part.token for part in parts): share for parts, share in found.items()} == pytest.approx(expected)


@settings(max_examples=examples(200))
@given(tables(), st.text("abc", max_size=40), shares, st.integers(0, 99))
def test_the_heap_draws_as_the_plain_rule_does(table: Table, word: str, dropout: float, seed: int) -> None:
    def lookup(left: str, right: str) -> tuple[int, str] | None:
        return merge_of(table, left, right)

    plain = encode_plainly_with_dropout(word, lookup, dropout, Random(seed).random)
    assert encode_with_dropout(word, lookup, dropout, Random(seed).random) == plain
    assert "".join(part.token for part in plain) == word


@pytest.mark.parametrize("word", [" lower", " hugs", "日本"])
def test_draws_have_the_exact_shares(word: str) -> None:
    exact = {each.ids: each.probability for each in likely_segmentations(GPT2, word, None, dropout=0.3)}
    assert sum(exact.values()) == pytest.approx(1)
    drawn = {each.ids: each.share for each in sampled_segmentations(GPT2, word, draws=20_000, dropout=0.3, seed=5)}
    assert drawn.keys() <= exact.keys()
    assert all(near(drawn.get(ids, 0), probability, 20_000) for ids, probability in exact.items())


def library_shares(ranks: Table, word: str, dropout: float, draws: int) -> dict[tuple[str, ...], float]:
    tokens = dict.fromkeys([*word, *(left + right for left, right in ranks)])
    vocabulary = {token: at for at, token in enumerate(tokens)}
    model = tokenizers.models.BPE(vocabulary, list(ranks), dropout=dropout)
    library = tokenizers.Tokenizer(model)
    counts = Counter(tuple(library.encode(word).tokens) for _ in range(draws))
    return {found: count / draws for found, count in counts.items()}


def test_shares_are_those_of_the_tokenizers_library_where_no_merge_of_the_word_becomes_stale() -> None:
    ranks: Table = {("a", "b"): 0, ("c", "d"): 1, ("ab", "cd"): 2}
    exact = by_definition(tuple("abcd"), ranks, 0.3)
    drawn = library_shares(ranks, "abcd", 0.3, 20_000)
    assert drawn.keys() <= exact.keys()
    assert all(near(drawn.get(found, 0), probability, 20_000) for found, probability in exact.items())


def test_the_tokenizers_library_tries_a_skipped_merge_again_after_a_stale_one() -> None:
    ranks: Table = {("a", "b"): 0, ("c", "d"): 1, ("b", "c"): 2}
    joined = ("ab", "cd")
    assert by_definition(tuple("abcd"), ranks, 0.5)[joined] == pytest.approx(0.375)
    # After ab, the stale bc is not skipped in half of the cases, and then cd is tried again: 0.75 × 0.625.
    assert near(library_shares(ranks, "abcd", 0.5, 20_000)[joined], 0.46875, 20_000)


@settings(max_examples=examples(50))
@given(texts, st.integers(0, 50))
@pytest.mark.parametrize("tokenizer", [GPT2, BYTES, FALLING_BACK, MERGED_PIECES], ids=lambda each: each.name)
def test_every_draw_spells_the_text_and_covers_it(tokenizer: Tokenizer, text: str, seed: int) -> None:
    plain = tokenizer.encode(text)
    drawn = encode_sampled(tokenizer, text, dropout=0.4, seed=seed)
    if tokenizer is not MERGED_PIECES:  # whose <unk> is decoded as ⁇
        assert tokenizer.decode(drawn.ids) == text
    assert drawn.text == plain.text
    assert int((drawn.ends - drawn.starts).sum()) == len(plain.utf8)
    assert drawn.starts.tolist()[:1] == plain.starts.tolist()[:1]
    assert drawn == encode_sampled(tokenizer, text, dropout=0.4, seed=seed)


@settings(max_examples=examples(50))
@given(texts)
@pytest.mark.parametrize(
    "tokenizer", [GPT2, BYTES, CHARS, FALLING_BACK, MERGED_PIECES], ids=["gpt2", "bytes", "chars", "fallback", "pieces"]
)
def test_without_dropout_the_tokens_are_the_plain_ones_and_with_all_of_it_base_symbols(
    tokenizer: Tokenizer, text: str
) -> None:
    assert encode_sampled(tokenizer, text, dropout=0.0) == tokenizer.encode(text)
    symbols = encode_sampled(tokenizer, text, dropout=1.0)
    if tokenizer.model.merges is None:
        assert max(symbols.char_ends - symbols.char_starts, default=0) <= max(1, len(text))
        return
    none = tokenizer.model.with_first_merges(0)
    assert none is not None
    words = [symbols.text[first:last] for first, last in tokenizer.split.spans(symbols.text)]
    assert symbols.ids.tolist() == [token_id for word in words for token_id in none.encode_word(word).ids]


def test_a_words_occurrences_are_drawn_one_by_one() -> None:
    drawn = encode_sampled(GPT2, " lower" * 200, dropout=0.3)
    words = {tuple(drawn.ids[drawn.word_ids == word].tolist()) for word in range(200)}
    assert len(words) > 3


def test_whole_words_of_openai_are_merged_like_others_once_merges_are_skipped() -> None:
    assert len(sampled_segmentations(GPT2, " low", dropout=0.0)) == 1
    assert len(sampled_segmentations(GPT2, " low", dropout=0.2)) > 1


def test_a_long_word_has_draws_but_no_exact_probabilities() -> None:
    word = "antidisestablishmentarianism" * 3
    assert sampled_segmentations(GPT2, word, draws=5)
    with pytest.raises(ConfigError, match="too many segmentations"):
        likely_segmentations(GPT2, word)


@pytest.mark.parametrize("tokenizer", [WORDPIECE, load_pretrained("bert-base-uncased")], ids=["trained", "bert"])
def test_longest_match_has_one_segmentation(tokenizer: Tokenizer) -> None:
    with pytest.raises(ConfigError, match="one segmentation of each word"):
        sampled_segmentations(tokenizer, "low")
    with pytest.raises(ConfigError, match="one segmentation of each word"):
        encode_sampled(tokenizer, "low")


# -- Unigram -------------------------------------------------------------------------------------------------

Scored = tuple[list[tuple[int, int]], float]


def all_paths(size: int, edges: Sequence[tuple[int, int, float]], start: int = 0) -> list[Scored]:
    if start == size:
        return [([], 0.0)]
    return [
        ([(first, end), *path], score + rest)
        for first, end, score in edges
        if first == start
        for path, rest in all_paths(size, edges, end)
    ]


@st.composite
def lattices(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, float]]]:
    size = draw(st.integers(1, 6))
    pairs = [(start, end) for start in range(size) for end in range(start + 1, size + 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    return size, [(*pair, draw(st.integers(-80, 0)) / 8) for pair in sorted(chosen)]


@settings(max_examples=examples(100))
@given(lattices(), st.sampled_from([0.0, 0.2, 1.0, 3.0]))
def test_paths_are_those_of_an_enumeration(lattice: tuple[int, list[tuple[int, int, float]]], theta: float) -> None:
    size, edges = lattice
    every = all_paths(size, edges)
    paths = Paths(size, edges, theta)
    assert paths.count == len(every)
    assert [found.score for found in paths.best(1_000)] == pytest.approx(
        sorted((score for _, score in every), reverse=True)
    )
    if not every:
        assert paths.sample(Random(1).random) == []
        assert paths.entropy() == 0
        return
    total = sum(exp(theta * score) for _, score in every)
    weights = [exp(theta * score) / total for _, score in every]
    assert [paths.probability(score) for _, score in every] == pytest.approx(weights)
    assert paths.entropy() == pytest.approx(-sum(weight * log(weight) for weight in weights), abs=1e-9)
    chance = Random(7).random
    drawn = Counter(tuple(paths.sample(chance)) for _ in range(2_000))
    assert all(
        near(drawn[tuple(path)] / 2_000, weight, 2_000) for (path, _), weight in zip(every, weights, strict=True)
    )


def processor() -> sentencepiece.SentencePieceProcessor:
    return PIECES.model.normalization.library


@settings(max_examples=examples(100))
@given(st.text("lowernstigpub日", min_size=1, max_size=12))
def test_the_n_best_are_those_of_sentencepiece(word: str) -> None:
    library = processor()
    expected = library.NBestEncodeAsProto(word, 12)
    found = likely_segmentations(PIECES, word, 12)
    theirs = [(tuple(piece.id for piece in each.pieces), each.score) for each in expected.nbests]
    assert [each.score for each in found] == pytest.approx([score for _, score in theirs], abs=1e-3)
    ranked = [(round(score, 2), ids) for ids, score in theirs[:-1]]  # the last may be one of several equal ones
    mine = {each.ids for each in likely_segmentations(PIECES, word, 40)}
    assert all(ids in mine for _, ids in ranked)
    clear = [at for at, (score, _) in enumerate(ranked) if [other for other, _ in ranked].count(score) == 1]
    assert all(found[at].ids == ranked[at][1] for at in clear if at < len(found))


def piece_model(**wanted: object) -> Tokenizer:
    found = BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter([TEXT] * 3), model_writer=found, vocab_size=70, minloglevel=2, **wanted
    )
    return from_bytes(found.getvalue(), "pieces")


@pytest.mark.parametrize("word", ["low", "lowest日本", "ug", "ugug hug", "bun.b"])
def test_own_pieces_have_the_scores_of_sentencepiece(word: str) -> None:
    tokenizer = piece_model(user_defined_symbols=["b", "ug", "日本", "owes"], hard_vocab_limit=False)
    expected = tokenizer.model.normalization.library.NBestEncodeAsProto(word, 4).nbests
    found = likely_segmentations(tokenizer, word, 4)
    assert [each.score for each in found] == pytest.approx([each.score for each in expected], abs=1e-3)


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("removes", [False, True])
def test_spaces_and_marks_around_a_word_are_those_of_sentencepiece(at_end: bool, removes: bool) -> None:
    tokenizer = piece_model(treat_whitespace_as_suffix=at_end, remove_extra_whitespaces=removes, hard_vocab_limit=False)
    for word in ("low", " low", "low ", "  low", "▁low", "low▁", " ▁low", "lo▁w"):
        expected = tokenizer.model.normalization.library.NBestEncodeAsProto(word, 3).nbests
        found = likely_segmentations(tokenizer, word, 3)
        assert [each.score for each in found] == pytest.approx([each.score for each in expected], abs=1e-3), word


def test_a_word_of_a_model_whose_mark_ends_words_is_segmented_with_one_mark() -> None:
    tokenizer = piece_model(model_type="bpe", treat_whitespace_as_suffix=True)
    for word in ("lower", "lower "):
        ids = tuple(tokenizer.encode("lower").ids.tolist())
        assert [each.ids for each in likely_segmentations(tokenizer, word, dropout=0.0, normalized=True)] == [ids]


def test_samples_of_sentencepiece_have_these_probabilities() -> None:
    library = processor()
    draws = 5_000
    drawn = Counter(tuple(library.SampleEncodeAsIds("slower", nbest_size=-1, alpha=0.5)) for _ in range(draws))
    exact = {each.ids: each.probability for each in likely_segmentations(PIECES, "slower", None, theta=0.5)}
    assert sum(exact.values()) == pytest.approx(1)
    entropy = -sum(share * log(share) for share in exact.values())
    assert segmentation_entropy(PIECES, "slower", theta=0.5) == pytest.approx(entropy)
    mine = {each.ids: each.share for each in sampled_segmentations(PIECES, "slower", draws=draws, theta=0.5)}
    assert drawn.keys() <= exact.keys()
    for ids, probability in exact.items():
        assert near(drawn[ids] / draws, probability, draws)
        assert near(mine.get(ids, 0.0), probability, draws)


@settings(max_examples=examples(50))
@given(texts, st.integers(0, 50))
@pytest.mark.parametrize("tokenizer", [UNIGRAM, PIECES], ids=["trained", "sentencepiece"])
def test_samples_of_unigram_cover_the_text_and_the_coldest_is_the_best(
    tokenizer: Tokenizer, text: str, seed: int
) -> None:
    plain = tokenizer.encode(text)
    drawn = encode_sampled(tokenizer, text, theta=0.3, seed=seed)
    assert drawn.text == plain.text
    assert int((drawn.ends - drawn.starts).sum()) == int((plain.ends - plain.starts).sum())
    best = encode_sampled(tokenizer, text, theta=1_000.0, seed=seed)
    if len(best) == len(plain):  # else a tie
        assert best.ends.tolist() == plain.ends.tolist() or tokenizer.model.kind == "unigram"


def test_a_unigram_word_that_no_path_spells_has_its_plain_tokens() -> None:
    tokenizer = unigram_tokenizer(UnigramModel({"h": 1.0, "▁": 1.0}, unknown="word"))
    assert [each.ids for each in likely_segmentations(tokenizer, "hx")] == [(0,)]
    assert sampled_segmentations(tokenizer, "hx", draws=3)[0].share == 1
    assert encode_sampled(tokenizer, "").ids.tolist() == []


# -- the fewest tokens ---------------------------------------------------------------------------------------


def shortest_of(data: bytes, tokens: set[bytes]) -> list[bytes]:
    """The fewest of these tokens that spell a word, by trying all; of equal ones, the longest first."""

    def all_ways(at: int) -> list[list[bytes]]:
        if at == len(data):
            return [[]]
        ends = [end for end in range(at + 1, len(data) + 1) if data[at:end] in tokens]
        return [[data[at:end], *rest] for end in ends for rest in all_ways(end)]

    return min(all_ways(0), key=lambda way: (len(way), [-len(token) for token in way]))


@settings(max_examples=examples(100))
@given(st.text("lowernst é日", min_size=1, max_size=9))
@pytest.mark.parametrize("tokenizer", [GPT2, BYTES], ids=["gpt2", "trained"])
def test_the_fewest_tokens_of_a_word_are_the_shortest_way_of_all(tokenizer: Tokenizer, word: str) -> None:
    tokens = {token for token in tokenizer.model.tokens if token and token in word.encode()}
    found = fewest_tokens(tokenizer.model, word)
    assert [tokenizer.token_bytes(token_id) for token_id in found.ids] == shortest_of(word.encode(), tokens)
    assert sum(found.lengths) == len(word.encode())


@settings(max_examples=examples(60))
@given(st.text("lowernstigpub", min_size=1, max_size=8))
@pytest.mark.parametrize("tokenizer", [CHARS, UNIGRAM, PIECES, MERGED_PIECES, WORDPIECE], ids=lambda each: each.name)
def test_the_fewest_tokens_of_other_models_are_the_shortest_way_of_all(tokenizer: Tokenizer, word: str) -> None:
    model = tokenizer.model
    if model.kind == "wordpiece":
        tokens = {piece.encode() for at, piece in enumerate(model.pieces) if model.tokens[at] is not None}
        written = word[0] + "".join(
            f"##{char}" for char in word[1:]
        )  # in which an inner piece is spelled with all its ##
        known = {
            token[:1] + b"".join(b"##" + bytes([byte]) for byte in token[1:]) for token in tokens if token[:1] != b"#"
        }
        known |= {b"".join(b"##" + bytes([byte]) for byte in token[2:]) for token in tokens if token[:1] == b"#"}
        if fewest_tokens(model, word).ids != [model.unknown_id]:
            sizes = [len(each.replace(b"#", b"")) for each in shortest_of(written.encode(), known)]
            assert fewest_tokens(model, word).lengths == sizes
        return
    written = word + "</w>" if model.kind == "bpe" else "▁" + word
    known = {token for token in model.tokens if token and token in written.encode()}
    if model.kind == "bpe":
        known = {token for token in known if token.endswith(b"</w>") or not token.startswith(b"<")}
    sizes = [len(each.decode().removesuffix("</w>").removeprefix("▁")) for each in shortest_of(written.encode(), known)]
    assert fewest_tokens(model, word).lengths == sizes


def test_fewest_never_takes_more_than_merges_over_an_omitted_character() -> None:
    library = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    tokenizer = from_bytes(library.to_str().encode(), "omits")
    assert tokenizer.encode("axb").ids.tolist() == library.encode("axb").ids == [2]
    assert encode_fewest(tokenizer, "axb").ids.tolist() == [2]


def test_a_word_that_longest_match_gives_up_is_spelled_by_the_fewest() -> None:
    tokenizer = wordpiece_tokenizer(["[UNK]", "a", "ab", "##c", "##bc", "##bcd"], special_tokens=["[UNK]"])
    assert tokenizer.tokenize("abcd") == ["[UNK]"]
    assert encode_fewest(tokenizer, "abcd").tokens == ["a", "##bcd"]


@settings(max_examples=examples(50))
@given(
    st.lists(
        st.sampled_from(["tokenizers", "slowest", "LOUD", "thinnest", "x = 3", "panecillos", "日本語"]), max_size=8
    )
)
def test_totals_and_words_are_those_of_both_encodings(words: list[str]) -> None:
    text = " ".join(words)
    found = compare_fewest(GPT2, text)
    assert found.by_rule == GPT2.encode(text)
    assert found.fewest == encode_fewest(GPT2, text)
    assert GPT2.decode(found.fewest.ids) == text
    saved = len(found.by_rule) - len(found.fewest)
    assert sum(word.saved for word in found.words) == saved >= 0
    for word in found.words:
        assert text.encode()[word.start :].startswith(word.text.encode())
        assert GPT2.decode(word.by_rule) == GPT2.decode(word.fewest) == word.text
        assert word.times == sum(1 for each in GPT2.split.words(text) if each == word.text)


def test_a_path_of_equal_length_begins_with_the_longest_token() -> None:
    edges = {0: [(1, 1, 0), (2, 1, 1)], 1: [(3, 1, 2)], 2: [(3, 1, 3)]}
    assert shortest_path(3, lambda start: edges[start]) == [(0, 2, 1), (2, 3, 3)]
    assert shortest_path(3, lambda start: []) == []


def test_parts_say_where_their_tokens_begin() -> None:
    assert encode_with_dropout(["a", "b"], lambda left, right: None, 0.1, lambda: 0.5) == [
        WordPart("a", 0),
        WordPart("b", 1),
    ]
