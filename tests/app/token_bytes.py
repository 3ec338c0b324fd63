"""Bytes of a drawn token, for tests of view payloads."""

from bpe_core.payloads.spans import TokenSpans


def bytes_hex(spans: TokenSpans, position: int) -> str:
    """Bytes of a token as "E3 81", from its parts and its text."""
    pieces = [
        spans.heads[position].hex if position in spans.heads else "",
        spans.texts[position].encode("utf-8", "surrogatepass").hex(" ").upper(),
        spans.tails[position].hex if position in spans.tails else "",
    ]
    return " ".join(piece for piece in pieces if piece)
