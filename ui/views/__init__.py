"""Views: data sent to the scripts of frontend/, and actions received from them."""
