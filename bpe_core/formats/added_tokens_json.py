"""The "added_tokens" of tokenizer.json: special and other tokens, with flags and the library's ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpe_core.formats.reading import MOST_SPECIAL, Json, a_flag, a_list, a_text, an_id, an_object
from bpe_core.tokenizer.special_tokens import HIGHEST_ID, SpecialToken

_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def read_added(value: object, vocab: Mapping[str, int], size: int) -> tuple[SpecialToken, ...]:
    """Read the added tokens. `vocab`: ids of the model's tokens; `size`: the model's number of entries, duplicates
    included.

    As in the library, the file's ids are ignored: an added token takes the id of the model's token of that name, or the
    next id after the number of entries. Empty names are skipped. The last entry of a repeated name gives its flags, but
    it is special if any entry is, and decoders get its normalized form if any entry is `normalized`. Raises FormatError
    with the place of the error.

    >>> flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    >>> token = {"id": 7, "content": "<s>", **flags, "special": True}
    >>> read_added([token], {"a": 0}, 1)[0][:2]
    ('<s>', 1)
    """
    tokens: dict[str, SpecialToken] = {}
    highest = -1
    for at, entry in enumerate(a_list("added_tokens", value, MOST_SPECIAL)):
        place = f"added_tokens[{at}]"
        an_object(place, entry, ("id", "content", *_FLAGS))
        text = a_text(f"{place}.content", entry["content"])
        an_id(f"{place}.id", entry["id"], HIGHEST_ID)
        word, left, right, normalized, special = (a_flag(f"{place}.{flag}", entry[flag]) for flag in _FLAGS)
        if not text:
            continue
        known = tokens.get(text)
        token_id = vocab.get(text, known.id if known is not None else max(highest + 1, size))
        if text not in vocab:
            highest = max(highest, token_id)
        special = special or (known is not None and known.special)
        before = known is not None and not normalized and (known.normalized or known.decodes_normalized)
        tokens[text] = SpecialToken(text, token_id, left, right, word, normalized, special, before)
    return tuple(tokens.values())


def write_added(tokens: Sequence[SpecialToken]) -> list[Json]:
    """Added tokens in the file's form, ordered by id; a token with `decodes_normalized` is listed twice.

    >>> write_added([SpecialToken("<s>", 1)])[0]["special"]
    True
    """
    return [
        {
            "id": token.id,
            "content": token.text,
            "single_word": token.whole_word,
            "lstrip": token.strip_left,
            "rstrip": token.strip_right,
            "normalized": normalized,
            "special": token.special,
        }
        for token in sorted(tokens, key=lambda token: token.id)
        for normalized in ([True, False] if token.decodes_normalized else [token.normalized])
    ]
