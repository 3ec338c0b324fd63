"""Flow of tokens as coloured spans."""

from ui.components.token_flow.component import clear_selection, relayed_tokens, step_frame, symbols_key, token_view

__all__ = ["clear_selection", "relayed_tokens", "step_frame", "symbols_key", "token_view"]
