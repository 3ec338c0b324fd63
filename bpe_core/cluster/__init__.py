"""Counting corpora that are larger than a machine, on the workers of a Dask cluster or on the cores of this machine.

The libraries are the extra `cluster`: pip install '.[cluster]' in the project's folder.
"""

from bpe_core.cluster.counting import CorpusCounts, Skipped, count_corpus

__all__ = ["CorpusCounts", "Skipped", "count_corpus"]
