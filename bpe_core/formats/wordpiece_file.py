"""WordPiece's vocab.txt (BERT): one line per token, in id order.

The file lacks special tokens, normalization and split. The reader uses BERT's: those of its five special tokens that
are in the file, its normalization and its split, as the equivalent tokenizer.json. A tokenizer_config.json in the same
folder specifies lower case, accent stripping, and isolation of Chinese characters; without it, all three apply, as in
BERT's libraries. It and the other companions may also name other tokens for the five roles, and added tokens, which get
ids after those of the file if they are not in it. A BertJapaneseTokenizer's words come from a dictionary, which the
reader does not have: it divides at white space alone, so that a text whose words are separated by spaces gets the
model's tokens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.errors import quoted, refuse
from bpe_core.formats.added_tokens_json import write_added
from bpe_core.formats.bpe import OTHER_FORMAT, refuse_normalization
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.companion_files import named_tokens
from bpe_core.formats.problems import Problems
from bpe_core.formats.reading import (
    LONGEST_TOKEN,
    SHORTER_TOKENS,
    a_flag,
    an_object,
    check_lines,
    check_pieces,
    decoded,
)
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.language import counted, listed, message
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import INSIDE, UNKNOWN_WORD
from bpe_core.wordpiece.training import SPECIAL_TOKENS

KIND = "vocab.txt"
CONFIG = "tokenizer_config.json"
_CHOOSE = message(
    "Choose tokenizer.json, .tiktoken, vocab.json with merges.txt, vocab.txt, .model or a file of BPE Lab."
)
LONGEST_WORD = 100
"""Maximum number of characters in a word that BERT's reader segments."""

_ROLES: dict[str, str | None] = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL_TOKENS}
"""BERT's special token of each role, which a companion may replace, or leave out with null."""

_DICTIONARIES = {"mecab": "MeCab", "sudachi": "Sudachi", "jumanpp": "Juman++"}
"""Names of the dictionary programs, by the value of word_tokenizer_type."""

_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""Unicode's White_Space, which the tokenizers library strips from the end of a line."""


