"""Request of the Pipeline page: the texts, and the settings of each stage."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import BpeError, Chat, ConfigError, CorpusError, Message, Pipeline, Tokenizer, chat_pipeline
from bpe_core.language import _, listed, message, n_, translate
from bpe_core.text.library_splits import SPLITS
from bpe_core.text.splits import BERT_SPLIT, MARKED_SPLIT
from bpe_core.tokenizer.batches import Batch, batch
from bpe_core.tokenizer.rows import Padding
from bpe_core.tokenizer.templates import MARKUPS, NO_TEMPLATE, Markup, Template, chat, slots, written_out
from bpe_core.tokenizer.truncation import Truncation
from ui.session import pipeline as state
from ui.session.tokenizer_choice import TRAINED
from ui.widgets.display import title_of

LONGEST_INPUT = 200_000
"""Maximum characters of all texts together."""

MOST_TEXTS = 8
"""Maximum number of texts in a batch."""

FORM_NAMES = {
    "own": message("As the tokenizer has it"),
    "none": message("None"),
    "NFC": "NFC",
    "NFD": "NFD",
    "NFKC": "NFKC",
    "NFKD": "NFKD",
}
ALSO_NAMES = {"lower": message("Lower case"), "accents": message("Strip accents")}
SPLIT_NAMES = {
    "own": message("As the tokenizer has it"),
    "gpt2": "GPT-2",
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "white space": message("White space"),
    "words and signs": message("Words and punctuation"),
    "punctuation": message("Punctuation"),
    "bert": "BERT",
    "metaspace": message("▁ for the space"),
    "none": message("None: one word"),
}
TEMPLATE_NAMES = {
    "model": message("The model's own"),
    "none": message("None"),
    "end of text": message("GPT-2: <|endoftext|> after each text"),
    "bert": "BERT: [CLS] A [SEP] B [SEP]",
    "xlnet": "XLNet: A <sep> B <sep> <cls>",
    "roberta": "RoBERTa: <s> A </s> </s> B </s>",
    "bos-eos": message("BOS and EOS: <s> A </s>"),
    "own": message("Your own: written below"),
}
_STEP_NAMES = {
    "clean-up": message("cleaned up"),
    "accents": message("accents stripped"),
    "lower case": message("lower case"),
}
MARKUP_NAMES = {
    "special": message("Special tokens"),
    "parsed": message("Parsed from the finished text"),
    "text": message("Plain text"),
}


class PipelineRequest(NamedTuple):
    """All inputs of the stages except the training.

    texts: one, two, those of a batch, or those of the messages, which have roles. chat: the messages rendered by a chat
    template; None for the built-in ChatML. own: a custom template for one text and for two; ""
    if a published one is chosen.
    """

    kind: str
    texts: tuple[str, ...]
    form: str
    lower: bool
    accents: bool
    split: str
    template: str
    markup: Markup
    own: tuple[str, str] = ("", "")
    truncation: Truncation | None = None
    padding: Padding | None = None
    roles: tuple[str, ...] = ()
    chat: Chat | None = None

    @classmethod
    def now(cls) -> PipelineRequest:
        """The page's current request."""
        kind = state.INPUT.get()
        items = {
            "text": (state.TEXT,),
            "pair": (state.TEXT, state.PAIR),
            "batch": (),
            "chat": state.MESSAGES[: state.MESSAGE_COUNT.get()],
        }[kind]
        also = state.ALSO.get()
        own = state.TEMPLATE.get() == "own" and kind != "chat"
        return cls(
            kind,
            tuple(item.get() for item in items) if items else lines_of(state.BATCH.get())[:MOST_TEXTS],
            state.FORM.get(),
            "lower" in also,
            "accents" in also,
            state.SPLIT.get(),
            state.TEMPLATE.get(),
            state.MARKUP.get(),
            (state.SINGLE.get(), state.DOUBLE.get()) if own else ("", ""),
            _truncation(kind) if kind != "chat" else None,
            _padding() if kind != "chat" else None,
            tuple(each.get() for each in state.MESSAGE_ROLES[: len(items)]) if kind == "chat" else (),
        )

    @property
    def messages(self) -> list[Message]:
        """The messages of a chat, without empty ones."""
        return [Message(role, text) for role, text in zip(self.roles, self.texts, strict=True) if text]

    @property
    def whole_chat(self) -> Chat:
        """The chat as one text."""
        return chat(self.messages) if self.chat is None else self.chat

    def staged(self, tokenizer: Tokenizer) -> Tokenizer:
        """The tokenizer with the chosen normalization and split; SentencePiece keeps its own."""
        if tokenizer.split.by_model:
            return tokenizer
        return tokenizer.with_stages(
            normalization=None if self.form == "own" else self.form,  # type: ignore[arg-type]
            lowercase=self.lower or None,
            strip_accents=self.accents or None,
            split=None if self.split == "own" else SPLITS[self.split],
        )

    def run(self, tokenizer: Tokenizer, markup: Markup | None = None) -> Pipeline:
        """Run all stages with this tokenizer; for a batch, on its first text. Raises as `batch` does."""
        if self.kind != "chat":
            return self.batch(tokenizer).pipeline(0)
        self._check_size()
        return chat_pipeline(self.whole_chat, self.staged(tokenizer), markup=markup or self.markup)

    def batch(self, tokenizer: Tokenizer) -> Batch:
        """The texts as input for a language model: the lines of a batch, or the single text or pair.

        Raises CorpusError for texts that are too long, ConfigError for an invalid template, truncation or padding.
        """
        self._check_size()
        texts = [self.texts] if self.kind == "pair" else list(self.texts)
        return batch(
            texts,  # type: ignore[arg-type]
            self.staged(tokenizer),
            template=self._template(tokenizer),
            truncation=self.truncation,
            padding=self.padding,
        )

    def _template(self, tokenizer: Tokenizer) -> str | Template:
        if self.template == "own":
            return Template(*[written_out(self.own[self.kind == "pair"])] * 2)  # the unused one may be invalid
        return state.model_template(tokenizer) if self.template == "model" else self.template

    def _check_size(self) -> None:
        size = sum(map(len, self.texts)) if self.chat is None else len(self.chat.text)
        if size > LONGEST_INPUT:
            raise CorpusError(
                message("The text has {size:,} characters.", size=size),
                limit=message("The limit on this page is {most:,}.", most=LONGEST_INPUT),
                remedy=message(
                    "Take a part of it, or call bpe_core.tokenizer.stages in Python, which has no such limit."
                ),
            )


