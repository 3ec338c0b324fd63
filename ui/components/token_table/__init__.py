"""Table of tokens, texts and numbers, of any length."""

from ui.components.token_table.component import (
    current_row,
    current_row_frame,
    relayed_table,
    table_frame,
    token_table,
)

__all__ = ["current_row", "current_row_frame", "relayed_table", "table_frame", "token_table"]
