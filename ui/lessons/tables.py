"""Tables next to the answers of lessons, computed from the view that a lesson opens. Pure data, no Streamlit.

Headers are in the session's language. Words come from the lesson's exhibit, the text from the view's training or
choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bpe_core import (
    Message,
    Passage,
    Pipeline,
    Tokenizer,
    TrainConfig,
    Training,
    UnigramTraining,
    chat_pipeline,
    load_pretrained,
    pipeline,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.bpe.config import UNKNOWN
from bpe_core.language import _, n_, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import plain
from bpe_core.tokenizer.labels import iob1, iob2, trimmed
from bpe_core.tokenizer.rows import row_of
from bpe_core.tokenizer.templates import MARKUPS
from ui.lessons.newer_tables import (
    digit_groups,
    dropouts,
    fair_languages,
    fewest_tokens,
    glitch_origins,
    prompt_ends,
    removals,
)
from ui.session.choices import PAGES
from ui.session.labels import mark_of
from ui.session.lessons import Lesson
from ui.session.pipeline import model_template
from ui.session.samples import sample, source_of
from ui.session.shared_view import training_of
from ui.session.tokenizer_choice import TRAINED
from ui.widgets.display import NAMES

UNSEEN_MODULES = ("fractions", "statistics", "tarfile")
"""Standard library modules that are not in the sample."""

_SEED, _SEED_SHARE = 300, 3
"""Unigram's seed size, as on the Algorithms page: 300 pieces, or three times the requested number."""

_MISSED_MOST = 5
"""Maximum number of listed pieces that are kept."""


class OfLesson(NamedTuple):
    """Inputs of a table: text and settings of the view's training, its choices, and the exhibit's words."""

    text: str
    config: TrainConfig
    choices: dict[str, Any]
    words: tuple[str, ...]

    @classmethod
    def of(cls, lesson: Lesson) -> OfLesson:
        """Inputs from a lesson; choices missing in its view have the page's defaults."""
        wanted = training_of(lesson.view)
        choices = {each.name: each.item.default for each in PAGES[lesson.page]} | lesson.view.get("choices", {})
        text, config = (wanted.source.text, wanted.config) if wanted is not None else ("", TrainConfig())
        return cls(text, config, choices, lesson.exhibit.words)

    def tokenizer(self, name: str) -> Tokenizer:
        """The trained tokenizer or a published one."""
        return self.training().tokenizer() if name == TRAINED else load_pretrained(name)

    def training(self) -> Training:
        """The training of the view."""
        return train(self.text, self.config)

    def unigram(self) -> UnigramTraining:
        """Unigram on the view's text, as trained on the Algorithms page."""
        size = int(self.choices["size"])
        return train_unigram(self.text, size, seed_size=max(_SEED, _SEED_SHARE * size))


def table_of(lesson: Lesson) -> Table:
    """The table of a lesson's exhibit."""
    return TABLES[lesson.exhibit.table](OfLesson.of(lesson))


# -- algorithms ----------------------------------------------------------------------------------------------


def segmented_words(given: OfLesson) -> Table:
    """Words in the pieces of each algorithm, at the view's vocabulary size."""
    size = int(given.choices["size"])
    bpe = train(given.text, TrainConfig(vocab_size=size, unit="char", split=given.config.split)).tokenizer()
    wordpiece = train_wordpiece(given.text, size).tokenizer()
    unigram = given.unigram().tokenizer()
    sentencepiece = train_sentencepiece(given.text, size, model_type="bpe").tokenizer()
    return Table(
        Column(translate(term("typed", "Word")), given.words),
        Column(
            "BPE", ["|".join([translate(plain(token.bytes)) for token in bpe.encode(word)]) for word in given.words]
        ),
        Column("WordPiece", ["|".join(wordpiece.tokenize(word)) for word in given.words]),
        Column("Unigram", ["|".join(unigram.tokenize(word)) for word in given.words]),
        Column("SentencePiece", ["|".join(sentencepiece.tokenize(word)) for word in given.words]),
    )


