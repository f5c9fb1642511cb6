"""Where Jupyter keeps what a person chose and did, also for a Python that came without Jupyter."""

import os

__all__ = ["jupyter_config_dir", "jupyter_data_dir"]

try:
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir
except ModuleNotFoundError:  # in the browser, where JupyterLab is no Python package

    def jupyter_config_dir() -> str:
        """The folder of settings."""
        return os.environ.get("JUPYTER_CONFIG_DIR") or os.path.expanduser("~/.jupyter")

    def jupyter_data_dir() -> str:
        """The folder of data."""
        return os.environ.get("JUPYTER_DATA_DIR") or os.path.expanduser("~/.local/share/jupyter")
