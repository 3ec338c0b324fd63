"""Bar chart of pair counts, with selectable pairs."""

from ui.components.pair_counts.component import PairCount, pair_counts_frame, relayed_pair_counts

__all__ = ["PairCount", "pair_counts_frame", "relayed_pair_counts"]
