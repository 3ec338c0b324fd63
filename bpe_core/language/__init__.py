"""Messages as data, and the catalogues that translate them."""

from bpe_core.language.catalogues import COMPLETE, LANGUAGES, PSEUDO, SOURCE, add_catalogues, language_of
from bpe_core.language.current import (
    _,
    current_language,
    gettext,
    language_name,
    n_,
    parts,
    set_language,
    translate,
    using_language,
)
from bpe_core.language.messages import TranslatableMessage, counted, in_language, joined, listed, message, term
from bpe_core.language.sentences import Sentence, Strong, sentence

__all__ = [
    "COMPLETE",
    "LANGUAGES",
    "PSEUDO",
    "SOURCE",
    "Sentence",
    "Strong",
    "TranslatableMessage",
    "_",
    "add_catalogues",
    "counted",
    "current_language",
    "gettext",
    "in_language",
    "joined",
    "language_name",
    "language_of",
    "listed",
    "message",
    "n_",
    "parts",
    "sentence",
    "set_language",
    "term",
    "translate",
    "using_language",
]
