"""Files of a tokenizer for other programs: purpose of each format, and Python code that reads it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from bpe_core import BpeError, Tokenizer
from bpe_core.formats import to_files, unproven_token
from bpe_core.formats.file_choice import VOCAB
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.language import _, message
from bpe_core.text.splits import PATTERNS

_MOST_SPECIAL = 40
"""Maximum number of special tokens listed in the Python code."""


@dataclass(frozen=True)
class Format:
    """A format as shown on the page; title and reader are untranslated messages.

    `reader`: the programs that read it; `code`: Python code for reading it, with placeholders such as {pattern}.
    """

    title: str
    reader: str
    code: str


FORMATS = {
    "tokenizers": Format(
        "tokenizer.json",
        message("For Hugging Face: tokenizers, transformers, and most servers of models. One file with everything."),
        """from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file("tokenizer.json")
tokenizer.encode_special_tokens = True  # {as_text}
tokenizer.encode("Hello", add_special_tokens=False).ids
""",
    ),
    "tiktoken": Format(
        ".tiktoken",
        message("For OpenAI's tiktoken. The ranks only: split and special tokens are given in code."),
        """import base64
import tiktoken

with open("vocabulary.tiktoken", "rb") as file:
    ranks = {{base64.b64decode(token): int(rank) for token, rank in map(bytes.split, file)}}
tokenizer = tiktoken.Encoding(
    "mine",
    pat_str={pattern},
    mergeable_ranks=ranks,
    special_tokens={special},
)
tokenizer.encode_ordinary("Hello")
""",
    ),
    "gpt2": Format(
        message("vocab.json and merges.txt"),
        message("GPT-2's two files, in a zip: for older tools and for tokenizers."),
        """from tokenizers import Tokenizer, models, pre_tokenizers

tokenizer = Tokenizer(models.BPE.from_file("vocab.json", "merges.txt"))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.add_special_tokens({names})
tokenizer.encode_special_tokens = True  # {as_text}
tokenizer.encode("Hello").ids
""",
    ),
    "wordpiece": Format(
        "vocab.txt",
        message(
            "BERT's files: one token per line, and the normalization in tokenizer_config.json. Words are split as "
            "in BERT."
        ),
        """from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

tokenizer = Tokenizer(models.WordPiece.from_file("vocab.txt", unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer({normalization})
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
tokenizer.add_special_tokens({names})
tokenizer.encode_special_tokens = True  # {as_text}
tokenizer.encode("Hello").ids
""",
    ),
    "sentencepiece": Format(
        ".model",
        message("For SentencePiece: the model as that library made it."),
        """import sentencepiece

tokenizer = sentencepiece.SentencePieceProcessor(model_file="tokenizer.model")
tokenizer.Encode("Hello")
""",
    ),
    "bpe-lab": Format(
        message("BPE Lab's file"),
        message("For this app and bpe_core: it holds all of the tokenizer, and opens on Compare."),
        """import bpe_core

tokenizer = bpe_core.load("tokenizer.bpe-lab.json")
tokenizer.encode("Hello").ids
""",
    ),
}
"""All formats of `bpe_core.formats`, in its order."""


@dataclass(frozen=True)
class Export:
    """Files of a tokenizer in a format.

    unproven: a token that .tiktoken's ranks can also make by another merge, so that the file is exact for the text of
    the proof, but may be wrong for others; None if there is no such token.
    """

    files: Mapping[str, bytes] = field(repr=False)
    unproven: int | None = None

    @property
    def size(self) -> int:
        """Total size in bytes."""
        return sum(map(len, self.files.values()))

    @property
    def name(self) -> str:
        """File name of the download."""
        return (
            next(iter(self.files))
            if len(self.files) == 1
            else f"{'gpt2' if VOCAB in self.files else 'wordpiece'}-files.zip"
        )

    def download(self) -> bytes:
        """The file, or a zip of several."""
        if len(self.files) == 1:
            return next(iter(self.files.values()))
        return packed(self.files)


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by name."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return archive.getvalue()


def make_export(tokenizer: Tokenizer, format: str, text: str) -> Export | BpeError:
    """Export a tokenizer; return the error if the format cannot hold it. `text`: proves .tiktoken's ranks if needed."""
    try:
        files = to_files(tokenizer, format=format, proven_on=text)
        return Export(files, unproven_token(tokenizer) if format == "tiktoken" else None)
    except BpeError as error:
        return error.with_traceback(None)


def code(tokenizer: Tokenizer, format: str) -> str:
    """Python code that reads the file and encodes with it."""
    split, special = tokenizer.split.pattern, dict(list(tokenizer.special_tokens.items())[:_MOST_SPECIAL])
    more = len(tokenizer.special_tokens) - len(special)
    lines = FORMATS[format].code.format(
        pattern=repr(PATTERNS.get(split, split)),
        special=repr(special),
        names=repr(list(special)),
        normalization=_bert_normalization(tokenizer),
        as_text=_("leave it out to parse the special tokens in a text"),
    )
    if not special:
        lines = re.sub(r"tokenizer\.(add|encode)_special_tokens.*\n", "", lines)
    if more and format in ("tiktoken", "gpt2", "wordpiece"):
        lines += "# " + _("and {number:,} more special tokens", number=more) + "\n"
    return lines


def _bert_normalization(tokenizer: Tokenizer) -> str:
    """Arguments for BertNormalizer of the tokenizers library; all off if the tokenizer does not normalize."""
    step = next((step for step in tokenizer.normalizer.steps if isinstance(step, BertNormalizer)), None)
    off = BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    flags = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    return ", ".join(f"{flag}={getattr(step or off, flag)}" for flag in flags)
