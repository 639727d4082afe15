"""PNG files with damage around the picture, and with unusual chunks."""
import random
import struct
import zlib

from support import jpegs, pictures, quadrants
from support.pictures import chunk
from support.pngs import END, SIGNATURE, file, header, rows
from support.report import report


def damaged(whole):
    """A chunk with a wrong checksum."""
    return whole[:-1] + bytes([whole[-1] ^ 0x55])


@report("https://github.com/python-pillow/Pillow/pull/7709", "https://github.com/haiwen/seahub/issues/796",
        "The last bytes are missing: the end chunk, or the checksum before it.",
        right="The picture, with a warning: all pixels are there, and their checksum is right.", before="wrong")
def end_is_missing(trial):
    whole = file()
    for count in (1, 4, 6, 12, 14, 16):
        quadrants.expect_warned(trial, f"{count}.png", whole[:-count], "end")


@report("https://github.com/python-pillow/Pillow/pull/7709", "A file with a missing end is interlaced, or has 16 bits a sample.",
        right="The picture, with a warning.", before="wrong")
def end_is_missing_of_other_kinds(trial):
    deep = zlib.compress(b"".join(b"\0" + b"".join(struct.pack(">3H", *(257 * value for value in pixel)) for pixel in row)
                                  for row in quadrants.rows()))
    quadrants.expect_warned(trial, "deep.png", file(head=header(depth=16), data=deep)[:-12], "end")
    pixels, passes = quadrants.rows(), b""
    for x, y, right, down in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        passes += rows([row[x::right] for row in pixels[y::down]])
    laced = file(head=header(interlace=1), data=zlib.compress(passes))
    quadrants.expect_warned(trial, "laced.png", laced[:-12], "end")
    quadrants.expect_refused(trial, "cut.png", laced[:-30], "truncated")


@report("https://github.com/wvanbergen/chunky_png/issues/67", "https://github.com/libvips/libvips/issues/629",
        "The file is cut off in the pixels, or their checksum is missing.",
        right="An error that says so.", before="right")
