"""Templates: special tokens around one text or two, and the mark-up of a chat."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from bpe_core import checks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message

CHAT_START, CHAT_END = "<|im_start|>", "<|im_end|>"

Markup = Literal["special", "parsed", "text"]
MARKUPS = ("special", "parsed", "text")

HIGHEST_TYPE_ID = 9_999
"""Far above the number of segments in any model."""

_ITEM = re.compile(r"(\S+):(\d+)")
_SHORT_TEXT = re.compile(r"\$(?:([AaBb])|([0-9]*))(?::([0-9]+))?")


class Slot(NamedTuple):
    """One item of a template. `holds`: 0 or 1 for the first or second text, or a special token; `type_id`: its type id.

    `id`: id of the special token if the template specifies it; None for the vocabulary's.

    >>> slots(NO_TEMPLATE, pair=True)[1]
    Slot(holds=1, type_id=1, id=None)
    """

    holds: int | str
    type_id: int
    id: int | None = None


class Template(NamedTuple):
    """Special tokens around one text and around two, in the notation of the tokenizers library.

    `$A` and `$B` are the texts; the number after the colon is the type id of all their tokens. Slots express what the
    notation cannot: ids of special tokens, names with white space, a repeated or omitted text. None: a file's template
    that works only for one text, or only for two.

    >>> slots(Template("<s>:0 $A:0", "<s>:0 $A:0 $B:1"), pair=False)
    [Slot(holds='<s>', type_id=0, id=None), Slot(holds=0, type_id=0, id=None)]
    >>> slots(Template((Slot("<s>", 0, 7), Slot(0, 0)), "$A:0 $B:1"), pair=False)[0]
    Slot(holds='<s>', type_id=0, id=7)
    """

    single: str | tuple[Slot, ...] | None
    pair: str | tuple[Slot, ...] | None


NO_TEMPLATE = Template("$A:0", "$A:0 $B:1")
"""No special tokens; the second of two texts has the type id 1."""


TEMPLATES = {
    "none": NO_TEMPLATE,
    "bert": Template("[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"),
    "xlnet": Template("$A:0 <sep>:0 <cls>:2", "$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2"),
    "roberta": Template("<s>:0 $A:0 </s>:0", "<s>:0 $A:0 </s>:0 </s>:0 $B:0 </s>:0"),
    "bos-eos": Template("<s>:0 $A:0 </s>:0", "<s>:0 $A:0 </s>:0 <s>:1 $B:1 </s>:1"),
    "end of text": Template("$A:0 <|endoftext|>:0", "$A:0 <|endoftext|>:0 $B:0 <|endoftext|>:0"),
}
"""Published templates: those of BERT, XLNet (three type ids, <cls> last), RoBERTa (one type id), Llama and GPT-2."""


_TEXT_MARKS = {
    "<s>": ("<BOS>", "<bos>", "[BOS]", "<|begin_of_text|>", "<|startoftext|>"),
    "</s>": ("<EOS>", "<eos>", "[EOS]", "<|end_of_text|>", "<|endoftext|>"),
}
"""Other names of the special tokens at the beginning and end of a text."""


def template_for(name: str, special: Collection[str]) -> Template:
    """Published template with a vocabulary's own special tokens for the beginning and the end of a text.

    RoBERTa's template always has its own names, <s> and </s>, whatever the vocabulary. Raises ConfigError for an
    unknown name.

    >>> template_for("bos-eos", {"<BOS>", "<EOS>"}).single
    '<BOS>:0 $A:0 <EOS>:0'
    >>> template_for("bos-eos", {"<s>", "<BOS>"}).single
    '<s>:0 $A:0 </s>:0'
    >>> template_for("roberta", {"<|endoftext|>"}).single
    '<s>:0 $A:0 </s>:0'
    """
    published = TEMPLATES[checks.choice(name, "template", TEMPLATES)]
    if name == "roberta":
        return published
    own = {
        default: next((other for other in others if other in special), default)
        for default, others in _TEXT_MARKS.items()
        if default not in special
    }
    return Template(*(_renamed(str(part), own) for part in published))


def _renamed(written: str, names: Mapping[str, str]) -> str:
    items = (item.rpartition(":") for item in written.split())
    return " ".join(f"{names.get(name, name)}:{type_id}" for name, _, type_id in items)


def slots(template: Template, *, pair: bool) -> list[Slot]:
    """Items of a template for one text or for two.

    Raises ConfigError for an invalid template: an item lacks its type id, a text does not occur exactly once in the
    notation, or a Slot holds the second text though there is only one.

    >>> [slot.holds for slot in slots(TEMPLATES["bert"], pair=False)]
    ['[CLS]', 0, '[SEP]']
    """
    checks.true_or_false(pair, "pair")
    given = checks.sequence(template, message("The template"), message("two texts, for one text and for a pair"))
    if len(given) != 2 or not all(part is None or isinstance(part, str | tuple) for part in given):
        raise ConfigError(
            message("The template is {template}.", template=quoted(template)),
            limit=message("It is two texts, or tuples of Slot: for one text, and for a pair."),
            remedy=message('Write Template("[CLS]:0 $A:0", "[CLS]:0 $A:0 $B:1"), for example.'),
        )
    if given[pair] is None:
        raise ConfigError(
            message("The template of this tokenizer takes no pair of texts.")
            if pair
            else message("The template of this tokenizer takes no single text."),
            limit=message("The library of its file fails here, too."),
            remedy=message("Choose another template."),
        )
    if isinstance(given[pair], tuple):
        return [_checked(slot, pair=pair) for slot in given[pair]]
    written = checks.utf8_text(given[pair], message("The template"))
    found: list[Slot] = []
    for item in written.split():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise ConfigError(
                message("The template {written} holds {item}.", written=quoted(written), item=quoted(item)),
                limit=message("Every item is $A, $B or a special token, a colon, and a type id."),
                remedy=message("Write [CLS]:0 $A:0 [SEP]:0, for example."),
            )
        name, type_id = match.groups()
        if len(type_id) > len(str(HIGHEST_TYPE_ID)) or int(type_id) > HIGHEST_TYPE_ID:
            raise ConfigError(
                message(
                    "The template {written} holds the type id {type_id}.",
                    written=quoted(written),
                    type_id=quoted(type_id),
                ),
                limit=message("The highest type id is {highest:,}.", highest=HIGHEST_TYPE_ID),
                remedy=message("Number the segments from 0."),
            )
        found.append(Slot({"$A": 0, "$B": 1}.get(name, name), int(type_id)))
    texts = [slot.holds for slot in found if isinstance(slot.holds, int)]
    if sorted(texts) != list(range(1 + pair)):
        raise ConfigError(
            message("The template {written} holds {number} texts.", written=quoted(written), number=len(texts)),
            limit=message("It needs $A and $B once each.") if pair else message("It needs $A once."),
            remedy=message("Write $A:0 and $B:1 where the texts go, once.")
            if pair
            else message("Write $A:0 where the text goes, once."),
        )
    return found


def written_out(written: str) -> str:
    """Expand the short forms of the tokenizers library, for Template.

    In the library `$` and `$a` mean `$A:0`, `$1` means `$A:1`, and `[SEP]` means `[SEP]:0`. Raises ConfigError for a
    text other than $A and $B, and for a type id that is not a number; `slots` checks the rest.

    >>> written_out("[CLS] $A [SEP] $B:1 [SEP]:1")
    '[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1'
    """
    return " ".join(_written_out(item) for item in checks.utf8_text(written, message("The template")).split())


def _written_out(item: str) -> str:
    if item.startswith("$"):
        short = _SHORT_TEXT.fullmatch(item)
        if short is None:
            raise ConfigError(
                message("The template holds {item}.", item=quoted(item)),
                limit=message("The texts are $A and $B, with a colon and a type id."),
                remedy=message("Write $A:0 for the first text, $B:1 for the second."),
            )
        name, number, type_id = short.groups()
        return f"${(name or 'A').upper()}:{type_id or number or 0}"
    name, colon, type_id = item.rpartition(":")
    if colon and not (name and type_id.isascii() and type_id.isdigit()):
        raise ConfigError(
            message("The template holds {item}.", item=quoted(item)),
            limit=message("What follows the colon of a special token is its type id, a whole number."),
            remedy=(
                message("Write {item}, for example.", item=quoted(f"{name}:0"))
                if name
                else message("Name a special token before the colon.")
            ),
        )
    return item if colon else f"{item}:0"


def _checked(slot: object, *, pair: bool) -> Slot:
    if isinstance(slot, Slot):
        holds = isinstance(slot.holds, str) or (checks.is_whole_number(slot.holds) and 0 <= slot.holds <= pair)
        numbers = (slot.type_id, slot.id or 0)
        if holds and all(checks.is_whole_number(number) and 0 <= number < 1 << 32 for number in numbers):
            return slot
    raise ConfigError(
        message("The template holds {slot}.", slot=quoted(slot)),
        limit=message(
            "Every item is a Slot, which holds 0 or 1 for a text or a special token's name, with ids from 0."
        ),
        remedy=message('Write Slot("[CLS]", 0, 101), for example.'),
    )


class Message(NamedTuple):
    """One message of a chat.

    >>> chat([Message("user", "Hi"), Message("assistant", "Hello")]).text.count("<|im_end|>")
    2
    """

    role: str
    text: str


class Chat(NamedTuple):
    """A chat as one text, with ranges of characters.

    marks: its mark-up; None if that is every special token of a tokenizer outside of the messages. said: the messages'
    text. mixed: text of which it is unknown how much comes from the messages.

    >>> chat([Message("user", "Hi")]).said
    ((17, 19),)
    """

    text: str
    marks: tuple[tuple[int, int], ...] | None
    said: tuple[tuple[int, int], ...]
    mixed: tuple[tuple[int, int], ...] = ()


def chat(messages: Sequence[Message]) -> Chat:
    r"""Join the messages to one text, each with its role between <|im_start|> and <|im_end|> (OpenAI's ChatML).

    Raises ConfigError for anything but a sequence of Message, CorpusError for a role or text that is not a str.

    >>> chat([Message("user", "Hi")]).text
    '<|im_start|>user\nHi<|im_end|>\n'
    """
    for turn in checks.sequence(messages, message("The chat"), message("messages")):
        if not isinstance(turn, Message):
            raise ConfigError(
                message("The chat holds {value}.", value=quoted(turn)),
                limit=message("A chat is a sequence of Message."),
                remedy=message('Write Message("user", "Hi"), for example.'),
            )
        checks.given_text(turn.role, message("The role"))
        checks.given_text(turn.text, message("The message"))
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

    for turn in messages:
        add(CHAT_START, marks)
        add(turn.role + "\n")
        add(turn.text, said)
        add(CHAT_END, marks)
        add("\n")
    return Chat("".join(parts), tuple(marks), tuple(said))
