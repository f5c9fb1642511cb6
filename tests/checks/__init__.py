"""Rules for notebooks, and tools for checking them."""
