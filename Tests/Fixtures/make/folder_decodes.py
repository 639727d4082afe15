"""decodes-like-reference/: every kind of photo that has to be shown."""

from . import decodes_gif, decodes_jpeg, decodes_png, decodes_webp
from .book import Folder
from .expected import LOSSLESS

ABOUT = """
Every kind of JPEG, PNG, WebP and GIF: the file must come out as NAME.expected.png, the centre
square of the upright picture in sRGB at full size, within `mae` and `psnr` of `expect.json`.
"""


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "decodes-like-reference", ABOUT, {"outcome": "draws", **LOSSLESS})
    decodes_jpeg.add_to(folder)
    decodes_png.add_to(folder)
    decodes_webp.add_to(folder)
    decodes_gif.add_to(folder)
    return folder
