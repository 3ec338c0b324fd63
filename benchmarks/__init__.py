"""Side by side with other libraries: `python -m benchmarks`."""
