"""Where Jupyter keeps what a person chose and did, also for a Python that came without Jupyter."""

import os

__all__ = ["jupyter_config_dir", "jupyter_data_dir"]

try:
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir
except ModuleNotFoundError:  # in the browser, where JupyterLab is no Python package
    # The reader's files outlive a visit there; the kernel's home does not.
    HOME = "/drive" if os.path.isdir("/drive") else os.path.expanduser("~")

    def jupyter_config_dir() -> str:
        """The folder of settings."""
        return os.environ.get("JUPYTER_CONFIG_DIR") or os.path.join(HOME, ".jupyter")

    def jupyter_data_dir() -> str:
        """The folder of data."""
        return os.environ.get("JUPYTER_DATA_DIR") or os.path.join(HOME, ".local/share/jupyter")
