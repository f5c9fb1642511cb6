"""A scene, its controls and the view that paints it: one function for each explorer.

Every function of these modules whose name ends in ``_explorer`` is public, without being named in
another list; what else the stars bring in is not.
"""

from . import reading, ruler, story, three_heads, which_clock
from .clocks import *  # noqa: F403
from .encoding_tables import *  # noqa: F403
from .explorer import Explorer as Explorer
from .heads import *  # noqa: F403
from .reading import *  # noqa: F403
from .ruler import *  # noqa: F403
from .scores import *  # noqa: F403
from .sentences import *  # noqa: F403
from .similarity import *  # noqa: F403
from .story import *  # noqa: F403
from .stretched import *  # noqa: F403
from .three_heads import *  # noqa: F403
from .weights import *  # noqa: F403
from .which_clock import *  # noqa: F403

READERS = (*reading.__all__, *ruler.__all__, *which_clock.__all__)
"""Explorers of the model that reads, each with a view of its own."""

WITHOUT_SCENES = (*READERS, *story.__all__, *three_heads.__all__)
"""Explorers whose numbers are computed while one looks, not taken from stored scenes."""

__all__ = ["Explorer", *(name for name in dir() if name.endswith("_explorer"))]
