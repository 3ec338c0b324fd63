"""PickyBPE: its events against a naive oracle and the plain reference, the model that replays them, and its limits."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    CorpusError,
    FormatError,
    PickyMerge,
    PickyTraining,
    Removal,
    TrainConfig,
    compare,
    load_pretrained,
    train,
    train_picky,
)
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.bpe.engine import ignore_progress
from bpe_core.comparison.token_boundary import why_boundary
from bpe_core.formats import FORMATS, to_files, writable
from bpe_core.kernels import backend, picky_loop
from bpe_core.picky import compiled as picky_compiled
from bpe_core.picky import plain, reference
from bpe_core.picky import training as picky_training
from bpe_core.picky.compiled import is_compiled
from bpe_core.picky.events import PickyEvent
from tests.draws import Outcomes, examples, generator

RINGING = "ringing " * 11 + "singer " + "ring " * 2
TIES = ("first-seen", "lowest-ids", "first-counted")

texts = st.text(st.sampled_from("ab é\ud800日"), max_size=40) | st.text(max_size=20)


def chars(size: int, **settings_: object) -> TrainConfig:
    return TrainConfig(unit="char", split="words", vocab_size=size, **settings_)  # type: ignore[arg-type]


def told(training: PickyTraining) -> list[str]:
    """Every event as text: a+b, or -ab for a removal."""

    def spelled(token: int) -> str:
        return training.token_bytes(token).decode()

    return [
        f"{spelled(event.left)}+{spelled(event.right)}"
        if isinstance(event, PickyMerge)
        else f"-{spelled(event.token_id)}"
        for event in training.events
    ]


def oracle(words: Counter[str], size: int, threshold: float, into: str) -> tuple[list[str], list[list[str]]]:
    """PickyBPE over lists of strings, by its definition: the events as text, and the words at the end."""
    cut = {word: list(word) for word in words}
    made: dict[str, tuple[str, str]] = {}
    vocabulary = {character for word in words for character in word}
    found: list[str] = []

    def pieces(token: str) -> list[str]:
        if token in vocabulary:
            return [token]
        return list(token) if into == "base" else [piece for part in made[token] for piece in pieces(part)]

    while len(vocabulary) < size:
        pairs = Counter(pair for word, n in words.items() for pair in pairwise(cut[word]) for _ in range(n))
        if not pairs:
            break
        x, y = max(pairs, key=pairs.__getitem__)
        before = {token: sum(cut[word].count(token) * n for word, n in words.items()) for token in (x, y)}
        used = 0
        for word, n in words.items():
            symbols: list[str] = []
            rest = cut[word]
            while rest:
                if rest[:2] == [x, y]:
                    symbols.append(x + y)
                    used += n
                    rest = rest[2:]
                else:
                    symbols.append(rest[0])
                    rest = rest[1:]
            cut[word] = symbols
        found.append(f"{x}+{y}")
        made.setdefault(x + y, (x, y))
        vocabulary.add(x + y)
        for token in dict.fromkeys((x, y)):
            if len(token) > 1 and used / before[token] >= threshold:
                vocabulary.remove(token)
                parts = pieces(token)
                for word in words:
                    cut[word] = [piece for each in cut[word] for piece in (parts if each == token else [each])]
                found.append(f"-{token}")
    return found, list(cut.values())


@given(
    st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=12),
    st.integers(0, 25),
    st.sampled_from((0.05, 0.3, 0.5, 0.8, 0.9, 1.0)),
    st.sampled_from(("parts", "base")),
)
@settings(max_examples=examples(200))
def test_its_events_and_words_are_those_of_a_naive_oracle(
    words: list[str], more: int, threshold: float, into: str
) -> None:
    counted = Counter(words)
    size = len({character for word in words for character in word}) + more
    training = train_picky(" ".join(words), chars(size + 1), threshold=threshold, into=into)  # type: ignore[arg-type]
    events, cut = oracle(counted, size, threshold, into)
    assert told(training) == events
    at_end = [
        [training.token_bytes(token).decode() for token in word] for word, _ in training.at(training.steps).words()
    ]
    assert at_end == cut


def assert_same(corpus: Corpus, plan: Plan, threshold: float, into: str) -> list[PickyEvent]:
    """Return the events, asserting that the compiled loop and plain Python have the same results."""
    plainly, compiled = (
        learn(corpus, plan, ignore_progress, threshold=threshold, into=into, most_changes=10**9)
        for learn in (plain.learn, picky_compiled._learn)
    )
    assert list(compiled.edges) == list(plainly.edges)
    assert isinstance(compiled.changes, picky_loop.CellChanges)
    assert compiled.changes.in_symbols().tolist() == plainly.changes.tolist()  # type: ignore[union-attr]
    assert compiled.counted.tolist() == plainly.counted.tolist()
    assert (compiled.size, compiled.has_pairs) == (plainly.size, plainly.has_pairs)
    for one, other in zip((*compiled.table, *compiled.spelled), (*plainly.table, *plainly.spelled), strict=True):
        assert one.tolist() == other.tolist()
    return list(map(compiled.table.event, range(len(compiled.table.rows))))


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=20).map(tuple), max_size=12, unique=True),
    st.data(),
    st.sampled_from(TIES),
    st.sampled_from((0.02, 0.1, 0.3, 0.5, 0.9, 1.0)),
    st.sampled_from(("parts", "base")),
)
@settings(max_examples=examples(600))
def test_the_compiled_loop_gives_the_events_and_changes_of_plain_python(
    words: list[tuple[int, ...]], data: st.DataObject, tie_break: str, threshold: float, into: str
) -> None:
    count = st.integers(1, 4) | st.sampled_from((2**31, 2**40))
    counts = data.draw(st.lists(count, min_size=len(words), max_size=len(words)))
    most, least = data.draw(st.integers(0, 60)), data.draw(st.integers(1, 3))
    assert_same(Corpus.of(words, counts), Plan(4, most, tie_break, least), threshold, into)


@pytest.mark.parametrize("tie_break", TIES)
def test_the_compiled_loop_breaks_the_ties_of_few_symbols_as_plain_python(tie_break: str) -> None:
    draw = generator("picky ties", tie_break)
    for _ in range(examples(400)):
        symbols = draw.randint(1, 3)
        words = {tuple(draw.choices(range(symbols), k=draw.randint(1, 30))) for _ in range(draw.randint(1, 12))}
        corpus = Corpus.of(sorted(words), [draw.choice((1, 1, 2)) for _ in words])
        threshold, into = draw.choice((0.1, 0.3, 0.6, 0.9)), draw.choice(("parts", "base"))
        assert_same(corpus, Plan(symbols, draw.choice((20, 60)), tie_break, 1), threshold, into)


@pytest.mark.parametrize(("tie_break", "into"), list(zip(TIES, ("parts", "base", "parts"), strict=True)))
def test_the_compiled_loop_grows_with_its_pairs_tokens_and_events(tie_break: str, into: str) -> None:
    draw = generator("picky", tie_break, into)
    words = {tuple(draw.choices(range(40), k=draw.randint(1, 16))) for _ in range(160)}
    corpus = Corpus.of(sorted(words), [draw.randint(1, 9) for _ in words])
    events = assert_same(corpus, Plan(40, 1200, tie_break, 1), 0.6, into)
    assert sum(isinstance(event, Removal) and event.remaining > 0 for event in events) > 100


def test_the_compiled_loop_stops_after_any_event_and_goes_on() -> None:
    symbols = [0, 1, 2, 0, 1, 2, 0, 1, 3, 0, 0, 0]
    at_once, by_one = (
        picky_loop.PickyLoop(symbols, [0, 3, 6, 9, 12], [5, 4, 2, 9], first_new_id=4, most=5) for _ in "12"
    )
    at_once.run(100, threshold=0.5)
    while by_one.run(1, threshold=0.5):
        pass
    assert by_one.events.tolist() == at_once.events.tolist()
    assert by_one.changes.in_symbols().tolist() == at_once.changes.in_symbols().tolist()


def test_small_texts_do_not_wait_for_the_compiled_loop_and_no_score_is_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = Corpus.of([[0, 1]], [5]), Corpus.of([[0, 1] * 200_000], [5])
    plan = Plan(2, 1)
    monkeypatch.setattr(backend, "_later_ready", False)
    assert not is_compiled(small, plan)
    assert is_compiled(large, plan)
    backend.warm_up_later()
    assert is_compiled(small, plan)
    assert not is_compiled(Corpus.of([[0, 1]], [2**52]), plan)


@pytest.mark.floor(refused=8, accepted=90)
@given(st.lists(texts, min_size=1, max_size=4), texts, st.data())
@settings(max_examples=examples(200))
@example(["aaaa aa a"], "aaaaa", None)
def test_encoding_replays_the_events_in_order_on_any_text(
    outcomes: Outcomes, corpus: list[str], text: str, data: st.DataObject | None
) -> None:
    unit = {"unit": "byte"} if data is None or data.draw(st.booleans()) else {"unit": "char", "byte_fallback": True}
    threshold = 0.5 if data is None else data.draw(st.sampled_from((0.1, 0.5, 0.9)))
    tie_break = "first-counted" if data is None else data.draw(st.sampled_from(TIES))
    config = TrainConfig(vocab_size=400, tie_break=tie_break, **unit)  # type: ignore[arg-type]
    try:
        training = train_picky(corpus, config, threshold=threshold)
    except (CorpusError, ConfigError):
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    step = training.steps if data is None else data.draw(st.integers(0, training.steps))
    tokenizer = training.tokenizer(step)
    model = tokenizer.model
    for word in tokenizer.split.words(text.encode("utf-8", "replace").decode()):
        expected = reference.encode(model.base.symbols(word), training.events[:step])
        assert list(model.encode_word(word).ids) == expected == list(model.explain(word)[-1].ids)
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids) == encoding.text
    assert set(encoding.ids.tolist()) <= set(tokenizer.ids)
    snapshot = training.at(step)
    assert [pair for pair in snapshot.candidates(1) if pair.chosen] or not isinstance(snapshot.following, PickyMerge)


def test_the_words_of_every_step_are_what_its_tokenizer_gives() -> None:
    training = train_picky(RINGING, chars(15))
    for step in range(training.steps + 1):
        tokenizer, snapshot = training.tokenizer(step), training.at(step)
        counts: Counter[int] = Counter()
        for (word, count), text in zip(snapshot.words(), ("ringing", "singer", "ring"), strict=True):
            assert tokenizer.encode(text).ids.tolist() == list(word)
            counts.update({token: word.count(token) * count for token in word})
        assert {token: uses for token, uses in training.uses(step).items() if uses} == counts
        assert len(tokenizer.ids) == training.size_at(step)
        assert not set(training.removed_at(step)) & set(tokenizer.ids)


def test_a_token_that_a_merge_has_used_up_is_removed_with_the_counts_that_say_so() -> None:
    training = train_picky(RINGING, chars(12), threshold=0.8)
    removal = next(event for event in training.events if isinstance(event, Removal) and event.remaining)
    assert training.token_bytes(removal.token_id) == b"ring"
    assert training.token_bytes(removal.made) == b"ringing"
    assert (removal.used, removal.count, removal.remaining) == (11, 13, 2)
    assert removal.score == 11 / 13
    assert [training.token_bytes(piece) for piece in removal.pieces] == [b"r", b"ing"]


def test_a_score_equal_to_the_threshold_removes() -> None:
    text = "abc " * 9 + "abd"
    assert told(train_picky(text, chars(7), threshold=0.9)) == ["a+b", "ab+c", "-ab", "a+b"]
    assert told(train_picky(text, chars(7), threshold=0.91)) == ["a+b", "ab+c"]


def test_base_symbols_are_never_removed_and_a_token_that_merges_with_itself_is_judged_once() -> None:
    training = train_picky("abab " * 5, chars(20), threshold=0.5)
    assert told(training) == ["a+b", "ab+ab", "-ab"]
    assert training.stop_reason == "no pairs left"
    assert [training.tokenizer().token(i) for i in training.tokenizer().ids] == ["<unk>", "a", "b", "abab"]
    assert told(train_picky("abab " * 5, chars(20), threshold=0.51)) == ["a+b", "ab+ab"]


def test_a_removed_token_is_made_again_with_its_old_id() -> None:
    training = train_picky("abc " * 9 + "abd", chars(7), threshold=0.9)
    first, again = training.events[0], training.events[3]
    assert isinstance(again, PickyMerge)
    assert (again.token_id, again.is_new) == (first.token_id, True)
    assert [training.size_at(step) for step in range(5)] == [5, 6, 7, 6, 7]


def test_without_removals_it_is_plain_bpe() -> None:
    text = "low low low lower slow newer"
    training = train_picky(text, chars(15), threshold=1.0)
    first = next(at for at, event in enumerate(training.events) if isinstance(event, Removal))
    merges = train(text, chars(15)).merges
    assert [(each.left, each.right, each.token_id, each.count) for each in training.events[:first]] == [
        (each.left, each.right, each.token_id, each.count) for each in merges[:first]
    ]


def test_its_cost_is_compared_with_plain_bpe_of_the_same_size() -> None:
    text = (Path(__file__).parents[2] / "sample_texts" / "lantern_story.txt").read_text(encoding="utf-8")
    training = train_picky(text, chars(200))
    plain, cost = training.plain.sweep([len(training.plain.merges)])[0], training.cost()
    assert plain.vocab_size == cost.vocab_size == 200
    assert cost.tokens == sum(training.uses().values()) < training.cost(0).tokens == training.plain.token_count(0)
    assert cost.unused < plain.unused
    assert training.cost(0).per_token == 1


@pytest.mark.parametrize("threshold", [0, 1.01, -1, float("nan"), "0.9", True])
def test_another_threshold_is_refused(threshold: object) -> None:
    with pytest.raises(ConfigError, match=r"threshold is .* above 0 and at most 1"):
        train_picky("low", chars(5), threshold=threshold)  # type: ignore[arg-type]


def test_a_method_that_crosses_words_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"method is 'boundlessbpe'\. PickyBPE merges inside words alone\."):
        train_picky("low low", TrainConfig(method="boundlessbpe"))


@pytest.mark.parametrize("ready", [False, True])
def test_events_without_end_are_refused_at_the_same_event_by_both_loops(
    ready: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picky_training, "MOST_CHANGES", 10)
    monkeypatch.setattr(backend, "_later_ready", ready)
    with pytest.raises(CorpusError, match=r"The first 2 events .* again and again.*the threshold is 0.9"):
        train_picky("low lower lowest", chars(12))


def test_a_training_is_cancelled_by_its_callback() -> None:
    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_picky("low lower", chars(12), on_progress=cancel)


@pytest.mark.parametrize("format", FORMATS)
def test_no_file_format_holds_its_removals(format: str) -> None:
    tokenizer = train_picky(RINGING, chars(12)).tokenizer()
    with pytest.raises(FormatError, match=r"removes tokens while it encodes.* no removals in between"):
        to_files(tokenizer, format=format)
    assert writable(tokenizer) == ()


def test_an_end_of_word_mark_is_decoded_as_the_space_that_it_stands_for() -> None:
    tokenizer = train_picky("low lower low", chars(12, end_of_word="</w>"), threshold=0.6).tokenizer()
    encoding = tokenizer.encode("low lower")
    assert tokenizer.decode(encoding.ids) == "low lower"
    assert [tokenizer.model.ends_word(token) for token in encoding.ids.tolist()][-1]


def test_it_is_compared_with_other_tokenizers_and_its_boundaries_have_reasons() -> None:
    tokenizer = train_picky(RINGING, TrainConfig(vocab_size=262)).tokenizer()
    comparison = compare("ringing singer", {"picky": tokenizer, "gpt2": load_pretrained("gpt2")})
    said = [
        comparison.reason("picky", "gpt2", each.start, each.end).explanation
        for each in comparison.disagreements("picky", "gpt2")
    ]
    assert said
    encoding = tokenizer.encode("singer")
    assert all(why_boundary(tokenizer, encoding, at).explanation for at in range(1, len(encoding)))
