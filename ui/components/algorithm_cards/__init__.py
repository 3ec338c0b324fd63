"""Cards of the algorithms: one step of each training, side by side."""

from ui.components.algorithm_cards.card import CARD_ROWS, Card, CardPart, CardRow, CardTone
from ui.components.algorithm_cards.component import cards_view

__all__ = ["CARD_ROWS", "Card", "CardPart", "CardRow", "CardTone", "cards_view"]
