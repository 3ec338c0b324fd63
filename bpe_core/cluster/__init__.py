"""Word counts of corpora larger than memory, on a Dask cluster or the cores of this machine.

Needs the extra `cluster`: pip install '.[cluster]' in the project's folder.
"""

from bpe_core.cluster.counting import CorpusCounts, Skipped, count_corpus

__all__ = ["CorpusCounts", "Skipped", "count_corpus"]
