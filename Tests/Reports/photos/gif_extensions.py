"""GIFs whose rows, codes and extensions are unusual."""
from support import gifs, pictures, quadrants
from support.report import report

GITHUB = "https://github.com/"


@report(GITHUB + "image-rs/image-gif/pull/232", "A small GIF is interlaced, so that its passes have few rows, or none.",
        right="The picture, with its rows in order.", before="right")
def small_interlaced_images(trial):
    for width, height in ((5, 5), (7, 7), (9, 9), (47, 63)):
        rows = [[(2 * x >= width) + 2 * (2 * y >= height) for x in range(width)] for y in range(height)]
        data = gifs.screen(width, height, quadrants.UPRIGHT) + gifs.image(rows, interlaced=True) + gifs.TRAILER
        quadrants.expect(trial, f"{width}.gif", data, tolerance=40)
    for height in (1, 2, 3, 4):
        data = gifs.screen(3, height, quadrants.UPRIGHT) + gifs.image([[2] * 3] * height, interlaced=True) + gifs.TRAILER
        quadrants.expect(trial, f"{height}.gif", data, (quadrants.BLUE,) * 4)


def deferred(numbers, bits=8):
    """Image data that go on with a full table of codes, and clear it never."""
    clear = 1 << bits
    known, width, packed, count, out = {(number,): number for number in range(clear)}, bits + 1, 0, 0, bytearray()

    def put(code):
        nonlocal packed, count
        packed |= code << count
        count += width
        while count >= 8:
            out.append(packed & 255)
            packed >>= 8
            count -= 8
    put(clear)
    word = ()
    for number in numbers:
        if word + (number,) in known:
            word += (number,)
            continue
        put(known[word])
        if len(known) + 2 < 4096:
            known[word + (number,)] = code = len(known) + 2
            width += code == 1 << width and width < 12
        word = (number,)
    put(known[word])
    put(clear + 1)
    if count:
        out.append(packed & 255)
    return bytes([bits]) + b"".join(bytes([len(out[at:at + 255])]) + out[at:at + 255] for at in range(0, len(out), 255)) + b"\0"


@report(GITHUB + "saitoha/libsixel/pull/63", GITHUB + "fltk/fltk/issues/274", GITHUB + "XamlAnimatedGif/XamlAnimatedGif/issues/19",
        "An optimiser goes on with a full table of codes, and does not clear it.",
        right="The whole picture: the table may stay as it is.", before="right")
def codes_of_a_full_table(trial):
    side = 160
    rows = [[(2 * x >= side) + 2 * (2 * y >= side) + 4 * ((x * 7919 + y * 104729) % 61) for x in range(side)] for y in range(side)]
    data = gifs.screen(side, side, [quadrants.UPRIGHT[number % 4] for number in range(256)])
    quadrants.expect(trial, "a.gif", data + gifs.image(rows, packed=deferred(number for row in rows for number in row)) + gifs.TRAILER)


@report(GITHUB + "kohler/gifsicle/issues/9", GITHUB + "deanm/omggif/pull/38", GITHUB + "Intervention/gif/pull/12", GITHUB + "drewnoakes/metadata-extractor/pull/367",
        "XMP of Adobe, which has no blocks, a profile, comments, text to be drawn, or an unknown extension stands before the image.",
        right="The picture: none of them is a part of it.", before="right")
def extensions_before_the_image(trial):
    rows = [[(2 * x >= 64) + 2 * (2 * y >= 64) for x in range(64)] for y in range(64)]
    ends = bytes([1, *range(255, -1, -1), 0])
    for number, block in enumerate((b"\x21\xff\x0bXMP DataXMP" + b"<x:xmpmeta>" + b"," * 400 + b"</x:xmpmeta>" + ends, b"\x21\xff\x0bICCRGBG1012\x04abcd\0",
                                    b"\x21\xfe" + (b"\xff" + b"," * 255) * 40 + b"\0", b"\x21\x01\x0c" + bytes(12) + b"\x04text\0", b"\x21\x99\x02,,\0", b"\x21\xfe\0")):
        quadrants.expect(trial, f"{number}.gif", gifs.screen(64, 64, quadrants.UPRIGHT) + block + gifs.image(rows) + block + gifs.TRAILER)


@report(GITHUB + "Chlumsky/EasyGifReader/issues/2", GITHUB + "python-pillow/Pillow/issues/1718", GITHUB + "golang/go/pull/38854",
        GITHUB + "XamlAnimatedGif/XamlAnimatedGif/issues/98",
        "Two controls stand before an image, an extension has no block, or a zero stands between blocks.",
        right="The picture; the last control counts, as in browsers.", before="right")
def repeated_and_empty_blocks(trial):
    numbers = [[(2 * x >= 64) + 2 * (2 * y >= 64) for x in range(64)] for y in range(64)]
    screen, image = gifs.screen(64, 64, quadrants.UPRIGHT), gifs.image(numbers)
    for number, parts in enumerate(((gifs.control(0), gifs.control()), (b"\x21\xfe\x00",), (b"\x21\xff\x00",), (b"\x00",), (gifs.control(200),))):
        quadrants.expect(trial, f"{number}.gif", screen + b"".join(parts) + image + gifs.TRAILER, tolerance=2)
        quadrants.expect(trial, f"behind-{number}.gif", screen + image + b"".join(parts) + gifs.TRAILER, tolerance=2)
    path = trial.folder / "clear.gif"
    path.write_bytes(screen + gifs.control(3) + gifs.control(0) + image + gifs.TRAILER)
    pictures.expect_drawn(trial, path, {(.3, .3): (0, 0, 0, 0), (.7, .7): quadrants.YELLOW}, tolerance=2)
