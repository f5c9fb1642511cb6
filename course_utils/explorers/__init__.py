"""Explorers: each is a scene, its controls and the view that paints it.

Every function in these modules whose name ends in ``_explorer`` is exported without being listed
anywhere else; anything else the star imports bring in is not.
"""

from .fields import fields
from .fields.fields import *  # noqa: F403
from .learned_clocks.learned_clocks import *  # noqa: F403
from .patches import patches
from .patches.patches import *  # noqa: F403
from .reading import reading
from .reading.reading import *  # noqa: F403
from .ruler import ruler
from .ruler.ruler import *  # noqa: F403
from .scene.clocks import *  # noqa: F403
from .scene.encoding_tables import *  # noqa: F403
from .scene.explorer import Explorer as Explorer
from .scene.heads import *  # noqa: F403
from .scene.scores import *  # noqa: F403
from .scene.sentences import *  # noqa: F403
from .scene.similarity import *  # noqa: F403
from .scene.stretched import *  # noqa: F403
from .scene.weights import *  # noqa: F403
from .story import story
from .story.story import *  # noqa: F403
from .time.time import *  # noqa: F403
from .training import three_heads
from .training.three_heads import *  # noqa: F403
from .which_clock import which_clock
from .which_clock.which_clock import *  # noqa: F403

READERS = (*reading.__all__, *ruler.__all__, *which_clock.__all__)
"""Explorers of the character model, each with its own view."""

WITHOUT_SCENES = (*READERS, *story.__all__, *three_heads.__all__, *fields.__all__, *patches.__all__)
"""Explorers that compute their numbers live and have no stored scenes."""

__all__ = ["Explorer", *(name for name in dir() if name.endswith("_explorer"))]
