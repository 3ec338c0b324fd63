"""Views: what Python sends to the scripts of frontend/, and the actions that it takes from them."""
