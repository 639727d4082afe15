"""The GIF part of decodes-like-reference/; expected pictures come from the indices and the table."""

import io

import numpy as np
from PIL import Image

from . import expected, gif_tools, pictures
from .colour import to_bytes
from .gif_tools import COMMENT, LOOP, control, gif, image


def quantised(width, height, count):
    """(indices, table) of the card."""
    picture = Image.fromarray(to_bytes(pictures.card(width, height)))
    picture = picture.quantize(count, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    indices = np.asarray(picture)
    return indices, np.array(picture.getpalette()[:3 * (int(indices.max()) + 1)]).reshape(-1, 3)


def add_to(folder):
    """Adds the files."""
    exact = expected.LOSSLESS

    def add(name, data, shown, check=True):
        if check:
            seen = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
            mine = shown if shown.shape[2] == 4 else np.concatenate([shown, np.full(shown.shape[:2] + (1,), 255)], axis=2)
            assert seen.shape == mine.shape, f"{name}: {seen.shape}"
            assert np.array_equal(seen * (seen[:, :, 3:] > 0), mine * (mine[:, :, 3:] > 0)), f"{name}: Pillow shows something else"
        found = folder.add_expected(name, expected.file(shown / 255))
        folder.add(f"{name}.gif", data, **found, **exact)
        return found

    for width, height in ((51, 36), (36, 51), (1, 1), (2, 3)):
        indices, table = quantised(width, height, 256)
        for how in (False, True):
            name = f"gif-{width}x{height}" + ("-interlaced" if how else "")
            plain = add(name, gif(width, height, image(indices, is_interlaced=how), colours=table), table[indices])
        if (width, height) == (51, 36):
            folder.add("gif-called-jpg.jpg", gif(width, height, image(indices), colours=table), **plain, **exact)
            shown = {**plain, **exact}
    indices, table = quantised(51, 36, 256)
    size = (51, 36)
    folder.add("gif-87a.gif", gif(*size, image(indices), colours=table, version=b"GIF87a"), **shown)
    folder.add("gif-own-table.gif", gif(*size, image(indices, colours=table), colours=[[9, 9, 9], [1, 2, 3]]), **shown)
    folder.add("gif-extensions.gif", gif(*size, COMMENT, LOOP, control(), COMMENT, image(indices), image(255 - indices), colours=table), **shown)
    folder.add("gif-clears-often.gif", gif(*size, image(indices, clear_at=300), colours=table), **shown)
    folder.add("gif-screen-of-no-size.gif", gif(0, 0, image(indices), colours=table), **shown)
    folder.add("gif-no-trailer.gif", gif(*size, image(indices), colours=table)[:-1], **shown)
    folder.add("gif-zeros-between-blocks.gif", gif(*size, b"\0\0", image(indices), colours=table), **shown)
    for count, bits in ((2, 2), (4, 2), (16, 4)):
        few, colours = quantised(51, 36, count)
        add(f"gif-{count}-colours", gif(*size, image(few, size=bits), colours=colours), colours[few])
    # Longer than the table of codes, which stays full.
    y, x = np.mgrid[0:150, 0:150]
    noise = ((x * 7919 + y * 104729 + x * y * 31) % 251).astype(np.uint8)
    grays = np.repeat(np.arange(256)[:, None], 3, axis=1)
    add("gif-full-table", gif(150, 150, image(noise, clears=False), colours=grays), grays[noise])
    flat = np.full((90, 90), 3, np.uint8)
    add("gif-one-colour", gif(90, 90, image(flat), colours=grays), grays[flat])

    seen = np.concatenate([table[indices], np.full((36, 51, 1), 255)], axis=2)
    seen[indices == 7, 3] = 0
    add("gif-transparent", gif(*size, control(7), image(indices), colours=table), seen)
    for name, place in (("inside", (10, 8)), ("at-the-edge", (48, 14)), ("outside-the-square", (0, 0))):
        canvas = np.zeros((36, 71, 4), np.uint8)
        canvas[place[1]:place[1] + 20, place[0]:place[0] + 23] = seen[:20, :23]
        # Pillow shows the background colour around the image; browsers show none.
        add(f"gif-image-{name}", gif(71, 36, control(7), image(indices[:20, :23], *place), colours=table, background=5), canvas, False)
    assert gif_tools.table([[0, 0, 0]])[0] == 0
