"""Rows of a batch, token by token, with ids, type ids and masks below."""

from ui.components.batch.component import batch_view

__all__ = ["batch_view"]
