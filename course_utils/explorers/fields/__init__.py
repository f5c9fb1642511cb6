"""Explorer of a small network that learns a picture from coordinates."""
