"""What the pages share: state, caches, controls, charts and components."""
