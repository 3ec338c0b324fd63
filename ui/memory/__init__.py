"""What the app keeps between runs, for all visitors together and bounded by bytes; and who of them is still there."""
