"""Patterns that tokenizer files contain or might contain, in Oniguruma syntax, and texts that exercise them."""

from hypothesis import strategies as st

REGEXES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"\p{N}{1,3}",
    r"[一-龥぀-ゟ゠-ヿ]+",
    r"[0-9][0-9][0-9]",
    r" ?[^(\s|[.,!?…。，、।۔،])]+",
    r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*",
    r"\s?\p{L}+",
    r"\s+$",
    r"^\s*",
    r"a*",
    r"",
    r"\w+|[^\w\s]+",
    r"[\w&&[^\d]]+",
    r"\bb|\Ba",
    r"(?<=a)b|(?<!a)c",
    r"\h{2}+",
    r"a{1,2}?|b{2}?c",
    r"[^\W_]+|[[:digit:]]",
    r"(?i)k[a-s]?",
    r"\p{Arabic}|\p{^Latin}{2}",
    r"\R|\A.",
    r"(?=b)",
    r"a*?|b\z",
    r"(?<=\s)|$",
    r"(?m)^a.b|c.",
    "(?x) a + (?#letters) | [b #]\t# and\n  c",
)
SIGNS = (
    "aabbcckKſ\u212aSs.,!'_-▁  \n\r\t1½²③٣éÉe\u0301漢字カナー、ع\u200d\xa0\u3000\x85\x1c😀\u088f\U000323b0ʕ\u2e43\x00"
)

texts = st.one_of(
    st.text(SIGNS, max_size=25),
    st.text(max_size=15),
    st.sampled_from(["Don't STOP  12345,\r\n  l'été 漢字カナ…!! ", " \n\n ", "a" * 300, "   a"]),
)
