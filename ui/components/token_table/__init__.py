"""A table of tokens, texts and numbers, of any length."""

from ui.components.token_table.component import token_table

__all__ = ["token_table"]
