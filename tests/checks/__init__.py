"""Rules for notebooks, and what it takes to check them."""
