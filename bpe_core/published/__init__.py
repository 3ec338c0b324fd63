"""Published tokenizers bundled with the package: GPT-2, cl100k_base, o200k_base, BERT (uncased and cased) and T5."""
