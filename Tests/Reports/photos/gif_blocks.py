"""GIF files as old programs and converters write them; and other formats, which are refused by name."""
from support import gifs, pictures, quadrants
from support.report import report

NUMBERS = [[(2 * x >= 64) + 2 * (2 * y >= 64) for x in range(64)] for y in range(64)]
COLOURS = quadrants.UPRIGHT


def gif(*parts, end=gifs.TRAILER):
    return b"".join(parts) + end


@report("https://github.com/WebKit/WebKit/pull/1678", "https://github.com/image-rs/image-gif/pull/237",
        "The trailer is missing, or zeros stand for it.",
        right="The picture.", before="right")
def no_trailer(trial):
    whole = gif(gifs.screen(64, 64, COLOURS), gifs.image(NUMBERS), end=b"")
    for number, end in enumerate((b"", b"\0\0\0", b"\0" * 500 + b";")):
        quadrants.expect(trial, f"{number}.gif", whole + end, tolerance=2)


@report("https://github.com/libvips/libvips/issues/3134", "https://github.com/deanm/omggif/issues/39",
        "The file is cut off in its first image.",
        right="The picture if its centre square is there, as for a JPEG; else an error that says so.", before="wrong")
def gif_cut_off(trial):
    tall = gif(gifs.screen(64, 128, COLOURS), gifs.image([[0] * 64] * 32 + NUMBERS + [[3] * 64] * 32))
    start = tall.index(b"\x2c")
    cut = tall[:start + int((len(tall) - start) * 0.8)]
    quadrants.expect_warned(trial, "tall.gif", cut, "early")
    square = gif(gifs.screen(64, 64, COLOURS), gifs.image(NUMBERS))
    quadrants.expect_refused(trial, "square.gif", square[:len(square) * 8 // 10], "truncated")


@report("https://github.com/libvips/libvips/issues/1701", "https://github.com/libvips/libvips/issues/2577",
        "The image is larger than its screen, or the screen has no size.",
        right="The whole image: the screen grows, as in browsers.", before="right")
def image_larger_than_the_screen(trial):
    for number, (width, height) in enumerate(((32, 32), (0, 0), (64, 0))):
        quadrants.expect(trial, f"{number}.gif", gif(gifs.screen(width, height, COLOURS), gifs.image(NUMBERS)), tolerance=2)


@report("https://github.com/libgd/libgd/pull/494", "https://github.com/Automattic/node-canvas/issues/2564",
        "There is no table of colours.", right="Black for the first colour, white for the second one, as the specification advises.",
        before="wrong")
def no_colours(trial):
    path = trial.folder / "photo.gif"
    path.write_bytes(gif(gifs.screen(64, 64), gifs.image([[min(number, 1) for number in row] for row in NUMBERS])))
    pictures.expect_drawn(trial, path, {(.3, .3): (0, 0, 0), (.7, .7): (255, 255, 255)}, tolerance=0)


@report("https://github.com/python-pillow/Pillow/pull/2813", "https://github.com/image-rs/image-gif/issues/97",
        "Codes begin with more bits than 256 colours need, or with one bit for two colours.",
        right="The picture: the table of colours says which there are.", before="wrong")
def codes_of_other_sizes(trial):
    for bits in (9, 10, 11):
        quadrants.expect(trial, f"{bits}.gif", gif(gifs.screen(64, 64, COLOURS), gifs.image(NUMBERS, code_size=bits)), tolerance=2)
    # 2 x 2 pixels of number 1: clear 2, 1, in three bits from here on 4 (twice what was), 1, end 3.
    codes = (2 | 1 << 2 | 4 << 4 | 1 << 7 | 3 << 10).to_bytes(2, "little")
    path = trial.folder / "1.gif"
    path.write_bytes(gif(gifs.screen(2, 2, COLOURS), gifs.image([[0, 0]] * 2, packed=b"\1\2" + codes + b"\0")))
    pictures.expect_drawn(trial, path, {(.3, .3): quadrants.GREEN, (.7, .7): quadrants.GREEN}, tolerance=2)


@report("https://github.com/image-rs/image-gif/pull/135", "https://github.com/image-rs/image-gif/pull/174",
        "An encoder forgot to state the size of the image.",
        right="The image has the size of the screen, as in browsers.", before="wrong")
def image_without_a_size(trial):
    for size in ((0, 0), (0, 64), (64, 0)):
        data = gif(gifs.screen(64, 64, COLOURS), gifs.image(NUMBERS, size=size))
        quadrants.expect(trial, "{}-{}.gif".format(*size), data, tolerance=2)
    quadrants.expect_refused(trial, "screen.gif", gif(gifs.screen(0, 0, COLOURS), gifs.image(NUMBERS, size=(0, 0))), "corrupt")


@report("https://github.com/devongovett/gif-stream/issues/5", "https://github.com/AvaloniaUI/Avalonia.GIF/pull/30",
        "The image has a table of its own, beside one of the screen or without it.",
        right="Its own colours.", before="right")
def own_colours(trial):
    for name, screen in (("both", gifs.screen(64, 64, COLOURS[::-1])), ("own", gifs.screen(64, 64))):
        quadrants.expect(trial, f"{name}.gif", gif(screen, gifs.image(NUMBERS, colours=COLOURS)), tolerance=2)


@report("https://github.com/image-rs/image-gif/pull/49", "https://github.com/python-pillow/Pillow/pull/5390",
        "The number of the background's colour is beyond the table.",
        right="The picture: the background is not drawn.", before="right")
def background_beyond_the_table(trial):
    quadrants.expect(trial, "photo.gif", gif(gifs.screen(64, 64, COLOURS, background=255), gifs.image(NUMBERS)), tolerance=2)


@report("https://github.com/oven-sh/bun/pull/30032", "The first frame of an animation covers a part of the screen.",
        right="In its place, transparent elsewhere.", before="right")
def part_of_the_screen(trial):
    path = trial.folder / "photo.gif"
    frame = gifs.image([row[:32] for row in NUMBERS[:32]], x=32, y=32)
    path.write_bytes(gif(gifs.screen(64, 64, COLOURS), gifs.control(), frame, gifs.control(), gifs.image(NUMBERS)))
    pictures.expect_drawn(trial, path, {(.3, .3): (0, 0, 0, 0), (.7, .7): quadrants.RED}, tolerance=2)


@report("https://github.com/koreader/koreader/issues/9297", "A colour is transparent, and the image is interlaced.",
        right="Transparent there; the rows in order.", before="right")
def transparent_and_interlaced(trial):
    path = trial.folder / "photo.gif"
    path.write_bytes(gif(gifs.screen(64, 64, COLOURS), gifs.control(transparent=3), gifs.image(NUMBERS, interlaced=True)))
    wanted = {(.3, .3): quadrants.RED, (.7, .3): quadrants.GREEN, (.3, .7): quadrants.BLUE, (.7, .7): (0, 0, 0, 0)}
    pictures.expect_drawn(trial, path, wanted, tolerance=2)


@report("https://github.com/SerenityOS/serenity/pull/3998", "Frames behind the first are damaged.",
        right="The first frame.", before="right")
def damaged_later_images(trial):
    quadrants.expect(trial, "photo.gif", gif(gifs.screen(64, 64, COLOURS), gifs.image(NUMBERS), b"\x2c" + b"\xff" * 40), tolerance=2)


@report("https://github.com/soonaverse/soonaverse-dao/issues/86", "https://github.com/Expensify/App/issues/13038",
        "A photo is a BMP, TIFF, SVG or JPEG XL, and is called .jpg.",
        right="An error that names the format it has.", before="right")
def other_formats(trial):
    for start, name in ((b"BM\x36\0\0\0", "BMP"), (b"II*\0\x08\0\0\0", "TIFF"), (b"MM\0*\0\0\0\x08", "TIFF"),
                        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
                        (b"\xff\x0a\xfa\x1f", "JPEG XL"), (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"), (b"<!DOCTYPE html><html>", "text")):
        quadrants.expect_refused(trial, f"{name.replace(' ', '')}{start[0]}.jpg", start + bytes(60) * (start[0] != 60), "unsupported", name)