def write(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Contents of vocab.txt, and of tokenizer_config.json with the normalization.

    Raises FormatError for any other model, and for stages that the files cannot express.

    >>> from bpe_core.wordpiece.model import wordpiece_tokenizer
    >>> files = write(wordpiece_tokenizer(["[UNK]", "low", "##er"], special_tokens=["[UNK]"]))
    >>> list(files), files["vocab.txt"]
    (['vocab.txt', 'tokenizer_config.json'], b'[UNK]\\nlow\\n##er\\n')
    """
    pieces = pieces_of(tokenizer, KIND, (BERT_SPLIT,))
    normalization = _written_normalization(tokenizer)
    others = [token for token in tokenizer.special_tokens if token not in SPECIAL_TOKENS]
    if others:
        refuse(
            message("The tokenizer has the special token {token}.", token=quoted(others[0])),
            message(
                "A {kind} does not say which tokens are special; readers take {names}.",
                kind=KIND,
                names=listed(SPECIAL_TOKENS, last=""),
            ),
            message('Save it as "tokenizers" or "bpe-lab".'),
        )
    for piece in pieces:
        if piece.split() != [piece]:
            refuse(
                message("The token {piece} has white space.", piece=quoted(piece)),
                message("A {kind} has one line per token.", kind=KIND),
                OTHER_FORMAT,
            )
    plain = {role: None for role, token in _ROLES.items() if token in pieces and token not in tokenizer.special_tokens}
    config = {"tokenizer_class": "BertTokenizer", **normalization, **plain}
    return {
        KIND: "".join(piece + "\n" for piece in pieces).encode(),
        CONFIG: (json.dumps(config, indent=2) + "\n").encode(),
    }


def normalization_of(config: bytes | None = None, lowercase: bool | None = None) -> dict[str, Any]:
    """Normalizer of a vocab.txt in tokenizer.json's form, from its tokenizer_config.json.

    `lowercase` overrides the configuration. Accent stripping defaults to the value of lower case. Raises FormatError
    for a damaged configuration.

    >>> normalization_of(b'{"do_lower_case": false}')["lowercase"], normalization_of()["lowercase"]
    (False, True)
    """
    settings = _settings(config)
    by_dictionary = bool(_dictionary(settings))

    def flag(key: str, default: bool | None) -> bool | None:
        value = settings.get(key)
        return default if value is None else a_flag(f"{CONFIG}.{key}", value)

    lowers = flag("do_lower_case", not by_dictionary)
    return {
        "type": "BertNormalizer",
        "clean_text": flag("clean_text", True),
        "handle_chinese_chars": False if by_dictionary else flag("tokenize_chinese_chars", True),
        "strip_accents": False if by_dictionary else flag("strip_accents", None),
        "lowercase": lowers if lowercase is None else lowercase,
    }


def dictionary_of(config: bytes | None) -> str:
    """Program whose dictionary gives a BertJapaneseTokenizer its words; "" for other tokenizers.

    >>> dictionary_of(b'{"word_tokenizer_type": "mecab"}'), dictionary_of(None)
    ('MeCab', '')
    """
    return _dictionary(_settings(config))


def _settings(config: bytes | None) -> dict[str, Any]:
    if config is None:
        return {}
    return an_object(CONFIG, parsed_json(config, CONFIG, limit=message("It is an object.")))


def _dictionary(settings: Mapping[str, Any]) -> str:
    kind = settings.get("word_tokenizer_type")
    return _DICTIONARIES.get(kind, "") if isinstance(kind, str) else ""


def describe_dictionary(program: str) -> str:
    """Warning that a model's words come from a dictionary.

    >>> describe_dictionary("MeCab").partition(":")[0]
    "This model's words come from the dictionary of MeCab, which is not applied here"
    """
    return message(
        "This model's words come from the dictionary of {program}, which is not applied here: a sentence without "
        "spaces is one word, and often [UNK]. Write a space between words to see the model's tokens.",
        program=program,
    )


def describe_normalization(normalizer: dict[str, Any], *, assumed: bool) -> str:
    """Description of a vocab.txt's normalization; `assumed`: whether it is the default, without a configuration.

    >>> describe_normalization(normalization_of(), assumed=True)
    "Texts become lower case and lose accents: the default of BERT's libraries, since a vocab.txt does not say."
    """
    lowers, strips = normalizer["lowercase"], normalizer["strip_accents"]
    strips = lowers if strips is None else strips
    if assumed and lowers and strips:
        return message(
            "Texts become lower case and lose accents: the default of BERT's libraries, since a vocab.txt does not say."
        )
    if lowers:
        return message("Texts become lower case and lose accents.") if strips else message("Texts become lower case.")
    return message("Texts lose accents.") if strips else message("Upper and lower case stay as they are.")


def content_of(
    data: bytes | list[str], beside: Mapping[str, bytes] | None = None, lowercase: bool | None = None
) -> dict[str, Any]:
    """Convert a vocab.txt, or its lines, to the content of a tokenizer.json. Raises FormatError with the invalid lines.

    `beside`: its companions by name. `lowercase`: see `normalization_of`.

    As in the library, a repeated token has the id of its last line, and a line may be empty. As in BERT's own reader, a
    word of more than 100 characters is unknown, and decoding removes spaces before punctuation.

    >>> from bpe_core.formats import tokenizers_json
    >>> tokenizers_json.read(content_of(b"[UNK]\\nlow\\n##er\\n")).encode("lower").ids.tolist()
    [1, 2]
    """
    problems = Problems()
    files = dict(beside or {})
    if problems.of(lambda: _settings(files.get(CONFIG))) is None:
        del files[CONFIG]
    normalization = problems.of(lambda: normalization_of(files.get(CONFIG), lowercase))
    by_dictionary = bool(dictionary_of(files.get(CONFIG)))
    if by_dictionary:  # the dictionary programs get text in NFKC
        normalization = {"type": "Sequence", "normalizers": [{"type": "NFKC"}, normalization]}
    pieces = _pieces(data if isinstance(data, list) else _lines(data), problems)
    ids = {piece: i for i, piece in enumerate(pieces)}
    named = named_tokens(files, ids, problems)
    roles = {**_ROLES, **named.roles}
    unknown = roles["unk_token"] or UNKNOWN_WORD
    if unknown not in ids:
        _add_missing(unknown, pieces, problems)
    problems.refuse_if_any()
    default = write_added([SpecialToken(token, ids[token]) for token in roles.values() if token in ids])
    added = {token["content"]: token for token in (*default, *named.tokens)}
    return {
        "version": "1.0",
        "added_tokens": sorted(added.values(), key=lambda token: token["id"]),
        "normalizer": normalization,
        "pre_tokenizer": {"type": "WhitespaceSplit" if by_dictionary else "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": INSIDE, "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": unknown,
            "continuing_subword_prefix": INSIDE,
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": ids,
        },
    }


def _add_missing(unknown: str, pieces: Sequence[str], problems: Problems) -> None:
    """Add the problems of a file without its unknown token: lines with several words, or else the missing token."""
    spaced = [number for number, piece in enumerate(pieces, 1) if piece.split() != [piece]]
    limit = message("A line of a {kind} is one token.", kind=KIND)
    for number in spaced:
        if not problems.again(number, limit):
            problem = message("Line {number:,} is {line}.", number=number, line=quoted(pieces[number - 1]))
            problems.at(number, problem, limit, _CHOOSE)
    if not spaced:
        problems.add(
            counted(
                "The file has {count:,} line, and it is not {token}.",
                "The file has {count:,} lines, and none is {token}.",
                len(pieces),
                token=unknown,
            ),
            message(
                "A {kind} has one token per line, with {token} among them; it is no other known file either.",
                kind=KIND,
                token=unknown,
            ),
            _CHOOSE,
        )


def pieces_of(tokenizer: Tokenizer, kind: str, splits: Sequence[str]) -> list[str]:
    """Pieces of a WordPiece tokenizer in id order.

    `kind` names the file for messages. Raises FormatError for any other model, for a split that is not one of `splits`,
    and for gaps between ids.

    >>> from bpe_core.wordpiece.model import wordpiece_tokenizer
    >>> tokenizer = wordpiece_tokenizer(["[UNK]", "low", "##er"], special_tokens=["[UNK]"])
    >>> pieces_of(tokenizer, "vocab.txt", [BERT_SPLIT])
    ['[UNK]', 'low', '##er']
    """
    if tokenizer.model.kind != "wordpiece":
        refuse(
            message("{tokenizer} is not a WordPiece tokenizer.", tokenizer=tokenizer.name),
            message("A {kind} holds only these.", kind=kind),
            OTHER_FORMAT,
        )
    if tokenizer.split.pattern not in splits:
        refuse(
            message("The tokenizer splits texts by {split}.", split=quoted(tokenizer.split.pattern)),
            message("Readers of a {kind} split by BERT's rule.", kind=kind),
            message('Save it as "bpe-lab".'),
        )
    if tokenizer.ids != list(range(tokenizer.vocab_size)):
        gap = next(i for i, token_id in enumerate(tokenizer.ids) if i != token_id)
        refuse(
            message("No token has the id {token_id:,}.", token_id=gap),
            message("A {kind} has no gaps between ids.", kind=kind),
            OTHER_FORMAT,
        )
    return [tokenizer.token_bytes(token_id).decode() for token_id in tokenizer.ids]


def _written_normalization(tokenizer: Tokenizer) -> dict[str, bool | None]:
    steps = tokenizer.normalizer.steps
    match steps:
        case ():
            return dict.fromkeys(("do_lower_case", "strip_accents", "tokenize_chinese_chars", "clean_text"), False)
        case (BertNormalizer() as step,):
            return {
                "do_lower_case": step.lowercase,
                "strip_accents": step.strip_accents,
                "tokenize_chinese_chars": step.handle_chinese_chars,
                "clean_text": step.clean_text,
            }
    refuse_normalization(tokenizer, KIND)
    raise AssertionError("a tokenizer with steps normalizes")


def _lines(data: bytes) -> list[str]:
    """Lines of a file. Only a line feed ends one: Unicode's other line breaks are part of a token."""
    check_lines(data)
    lines = decoded(data).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _pieces(lines: list[str], problems: Problems) -> list[str]:
    pieces = []
    for number, line in enumerate(lines, start=1):
        piece = line.rstrip(_SPACE)
        if len(piece) > LONGEST_TOKEN // 4:
            problem = message(
                "Line {number:,} is a token of {characters:,} characters.", number=number, characters=len(piece)
            )
            problems.at(
                number,
                problem,
                message("The longest allowed has {longest:,}.", longest=LONGEST_TOKEN // 4),
                SHORTER_TOKENS,
            )
        pieces.append(piece)
    problems.of(lambda: check_pieces(message("the file"), pieces))
    return pieces
