"""Bars of the counts of pairs, one of which can be chosen."""

from ui.components.pair_counts.component import PairCount, pair_counts_frame, relayed_pair_counts

__all__ = ["PairCount", "pair_counts_frame", "relayed_pair_counts"]
