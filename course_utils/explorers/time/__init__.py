"""Explorer of moments: diffusion steps and uneven time stamps."""
