"""Forms of the glossary's terms, which `with_terms` of ui/widgets/layout.py marks in headings and captions.

terms.json has them by language, as regular expressions; those that begin with a Latin letter are whole words, and a
language without any marks those of English. Scripts mark those in views. Their definitions are in
frontend/src/glossary/definitions.ts, by the same names.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

FORMS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "terms.json").read_text("utf-8"))
"""How each term is written, by language and by the term's name."""


def _pattern(language: str) -> re.Pattern[str]:
    forms = "|".join(rf"\b({form})\b" if re.match("[a-z]", form) else f"({form})" for form in FORMS[language].values())
    return re.compile(rf"\[[^\]]*\]\([^)]*\)|`[^`]*`|\*\*[^*]*\*\*|{forms}", re.IGNORECASE)


PATTERNS = {language: _pattern(language) for language in FORMS}
"""Patterns of all terms by language, each a group; matches without a group are links, code and bold type."""
