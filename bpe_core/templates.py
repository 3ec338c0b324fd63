"""Templates: where special tokens stand around one text or two, and the mark-up of a chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from bpe_core.errors import ConfigError, quoted

CHAT_START, CHAT_END = "<|im_start|>", "<|im_end|>"

Markup = Literal["special", "parsed", "text"]
MARKUPS = ("special", "parsed", "text")

_ITEM = re.compile(r"(\S+):(\d+)")


class Template(NamedTuple):
    """Special tokens around one text and around two, written as the tokenizers library writes them.

    `$A` and `$B` are the texts; the number behind the colon is the type id of all tokens there.
    """

    single: str
    pair: str


class Slot(NamedTuple):
    """One place of a template: 0 or 1 for the first or second text, or the name of a special token; the type id."""

    holds: int | str
    type_id: int


TEMPLATES = {
    "none": Template("$A:0", "$A:0 $B:1"),
    "bert": Template("[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"),
    "xlnet": Template("$A:0 <sep>:0 <cls>:2", "$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2"),
    "roberta": Template("<s>:0 $A:0 </s>:0", "<s>:0 $A:0 </s>:0 </s>:0 $B:0 </s>:0"),
    "bos-eos": Template("<s>:0 $A:0 </s>:0", "<s>:0 $A:0 </s>:0 <s>:1 $B:1 </s>:1"),
    "end of text": Template("$A:0 <|endoftext|>:0", "$A:0 <|endoftext|>:0 $B:0 <|endoftext|>:0"),
}
"""Published templates: those of BERT, XLNet (three types, <cls> last), RoBERTa (one type), Llama and GPT-2."""


def slots(template: Template, *, pair: bool) -> list[Slot]:
    """The places of a template for one text or for two.

    Raises ConfigError for what is no template: an item without a type id, or not each text exactly once.

    >>> slots(TEMPLATES["bert"], pair=False)
    [Slot(holds='[CLS]', type_id=0), Slot(holds=0, type_id=0), Slot(holds='[SEP]', type_id=0)]
    """
    written = template.pair if pair else template.single
    found: list[Slot] = []
    for item in written.split():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise ConfigError(
                f"The template {quoted(written)} holds {quoted(item)}.",
                limit="Every item is $A, $B or a special token, a colon, and a type id.",
                remedy="Write [CLS]:0 $A:0 [SEP]:0, for example.",
            )
        name, type_id = match.groups()
        found.append(Slot({"$A": 0, "$B": 1}.get(name, name), int(type_id)))
    texts = [slot.holds for slot in found if isinstance(slot.holds, int)]
    if sorted(texts) != list(range(1 + pair)):
        raise ConfigError(
            f"The template {quoted(written)} holds {len(texts)} texts.",
            limit=f"It needs {'$A and $B once each' if pair else '$A once'}.",
            remedy="Correct it.",
        )
    return found


class Message(NamedTuple):
    """One message of a chat."""

    role: str
    text: str


class Chat(NamedTuple):
    """A chat as one text. `marks`: the character ranges of its mark-up; `said`: those of what the messages say."""

    text: str
    marks: tuple[tuple[int, int], ...]
    said: tuple[tuple[int, int], ...]


def chat(messages: Sequence[Message]) -> Chat:
    r"""The messages as one text, each between <|im_start|> and <|im_end|> behind its role (OpenAI's ChatML).

    >>> chat([Message("user", "Hi")]).text
    '<|im_start|>user\nHi<|im_end|>\n'
    """
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    said: list[tuple[int, int]] = []
    at = 0

    def add(part: str, ranges: list[tuple[int, int]] | None = None) -> None:
        nonlocal at
        parts.append(part)
        if ranges is not None:
            ranges.append((at, at + len(part)))
        at += len(part)

    for message in messages:
        add(CHAT_START, marks)
        add(message.role + "\n")
        add(message.text, said)
        add(CHAT_END, marks)
        add("\n")
    return Chat("".join(parts), tuple(marks), tuple(said))
