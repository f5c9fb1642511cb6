"""Explorer of the clocks of a released model, or of a pasted configuration."""