def lines_of(text: str) -> tuple[str, ...]:
    """The texts of a batch, one per line; a final empty line is ignored, and "" is one empty text.

    >>> lines_of("one\\r\\n\\ntwo\\n")
    ('one', '', 'two')
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(lines[:-1] if len(lines) > 1 and not lines[-1] else lines)


def own_problem(written: str, *, pair: bool) -> ConfigError | None:
    """Error in a custom template for one text or two; None if valid."""
    try:
        out = written_out(written)
        slots(Template(NO_TEMPLATE.single, out) if pair else Template(out, NO_TEMPLATE.pair), pair=pair)
    except ConfigError as error:
        return error
    return None


def _truncation(kind: str) -> Truncation | None:
    most = state.MOST.get()
    if most is None:
        return None
    strategy = state.STRATEGY.get() if kind == "pair" else "longest_first"
    return Truncation(most, state.TRUNCATED.get(), strategy, state.STRIDE.get())


def _padding() -> Padding | None:
    to = state.PADDING.get()
    if to == "none":
        return None
    return Padding(
        state.PAD_LENGTH.get() if to == "length" else None,
        state.PAD_MULTIPLE.get(),
        state.PADDED.get(),
        state.PAD_TOKEN.get().strip() or None,
    )


class MarkupCounts(NamedTuple):
    """Counts for a chat under one treatment of mark-up."""

    markup: Markup
    ids: int
    special: int
    in_messages: int
    """Special tokens inside the content of messages."""


def count_markups(request: PipelineRequest, tokenizer: Tokenizer) -> tuple[MarkupCounts, ...] | BpeError:
    """A chat under every treatment of mark-up."""
    rows = []
    written = request.whole_chat.said
    for markup in MARKUPS:
        try:
            done = request.run(tokenizer, markup)  # type: ignore[arg-type]
        except BpeError as error:
            return error
        passage = done.passages[0]
        places = passage.tokens.starts[passage.encoding.word_ids < 0].tolist()
        inside = sum(any(start <= place < end for start, end in written) for place in places)
        rows.append(MarkupCounts(markup, len(done), len(places), inside))  # type: ignore[arg-type]
    return tuple(rows)


def ignored(request: PipelineRequest, tokenizer: Tokenizer) -> str:
    """Note that the chosen stages are not applied; "" if they are."""
    chosen = request.form != "own" or request.split != "own" or request.lower or request.accents
    if not (chosen and tokenizer.split.by_model):
        return ""
    return _("A SentencePiece model normalizes and splits by its own rules: the choices above do not apply.")


def normalization_name(tokenizer: Tokenizer) -> str:
    """Summary of a tokenizer's normalization.

    >>> from bpe_core import load_pretrained
    >>> normalization_name(load_pretrained("gpt2").with_stages(normalization="NFC", lowercase=True))
    'NFC, lower case'
    """
    names = [_STEP_NAMES.get(step.name, step.name) for step in tokenizer.normalizer.steps]
    return translate(listed(names, last="")) if names else _("none")


def split_name(tokenizer: Tokenizer) -> str:
    """Title of a split; never the pattern itself, which may be user input."""
    if tokenizer.split.pattern == MARKED_SPLIT:
        return _("white space, with ▁")
    if tokenizer.split.pattern == BERT_SPLIT:
        return translate(SPLIT_NAMES["bert"])
    known = {split: name for name, split in SPLITS.items()} | {"words": "white space"}
    name = known.get(tokenizer.split.pattern)
    return _("own regular expression") if name is None else translate(SPLIT_NAMES[name])


def override(name: str, own: Tokenizer, staged: Tokenizer) -> str:
    """Warning about stages that the tokenizer was not trained with; "" if there are none."""
    changed = []
    if normalization_name(own) != normalization_name(staged):
        changed.append(message("normalization “{name}”", name=normalization_name(own)))
    if split_name(own) != split_name(staged):
        changed.append(message("split “{name}”", name=split_name(own)))
    if not changed:
        return ""
    return _(
        "{tokenizer} was trained with {stages}: other stages give it words that it has never seen, so expect more and "
        "shorter tokens.",
        tokenizer=message("The trained tokenizer") if name == TRAINED else title_of(name),
        stages=listed(changed),
    )


def sizes(done: Pipeline) -> str:
    """Total sizes of all texts."""
    originals = [passage.normalized.original for passage in done.passages]
    characters = n_("{count:,} character", "{count:,} characters", sum(map(len, originals)))
    size = n_("{count:,} byte", "{count:,} bytes", sum(len(text.encode()) for text in originals))
    return f"{characters} · {size}"
