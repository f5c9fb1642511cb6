"""No test depends on how fast the machine is."""

from hypothesis import settings

settings.register_profile("course", deadline=None)
settings.load_profile("course")
