"""Explorers: each is a scene, its controls and the view that paints it.

Every function in these modules whose name ends in ``_explorer`` is exported without being listed
anywhere else; anything else the star imports bring in is not.
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
"""Explorers of the character model, each with its own view."""

WITHOUT_SCENES = (*READERS, *story.__all__, *three_heads.__all__)
"""Explorers that compute their numbers live and have no stored scenes."""

__all__ = ["Explorer", *(name for name in dir() if name.endswith("_explorer"))]
