"""PickyBPE: BPE that removes tokens that are used almost only inside longer ones."""