def scores(given: OfLesson) -> Table:
    """First candidates of WordPiece, with the counts that BPE would use."""
    pairs = train_wordpiece(given.text, int(given.choices["size"])).at(0).candidates(10)
    return Table(
        Column(_("Pair"), [f"{pair.left} {pair.right}" for pair in pairs]),
        Column(_("Count"), [pair.count for pair in pairs], "number"),
        Column("÷ (left × right)", [f"{pair.left_count} × {pair.right_count}" for pair in pairs]),
        Column(_("Score"), [pair.score for pair in pairs], "number", digits=4),
    )


def paths(given: OfLesson) -> Table:
    """Best segmentations of the view's word, with their scores."""
    training = given.unigram()
    found = training.at(len(training.rounds)).model.segmentations(f"▁{given.choices['word']}", 5)
    return Table(
        Column(_("Path"), ["|".join(each.pieces) for each in found]),
        Column(_("Score, lower is better"), [each.score for each in found], "number", digits=3),
        Column(_("Worse by"), [each.score - found[0].score for each in found], "number", digits=3),
    )


def losses(given: OfLesson) -> Table:
    """Increase in loss in the round of the view's step: without each removed piece, and the costliest kept ones."""
    one = given.unigram().rounds[int(given.choices["at_step"])]
    goes, stays = _("goes"), _("stays")
    judged = [(loss, goes) for loss in one.removed] + [(loss, stays) for loss in one.kept[: -_MISSED_MOST - 1 : -1]]
    return Table(
        Column(_("Piece"), [loss.piece for loss, _fate in judged]),
        Column(_("Loss grows by"), [loss.increase for loss, _fate in judged], "number", digits=2),
        Column("", [fate for _loss, fate in judged]),
    )


# -- pipelines -----------------------------------------------------------------------------------------------


def _staged(given: OfLesson) -> Tokenizer:
    choices = given.choices
    also = choices["also"]
    return given.tokenizer(choices["with"]).with_stages(
        normalization=None if choices["form"] == "own" else choices["form"],
        lowercase="lower" in also or None,
        strip_accents="accents" in also or None,
    )


def run_pipeline(given: OfLesson) -> Pipeline:
    """The pipeline of the view, for one text or a pair."""
    choices = given.choices
    pair = choices["second"] if choices["input"] == "pair" else None
    staged, template = _staged(given), choices["template"]
    template = model_template(staged) if template == "model" else template
    return pipeline(choices["text"], staged, pair=pair, template=template)


def ids_and_types(given: OfLesson) -> Table:
    """All output ids: token, type id, and characters of the original text."""
    done = run_pipeline(given)
    ids = done.ids.tolist()
    types = Column(_("Type"), [str(type_id) for type_id in done.type_ids.tolist()])
    return Table(
        Column(_("Token"), [translate(plain(done.tokenizer.token_bytes(token_id))) for token_id in ids]),
        Column(_("Id"), [str(token_id) for token_id in ids]),
        *([types] if len(done.passages) > 1 else []),
        Column(_("From the text"), [_origin(done, at) for at in range(len(ids))]),
    )


def tags(given: OfLesson) -> Table:
    """All output ids with their tags from the view's marks."""
    done = run_pipeline(given)
    row = row_of(done)
    spans = [span for written in given.choices["mark"] if (span := mark_of(written))]
    ranges = trimmed(row.offsets, given.choices["text"])
    return Table(
        Column(_("Token"), [translate(plain(done.tokenizer.token_bytes(token_id))) for token_id in row.ids.tolist()]),
        Column("IOB1", [tag or "" for tag in iob1(spans, ranges)]),
        Column("IOB2", [tag or "" for tag in iob2(spans, ranges)]),
        Column(_("From the text"), [_origin(done, at) for at in range(len(row))]),
    )


