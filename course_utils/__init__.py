from .encodings import *
from .explorers import binary_explorer
from .language import language_switch
