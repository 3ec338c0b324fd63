"""Counting corpora that are larger than a machine, on the workers of a Dask cluster or on the cores of this machine.

The libraries are an extra: pip install -r requirements-cluster.txt.
"""

from bpe_core.cluster.counting import CorpusCounts, Skipped, count_corpus

__all__ = ["CorpusCounts", "Skipped", "count_corpus"]
