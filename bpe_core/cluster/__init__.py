"""Word counts and ids of corpora larger than memory, on a Dask cluster or the cores of this machine.

Needs the extra `cluster`: pip install '.[cluster]' in the project's folder.
"""

from bpe_core.cluster.counting import CorpusCounts, count_corpus
from bpe_core.cluster.encoding import EncodedCorpus, encode_corpus
from bpe_core.cluster.reports import Skipped

__all__ = ["CorpusCounts", "EncodedCorpus", "Skipped", "count_corpus", "encode_corpus"]
