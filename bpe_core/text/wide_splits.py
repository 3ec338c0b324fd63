"""Patterns whose words hold several words of the ordinary splits, for merges that cross these."""

ACROSS_WORDS = (
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]{2,}[\r\n/]*| +(?!\S)"
    r"|(?:\p{L}++| (?=\p{L})|(?!\p{N}| ?[^\s\p{L}\p{N}]{2}| +(?!\S))[\s\S])++"
)
"""SuperBPE's words once merges cross spaces: digits, punctuation, all but the last of several spaces, and the rest."""

WORD_RUNS = {
    "gpt2": r"(?:'(?:[sdmt]|ll|ve|re)| ?\p{L}+)++| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        r"(?:'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++)++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k": (
        r"(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?)++"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
"""Patterns that find the words of the splits of these names, with words of letters that stand side by side as one."""
