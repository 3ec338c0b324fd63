"""What the visitor asked the Pipeline page for: the texts, and the choice made for each stage."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import BpeError, CorpusError, Message, Pipeline, Tokenizer, chat_pipeline, pipeline
from bpe_core.text.library_splits import SPLITS
from bpe_core.text.splits import BERT_SPLIT, MARKED_SPLIT
from bpe_core.tokenizer.templates import MARKUPS, Markup, chat
from ui.session import state
from ui.shared.display import counted, title_of

LONGEST_INPUT = 200_000
"""Characters of all texts together that the page takes."""

ALSO_TRAINED = {"wordpiece": "WordPiece", "unigram": "Unigram"}
"""Tokenizers of this page alone: they are trained on the same text as the trained one."""

FORM_NAMES = {
    "own": "As the tokenizer has it",
    "none": "None",
    "NFC": "NFC",
    "NFD": "NFD",
    "NFKC": "NFKC",
    "NFKD": "NFKD",
}
ALSO_NAMES = {"lower": "Lower case", "accents": "Strip accents"}
SPLIT_NAMES = {
    "own": "As the tokenizer has it",
    "gpt2": "GPT-2",
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "white space": "White space",
    "words and signs": "Words and punctuation",
    "punctuation": "Punctuation",
    "bert": "BERT",
    "metaspace": "▁ for the space",
    "none": "None: one word",
}
TEMPLATE_NAMES = {
    "none": "None",
    "end of text": "GPT-2: A <|endoftext|>",
    "bert": "BERT: [CLS] A [SEP] B [SEP]",
    "xlnet": "XLNet: A <sep> B <sep> <cls>",
    "roberta": "RoBERTa: <s> A </s> </s> B </s>",
    "bos-eos": "BOS and EOS: <s> A </s>",
}
_STEP_NAMES = {"clean-up": "cleaned up", "accents": "accents stripped"}
MARKUP_NAMES = {"special": "Special tokens", "parsed": "Parsed from the finished text", "text": "Plain text"}


def title(name: str) -> str:
    """What a tokenizer is called here."""
    return ALSO_TRAINED.get(name) or title_of(name)


class PipelineRequest(NamedTuple):
    """Everything that the stages depend on, apart from the training. `texts`: one, two, or those of the messages."""

    kind: str
    texts: tuple[str, ...]
    form: str
    lower: bool
    accents: bool
    split: str
    template: str
    markup: Markup

    @classmethod
    def now(cls) -> PipelineRequest:
        """What is chosen on the page."""
        kind = state.PIPELINE_INPUT.get()
        items = {
            "text": (state.PIPELINE_TEXT,),
            "pair": (state.PIPELINE_TEXT, state.PIPELINE_PAIR),
            "chat": (state.PIPELINE_SYSTEM, state.PIPELINE_USER, state.PIPELINE_ASSISTANT),
        }[kind]
        also = state.PIPELINE_ALSO.get()
        return cls(
            kind,
            tuple(item.get() for item in items),
            state.PIPELINE_FORM.get(),
            "lower" in also,
            "accents" in also,
            state.PIPELINE_SPLIT.get(),
            state.PIPELINE_TEMPLATE.get(),
            state.PIPELINE_MARKUP.get(),
        )

    @property
    def messages(self) -> list[Message]:
        """The messages of a chat, without the empty ones."""
        pairs = zip(("system", "user", "assistant"), self.texts, strict=False)
        return [Message(role, text) for role, text in pairs if text]

    def staged(self, tokenizer: Tokenizer) -> Tokenizer:
        """The tokenizer after the normalization and the split that were chosen; SentencePiece keeps its own."""
        if tokenizer.split.by_model:
            return tokenizer
        return tokenizer.with_stages(
            normalization=None if self.form == "own" else self.form,  # type: ignore[arg-type]
            lowercase=self.lower or None,
            strip_accents=self.accents or None,
            split=None if self.split == "own" else SPLITS[self.split],
        )

    def run(self, tokenizer: Tokenizer, markup: Markup | None = None) -> Pipeline:
        """All stages under this tokenizer. Raises CorpusError for texts that are too long."""
        size = sum(map(len, self.texts))
        if size > LONGEST_INPUT:
            raise CorpusError(
                f"The text has {size:,} characters.",
                limit=f"This page takes {LONGEST_INPUT:,}.",
                remedy="Take a part of it, or call bpe_core.tokenizer.stages in Python, which has no such limit.",
            )
        staged = self.staged(tokenizer)
        if self.kind == "chat":
            return chat_pipeline(self.messages, staged, markup=markup or self.markup)
        pair = self.texts[1] if self.kind == "pair" else None
        return pipeline(self.texts[0], staged, pair=pair, template=self.template)


class MarkupCounts(NamedTuple):
    """How one chat comes out under one way to treat its mark-up."""

    markup: Markup
    ids: int
    special: int
    said: int
    """Special tokens inside of what a message says."""


def count_markups(request: PipelineRequest, tokenizer: Tokenizer) -> tuple[MarkupCounts, ...] | BpeError:
    """A chat under every way to treat its mark-up."""
    rows = []
    said = chat(request.messages).said
    for markup in MARKUPS:
        try:
            done = request.run(tokenizer, markup)  # type: ignore[arg-type]
        except BpeError as error:
            return error
        passage = done.passages[0]
        places = passage.tokens.starts[passage.encoding.word_ids < 0].tolist()
        inside = sum(any(start <= place < end for start, end in said) for place in places)
        rows.append(MarkupCounts(markup, len(done), len(places), inside))  # type: ignore[arg-type]
    return tuple(rows)


def ignored(request: PipelineRequest, tokenizer: Tokenizer) -> str:
    """The note where the chosen stages do not apply; "" where they do."""
    chosen = request.form != "own" or request.split != "own" or request.lower or request.accents
    if not (chosen and tokenizer.split.by_model):
        return ""
    return "A SentencePiece model normalizes and splits by its own rules: the choices above do not apply."


def normalization_name(tokenizer: Tokenizer) -> str:
    """What is done to a text before it is split.

    >>> from bpe_core import load_pretrained
    >>> normalization_name(load_pretrained("gpt2").with_stages(normalization="NFC", lowercase=True))
    'NFC, lower case'
    """
    return ", ".join(_STEP_NAMES.get(step.name, step.name) for step in tokenizer.normalizer.steps) or "none"


def split_name(tokenizer: Tokenizer) -> str:
    """What a split is called; never the pattern itself, which a visitor may have written."""
    if tokenizer.split.pattern == MARKED_SPLIT:
        return "white space, with ▁"
    if tokenizer.split.pattern == BERT_SPLIT:
        return SPLIT_NAMES["bert"]
    known = {split: name for name, split in SPLITS.items()} | {"words": "white space"}
    name = known.get(tokenizer.split.pattern)
    return "own regular expression" if name is None else SPLIT_NAMES[name]


def override(name: str, own: Tokenizer, staged: Tokenizer) -> str:
    """What it means that a tokenizer follows stages other than those it was trained with; "" if it does not."""
    changed = []
    if normalization_name(own) != normalization_name(staged):
        changed.append(f"normalization “{normalization_name(own)}”")
    if split_name(own) != split_name(staged):
        changed.append(f"split “{split_name(own)}”")
    if not changed:
        return ""
    called = "The trained tokenizer" if name == state.TRAINED else title(name)
    return (
        f"{called} was trained with {' and '.join(changed)}: after other stages it meets words that it never saw, so "
        "expect more and shorter tokens."
    )


def sizes(done: Pipeline) -> str:
    """The sizes of all texts together."""
    originals = [passage.normalized.original for passage in done.passages]
    return " · ".join(
        counted(size, unit)
        for size, unit in (
            (sum(map(len, originals)), "character"),
            (sum(len(text.encode()) for text in originals), "byte"),
        )
    )
