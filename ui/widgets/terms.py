"""Forms of the glossary's terms, which `with_terms` of ui/widgets/layout.py marks in headings and captions.

terms.json has them by language, as regular expressions; scripts mark those in views. Their definitions are in
frontend/src/glossary/definitions.ts, by the same names.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

FORMS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "terms.json").read_text("utf-8"))
"""How each term is written, by language and by the term's name."""


def _pattern(language: str) -> re.Pattern[str]:
    edge = "" if language in ("ja", "zh") else r"\b"
    forms = "|".join(f"({form})" for form in FORMS[language].values())
    return re.compile(rf"\[[^\]]*\]\([^)]*\)|`[^`]*`|\*\*[^*]*\*\*|{edge}(?:{forms}){edge}", re.IGNORECASE)


PATTERNS = {language: _pattern(language) for language in FORMS}
"""Patterns of all terms by language, each a group; matches without a group are links, code and bold type."""
