"""What the visitor asked the Pipeline page for: the texts, and the choice made for each stage."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bpe_core import BpeError, CorpusError, Message, Pipeline, Tokenizer, chat_pipeline, pipeline
from bpe_core.config import Normalization
from bpe_core.normalize import changes_text
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.split_rules import SPLITS
from bpe_core.templates import MARKUPS, Markup, chat
from bpe_core.unigram_tokenizer import MARKED_SPLIT
from bpe_core.wordpiece_tokenizer import BERT_SPLIT
from ui import state
from ui.display import counted, title_of

LONGEST = 200_000
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
    "words and signs": "Words and signs",
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
MARKUP_NAMES = {"special": "Special tokens", "parsed": "Parsed from the finished text", "text": "Plain text"}


def title(name: str) -> str:
    """What a tokenizer is called here."""
    return ALSO_TRAINED.get(name) or title_of(name)


class Asked(NamedTuple):
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
    def now(cls) -> Asked:
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
        """The tokenizer behind the normalization and the split that were chosen; SentencePiece keeps its own."""
        if isinstance(tokenizer, SentencePieceTokenizer):
            return tokenizer
        own = tokenizer.config
        form: Normalization = own.normalization if self.form == "own" else self.form  # type: ignore[assignment]
        return tokenizer.with_stages(
            normalization=form,
            lowercase=own.lowercase or self.lower,
            strip_accents=own.strip_accents or self.accents,
            split=None if self.split == "own" else SPLITS[self.split],
        )

    def run(self, tokenizer: Tokenizer, markup: Markup | None = None) -> Pipeline:
        """All stages under this tokenizer. Raises CorpusError for texts that are too long."""
        size = sum(map(len, self.texts))
        if size > LONGEST:
            raise CorpusError(
                f"The text has {size:,} characters.",
                limit=f"This page takes {LONGEST:,}.",
                remedy="Take a part of it, or call bpe_core.pipeline in Python, which has no such limit.",
            )
        staged = self.staged(tokenizer)
        if self.kind == "chat":
            return chat_pipeline(self.messages, staged, markup=markup or self.markup)
        pair = self.texts[1] if self.kind == "pair" else None
        return pipeline(self.texts[0], staged, pair=pair, template=self.template)


class Markups(NamedTuple):
    """How one chat comes out under one way to treat its mark-up."""

    markup: Markup
    ids: int
    special: int
    said: int
    """Special tokens that stand inside of what a message says."""


def markups(asked: Asked, tokenizer: Tokenizer) -> tuple[Markups, ...] | BpeError:
    """A chat under every way to treat its mark-up."""
    rows = []
    said = chat(asked.messages).said
    for markup in MARKUPS:
        try:
            done = asked.run(tokenizer, markup)  # type: ignore[arg-type]
        except BpeError as error:
            return error
        passage = done.passages[0]
        places = passage.tokens.starts[passage.encoding.word_ids < 0].tolist()
        inside = sum(any(start <= place < end for start, end in said) for place in places)
        rows.append(Markups(markup, len(done), len(places), inside))  # type: ignore[arg-type]
    return tuple(rows)


def ignored(asked: Asked, tokenizer: Tokenizer) -> str:
    """What is said where the chosen stages do not count; "" where they do."""
    chosen = asked.form != "own" or asked.split != "own" or asked.lower or asked.accents
    if not (chosen and isinstance(tokenizer, SentencePieceTokenizer)):
        return ""
    return "A SentencePiece model normalizes and splits by its own rule: the normalization and the split above wait."


def normalization_name(tokenizer: Tokenizer) -> str:
    """What is done to a text before it is split.

    >>> from bpe_core import load_pretrained
    >>> normalization_name(load_pretrained("gpt2").with_stages(normalization="NFC", lowercase=True))
    'NFC, lower case'
    """
    if isinstance(tokenizer, SentencePieceTokenizer):
        return "the model's own rule"
    config = tokenizer.config
    bare = replace(config, normalization="none", lowercase=False, strip_accents=False)
    steps = ["cleaned up"] if changes_text(bare) else []
    steps += [config.normalization] if config.normalization != "none" else []
    steps += ["lower case"] if config.lowercase else []
    steps += ["accents stripped"] if config.strip_accents else []
    return ", ".join(steps) or "none"


def split_name(tokenizer: Tokenizer) -> str:
    """What a split is called; never the pattern itself, which a visitor may have written."""
    if tokenizer.config.split == MARKED_SPLIT:
        return "white space, with ▁"
    if tokenizer.config.split == BERT_SPLIT:
        return SPLIT_NAMES["bert"]
    known = {split: name for name, split in SPLITS.items()} | {"words": "white space"}
    name = known.get(tokenizer.config.split)
    return "own regular expression" if name is None else SPLIT_NAMES[name]


def override(name: str, own: Tokenizer, staged: Tokenizer) -> str:
    """What it means that a tokenizer stands behind other stages than those it was trained with; "" if it does not."""
    changed = []
    if normalization_name(own) != normalization_name(staged):
        changed.append(f"normalization “{normalization_name(own)}”")
    if split_name(own) != split_name(staged):
        changed.append(f"split “{split_name(own)}”")
    if not changed:
        return ""
    called = "The trained tokenizer" if name == state.TRAINED else title(name)
    return (
        f"{called} learned with {' and '.join(changed)}: behind other stages it meets words that it never saw, so "
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