def pixels_are_cut_off(trial):
    stored = zlib.compress(rows(), 0)
    for count in (17, 200, len(stored) // 2):
        quadrants.expect_refused(trial, f"{count}.png", file(data=stored)[:-count], "truncated")


@report("https://github.com/image-rs/image/issues/2057", "https://github.com/pnggroup/libpng/issues/465",
        "A chunk of pixels has a wrong checksum, while the checksum of the pixels themselves is right.",
        right="The picture, with a warning, as in browsers and viewers.", before="wrong")
def wrong_checksum_of_pixels(trial):
    whole = file()
    place = whole.index(b"IDAT") - 4
    length = struct.unpack(">I", whole[place:place + 4])[0]
    quadrants.expect_warned(trial, "photo.png", whole[:place] + damaged(whole[place:place + 12 + length]) + whole[place + 12 + length:],
                            "checksum")


@report("https://github.com/lvgl/lv_lib_png/issues/23", "https://github.com/depsypher/pngtastic/issues/13",
        "https://github.com/image-rs/image-png/issues/619",
        "A writer got the checksum of the pixels wrong, while those of the chunks are right.",
        right="The picture, with a warning: nothing happened to it since. With both of them wrong, an error.", before="wrong")
def wrong_checksum_by_the_writer(trial):
    wrong = zlib.compress(rows())[:-4] + b"\0\0\0\0"
    parts = chunk(b"IDAT", wrong[:-4]) + chunk(b"IDAT", wrong[-4:])
    quadrants.expect_warned(trial, "one.png", file(data=wrong), "checksum")
    quadrants.expect_warned(trial, "apart.png", SIGNATURE + header() + parts + END, "check")
    damage = SIGNATURE + header() + damaged(chunk(b"IDAT", wrong)) + END
    quadrants.expect_refused(trial, "both.png", damage, "corrupt")


@report("https://github.com/pnggroup/libpng/issues/202", "An optimiser states a smaller window than the pixels need.",
        right="The picture, as in browsers and Pillow.", before="wrong")
def window_that_is_too_small(trial):
    # Noise repeats after four rows.
    noise = random.Random(5)
    lines = [[tuple(noise.randrange(256) for _ in range(3)) for _ in range(64)] for _ in range(4)]
    packed = bytearray(zlib.compress(rows(lines * 16), 9))
    packed[0], packed[1] = 0x08, 0x1D
    whole, small = trial.folder / "whole.png", trial.folder / "small.png"
    whole.write_bytes(file(data=zlib.compress(rows(lines * 16))))
    small.write_bytes(file(data=bytes(packed)))
    (wanted, _), (drawn, text) = pictures.draw(trial, whole), pictures.draw(trial, small)
    trial.require(f"drawn without a warning ({text})", drawn is not None and text.count("\n") == 0 and "warning" not in text)
    trial.expect("as with the right window", drawn and drawn.rows, wanted.rows)


@report("https://github.com/python-pillow/Pillow/pull/1991", "https://github.com/SixLabors/ImageSharp/issues/290",
        "A text has a wrong checksum.", right="The picture.", before="right")
def wrong_checksum_of_a_text(trial):
    for kind in (b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME"):
        quadrants.expect(trial, f"{kind.decode()}.png", file(damaged(chunk(kind, b"Comment\0text"))), tolerance=2)
        quadrants.expect(trial, f"{kind.decode()}-behind.png", file(behind=[damaged(chunk(kind, b"Comment\0text"))]), tolerance=2)


@report("https://github.com/wvanbergen/chunky_png/issues/96", "Zeros, or another file, stand behind the end.",
        right="The picture.", before="right")
def bytes_behind_the_end(trial):
    for number, added in enumerate((b"\0\0", bytes(5000), file(), b"<html>")):
        quadrants.expect(trial, f"{number}.png", file() + added, tolerance=2)


@report("https://github.com/opencv/opencv/issues/27074", "https://github.com/SerenityOS/serenity/pull/18258",
        "The default image of an animation is not part of it: it is for programs without animations.",
        right="The first frame, as browsers show it.", before="wrong")
def hidden_default_image(trial):
    gray = zlib.compress(rows([[(99, 99, 99)] * 64] * 64))
    count = chunk(b"acTL", struct.pack(">II", 1, 0))
    control = chunk(b"fcTL", struct.pack(">5I2H2B", 0, 64, 64, 0, 0, 1, 10, 0, 0))
    first = zlib.compress(rows())
    frames = [control, chunk(b"fdAT", struct.pack(">I", 1) + first[:50]), chunk(b"fdAT", struct.pack(">I", 2) + first[50:])]
    quadrants.expect(trial, "photo.png", file(count, data=gray, behind=frames), tolerance=2)
    quadrants.expect(trial, "cut.png", file(count, data=gray, behind=frames)[:-12], tolerance=2)


@report("https://github.com/SixLabors/ImageSharp/issues/2708", "https://github.com/flutter-team-archive/engine/pull/56928",
        "The first frame behind a hidden default image is smaller than the canvas, or lies beyond it.",
        right="The frame in its place, transparent elsewhere; the default image if the frame is impossible.", before="wrong")
def small_first_frame(trial):
    def animation(x):
        red = zlib.compress(rows([[quadrants.RED] * 32] * 32))
        control = chunk(b"fcTL", struct.pack(">5I2H2B", 0, 32, 32, x, 32, 1, 10, 0, 0))
        frames = [control, chunk(b"fdAT", struct.pack(">I", 1) + red)]
        return file(chunk(b"acTL", struct.pack(">II", 1, 0)), behind=frames)
    path = trial.folder / "inside.png"
    path.write_bytes(animation(32))
    pictures.expect_drawn(trial, path, {(.3, .3): (0, 0, 0, 0), (.7, .7): quadrants.RED, (.3, .7): (0, 0, 0, 0)}, tolerance=2)
    quadrants.expect(trial, "outside.png", animation(33), tolerance=2)


@report("https://github.com/image-rs/image-png/issues/202", "https://github.com/image-rs/image-png/issues/654",
        "The frames behind the first one are damaged.",
        right="The first one, which is the default image.", before="right")
def damaged_later_frames(trial):
    count = chunk(b"acTL", struct.pack(">II", 2, 0))
    control = [chunk(b"fcTL", struct.pack(">5I2H2B", number, 64, 64, 0, 0, 1, 10, 0, 0)) for number in (0, 1)]
    quadrants.expect(trial, "photo.png", file(count, control[0], behind=[control[1], chunk(b"fdAT", b"\0\0\0\2" + bytes(40))]), tolerance=2)


@report("https://github.com/lovell/sharp/issues/4585", "https://github.com/SDWebImage/SDWebImage/pull/1040",
        "macOS writes the orientation as eXIf, and again in XMP.",
        right="Turned once, by eXIf.", before="right")
def orientation_in_exif_and_xmp(trial):
    exif = chunk(b"eXIf", jpegs.tiff([(0x0112, 3, 6)]))
    xmp = chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + jpegs.xmp(6)[1][29:])
    quadrants.expect(trial, "before.png", file(exif, xmp), quadrants.TURNED, tolerance=2)
    quadrants.expect(trial, "behind.png", file(behind=[xmp, exif]), quadrants.TURNED, tolerance=2)
    quadrants.expect(trial, "xmp.png", file(xmp), tolerance=2)


@report("https://github.com/w3c/png/issues/96", "https://github.com/image-rs/image-png/pull/67",
        "Pixels have numbers that the palette lacks.",
        right="Black and opaque, as in all browsers.", before="right")
def numbers_beyond_the_palette(trial):
    numbers = {colour: number for number, colour in enumerate(quadrants.UPRIGHT)}
    data = zlib.compress(b"".join(b"\0" + bytes(numbers[pixel] for pixel in row) for row in quadrants.rows()))
    palette = chunk(b"PLTE", b"".join(bytes(colour) for colour in quadrants.UPRIGHT[:3]))
    wanted = [*quadrants.UPRIGHT[:3], (0, 0, 0)]
    quadrants.expect(trial, "photo.png", file(palette, head=header(color_type=3), data=data), wanted, tolerance=2)


@report("https://github.com/w3c/png/issues/361", "https://github.com/nothings/stb/pull/210",
        "One colour of 16 bits is transparent; another has the same upper bytes.",
        right="Only the colour that is equal in all bits is transparent.", before="right")
def transparent_color_of_16_bits(trial):
    def deep(pixel, low):
        return struct.pack(">3H", *((value << 8) | low for value in pixel))
    data = zlib.compress(b"".join(b"\0" + b"".join(deep(quadrants.RED, 5 if x < 32 else 6) for x in range(64)) for _ in range(64)))
    clear = chunk(b"tRNS", deep(quadrants.RED, 5))
    path = trial.folder / "photo.png"
    path.write_bytes(file(clear, head=header(depth=16), data=data))
    pictures.expect_drawn(trial, path, {(.3, .5): (0, 0, 0, 0), (.7, .5): quadrants.RED}, tolerance=2)


@report("https://github.com/pngjs/pngjs/pull/118", "The pixels stand in many chunks of one byte, some of them empty.",
        right="The picture.", before="right")
def pixels_in_many_chunks(trial):
    data = zlib.compress(rows())
    parts = b"".join(chunk(b"IDAT", data[at:at + 1]) + chunk(b"IDAT", b"") for at in range(len(data)))
    quadrants.expect(trial, "photo.png", SIGNATURE + header() + chunk(b"IDAT", b"") + parts + END, tolerance=2)


@report("https://github.com/python-pillow/Pillow/pull/6253", "Chunks about the picture are shorter than they must be.",
        right="The picture; the chunks are ignored.", before="right")
def short_chunks(trial):
    for kind in (b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"tRNS", b"cICP", b"acTL", b"iCCP", b"eXIf", b"bKGD", b"sBIT", b"hIST"):
        for body in (b"", b"\1"):
            quadrants.expect(trial, f"{kind.decode()}-{len(body)}.png", file(chunk(kind, body)), tolerance=2)


@report("https://github.com/nothings/stb/issues/1456", "https://github.com/ImageMagick/ImageMagick/issues/8473", "https://github.com/SixLabors/ImageSharp/issues/410",
        "https://github.com/treeform/pixie/issues/387", "A PNG of an iPhone's app: blue first, multiplied by the transparency, and without the head of zlib (CgBI).",
        right="The picture in its colours, transparent where it was.", before="right")
def png_of_an_iphone(trial):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    pixels = [[(*pixel, 255 if line < 48 else 128) for pixel in row] for line, row in enumerate(quadrants.rows())]
    raw = b"".join(b"\0" + b"".join(bytes((b * a // 255, g * a // 255, r * a // 255, a)) for r, g, b, a in row) for row in pixels)
    data = squeeze.compress(raw) + squeeze.flush()
    path = trial.folder / "icon.png"
    path.write_bytes(SIGNATURE + chunk(b"CgBI", b"\x50\0\x20\x02") + header(color_type=6) + chunk(b"IDAT", data) + END)
    pictures.expect_drawn(trial, path, {(.3, .3): quadrants.RED, (.7, .3): pixels[20][45][:3], (.3, .85): (*pixels[55][20][:3], 128)})