def _origin(done: Pipeline, at: int) -> str:
    number = int(done.passage_of[at])
    if number < 0:
        return ""
    passage: Passage = done.passages[number]
    token = int(done.token_of[at])
    start, end = int(passage.tokens.starts[token]), int(passage.tokens.ends[token])
    return f"{marked(passage.normalized.original[start:end])}  ({start}, {end})"


def markups(given: OfLesson) -> Table:
    """The view's chat under each treatment of mark-up."""
    says = {
        "special": _("Special tokens"),
        "parsed": _("Parsed from the finished text"),
        "text": _("Plain text"),
    }
    runs = {markup: run_chat(given, markup) for markup in MARKUPS}
    return Table(
        Column(_("Chat mark-up as"), [says[markup] for markup in runs]),
        Column(_("Ids"), [len(done) for done in runs.values()], "number"),
        Column(_("Special tokens"), [special_tokens(done) for done in runs.values()], "number"),
    )


def run_chat(given: OfLesson, markup: str) -> Pipeline:
    """The view's chat under one treatment of mark-up."""
    messages = [Message(role, given.choices[role]) for role in ("system", "user", "assistant") if given.choices[role]]
    return chat_pipeline(messages, _staged(given), markup=markup)  # type: ignore[arg-type]


def special_tokens(done: Pipeline) -> int:
    """Number of special tokens in a chat."""
    return int((done.passages[0].encoding.word_ids < 0).sum())


# -- trainings -----------------------------------------------------------------------------------------------


def levels(given: OfLesson) -> Table:
    """The view's unseen text as characters, words and subwords: number of ids, and unknown parts."""
    text = given.choices["unseen"]
    training = given.training()
    base = training.first_id
    words = set(given.text.split())
    characters, subwords = training.tokenizer(0), training.tokenizer()
    asked = text.split()
    merges = n_("{count:,} merge", "{count:,} merges", len(training.merges))
    rows = [
        (_("Characters"), base, *_tokens_and_unknown(characters, text)),
        (_("Whole words"), len(words) + 1, len(asked), sum(word not in words for word in asked)),
        (_("Subwords, {merges}", merges=merges), training.vocab_size, *_tokens_and_unknown(subwords, text)),
    ]
    names, sizes, tokens, unknown = zip(*rows, strict=True)
    return Table(
        Column(_("Level"), names),
        Column(_("Vocabulary"), sizes, "number"),
        Column(translate(term("number", "Tokens")), tokens, "number"),
        Column(_("Unknown"), unknown, "number"),
    )


def _tokens_and_unknown(tokenizer: Tokenizer, text: str) -> tuple[int, int]:
    encoded = tokenizer.encode(text)
    return len(encoded), sum(token.bytes == UNKNOWN.encode() for token in encoded)


def code(given: OfLesson) -> Table:
    """Token counts of the training code, other code and English, by the trained tokenizer and published ones."""
    texts = {
        _("This code"): given.text,
        _("Other code"): "".join(map(source_of, UNSEEN_MODULES)),
        _("English"): sample("lantern_story").text,
    }
    trained = given.tokenizer(TRAINED)
    published = {translate(NAMES[name]): load_pretrained(name) for name in ("gpt2", "cl100k_base")}
    return Table(
        Column(_("Text"), list(texts)),
        *(
            Column(title, [len(by.encode(text)) for text in texts.values()], "number")
            for title, by in ({translate(NAMES[TRAINED]): trained} | published).items()
        ),
    )


TABLES: dict[str, Callable[[OfLesson], Table]] = {
    "segmented words": segmented_words,
    "scores": scores,
    "paths": paths,
    "losses": losses,
    "removals": removals,
    "ids and types": ids_and_types,
    "tags": tags,
    "markups": markups,
    "levels": levels,
    "code": code,
    "fewest tokens": fewest_tokens,
    "fair languages": fair_languages,
    "prompt ends": prompt_ends,
    "glitch origins": glitch_origins,
    "dropouts": dropouts,
    "digit groups": digit_groups,
}
"""Tables by their names in lesson files."""
