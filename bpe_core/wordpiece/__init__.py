"""WordPiece: training by score or count, and the model that takes the longest match."""
