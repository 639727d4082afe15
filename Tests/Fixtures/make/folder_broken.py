"""broken/: damaged files, and hostile ones."""

from . import broken_gif, broken_jpeg, broken_png, broken_webp
from .book import Folder

ABOUT = """
Damaged and hostile files: whatever the outcome in `expect.json`, no crash, no hang, no large
allocation. Files that draw and name an `expected` picture must also draw it right.
"""


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "broken", ABOUT, {"outcome": "corrupt"})
    broken_jpeg.add_to(folder)
    broken_png.add_to(folder)
    broken_webp.add_to(folder)
    broken_gif.add_to(folder)
    return folder
