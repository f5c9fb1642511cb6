"""The web edition of the course: ``python -m web.build`` writes it."""
