"""PickyBPE: BPE that takes tokens back that are used almost only inside of longer ones."""
