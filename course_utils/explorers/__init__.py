"""A scene, its controls and the view that paints it: one function for each explorer.

Every function of these modules whose name ends in ``_explorer`` is public, without being named in
another list; what else the stars bring in is not.
"""

from .clocks import *  # noqa: F403
from .encoding_tables import *  # noqa: F403
from .explorer import Explorer as Explorer
from .heads import *  # noqa: F403
from .reading import *  # noqa: F403
from .scores import *  # noqa: F403
from .sentences import *  # noqa: F403
from .similarity import *  # noqa: F403
from .stretched import *  # noqa: F403
from .weights import *  # noqa: F403

__all__ = ["Explorer", *(name for name in dir() if name.endswith("_explorer"))]
