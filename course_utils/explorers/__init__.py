"""A scene, its controls and the view that paints it: one function for each explorer."""

from .clocks import *  # noqa: F403
from .encoding_tables import *  # noqa: F403
from .explorer import Explorer as Explorer
from .explorer import settings as settings
from .heads import *  # noqa: F403
from .reading import *  # noqa: F403
from .scores import *  # noqa: F403
from .sentences import *  # noqa: F403
from .similarity import *  # noqa: F403
from .stretched import *  # noqa: F403
from .weights import *  # noqa: F403

__all__ = ["Explorer"]
__all__ += [name for name in dir() if name.endswith("_explorer")]
