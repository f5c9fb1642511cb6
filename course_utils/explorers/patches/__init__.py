"""Explorer of a picture cut into squares, whose positions have two axes."""
