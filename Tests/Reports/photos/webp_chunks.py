"""WebP files whose chunks and sizes are not as they should be; and the WebP avatars of the program itself."""
import struct

from support import jpegs, pictures, profiles, quadrants, riff
from support.report import report

WIDE = [(240, 0, 21), (0, 183, 30), (29, 71, 229), (234, 209, 0)]


def pictures_of(*names):
    return [(name, quadrants.coded(name)) for name in names or ("lossy.webp", "lossless.webp")]


@report("https://github.com/SixLabors/ImageSharp/issues/2925", "https://github.com/image-rs/image/pull/1947",
        "Bytes or unknown chunks stand behind the picture, inside of the file's size or beyond it.",
        right="The picture.", before="right")
def bytes_behind_the_webp(trial):
    for name, data in pictures_of():
        quadrants.expect(trial, f"bytes-{name}", data + b"more", tolerance=10)
        quadrants.expect(trial, f"unknown-{name}", riff.webp(*riff.picture(data), riff.chunk(b"PSAI", b"8BIM" * 5)), tolerance=10)
        quadrants.expect(trial, f"zeros-{name}", riff.webp(*riff.picture(data), bytes(3)), tolerance=10)


@report("https://github.com/image-rs/image-webp/issues/73", "Photoshop's chunk stands before the Exif chunk.",
        right="Turned by Exif.", before="right")
def unknown_chunk_before_exif(trial):
    for name, data in pictures_of():
        exif = riff.chunk(b"EXIF", jpegs.tiff([(0x0112, 3, 6)]))
        whole = riff.webp(riff.canvas(64, 64, 8), *riff.picture(data), riff.chunk(b"PSAI", b"8BIM" * 5), exif)
        quadrants.expect(trial, name, whole, quadrants.TURNED, tolerance=10)


@report("https://github.com/photoprism/photoprism/issues/3342", "https://github.com/SixLabors/ImageSharp.Web/issues/381",
        "The Exif chunk begins as in a JPEG, or its flag is not set.",
        right="Turned.", before="right")
def exif_as_in_jpeg(trial):
    tiff = jpegs.tiff([(0x0112, 3, 6)], order="<")
    for name, data in pictures_of():
        for label, flags, body in (("labelled", 8, b"Exif\0\0" + tiff), ("unflagged", 0, tiff)):
            whole = riff.webp(riff.canvas(64, 64, flags), *riff.picture(data), riff.chunk(b"EXIF", body))
            quadrants.expect(trial, f"{label}-{name}", whole, quadrants.TURNED, tolerance=10)


@report("https://github.com/Comfy-Org/ComfyUI_frontend/issues/8076", "A chunk of an odd length stands before the others.",
        right="Its byte of padding is skipped.", before="right")
def odd_chunk(trial):
    exif = riff.chunk(b"EXIF", jpegs.tiff([(0x0112, 3, 3)]))
    for name, data in pictures_of():
        whole = riff.webp(riff.canvas(64, 64, 12), *riff.picture(data), riff.chunk(b"XMP ", b"<x/>!"), exif)
        quadrants.expect(trial, name, whole, quadrants.UPSIDE_DOWN, tolerance=10)


@report("https://github.com/LadybirdBrowser/ladybird/pull/10230", "The file says that it has a profile, Exif and alpha, and has none.",
        right="The picture.", before="right")
def flags_without_chunks(trial):
    for name, data in pictures_of():
        quadrants.expect(trial, name, riff.webp(riff.canvas(64, 64, 8 | 16 | 32), *riff.picture(data)), tolerance=10)


@report("https://github.com/albert-einshutoin/lazy-image/issues/838", "https://github.com/Exiv2/exiv2/issues/2734",
        "The profile stands behind alpha, and its flag is not set.",
        right="The picture with its transparency.", before="right")
def profile_behind_alpha(trial):
    alpha, *rest = riff.picture(quadrants.coded("alpha.webp"))
    path = trial.folder / "photo.webp"
    path.write_bytes(riff.webp(riff.canvas(64, 64, 16), alpha, riff.chunk(b"ICCP", profiles.display_p3()), *rest))
    avatar, text = pictures.draw(trial, path)
    trial.require(f"drawn ({text})", avatar is not None)
    trial.require("half transparent", avatar is not None and abs(avatar.at(.3, .3)[3] - 128) < 3)


@report("https://github.com/SixLabors/ImageSharp/pull/2699", "A file has transparency, but its flag is not set.",
        right="Opaque, as in browsers, which go by the flag.", before="wrong")
def alpha_without_its_flag(trial):
    data = riff.webp(riff.canvas(64, 64, 0), *riff.picture(quadrants.coded("alpha.webp")))
    quadrants.expect(trial, "photo.webp", data, tolerance=12)


@report("https://github.com/mautrix/whatsapp/issues/549", "https://github.com/brendan-duncan/image/issues/7",
        "An animated sticker: its first frame is smaller than its canvas.",
        right="The first frame in its place, transparent elsewhere.", before="right")
def animated_sticker(trial):
    part = riff.picture(quadrants.coded("lossless.webp"))
    frame = b"".join(value.to_bytes(3, "little") for value in (16, 16, 63, 63, 100)) + b"\0" + b"".join(part)
    path = trial.folder / "photo.webp"
    animation = riff.chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")
    path.write_bytes(riff.webp(riff.canvas(128, 128, 2 | 16), animation, riff.chunk(b"ANMF", frame), riff.chunk(b"ANMF", frame)))
    wanted = {(.3, .3): quadrants.RED, (.7, .3): quadrants.GREEN, (.3, .7): quadrants.BLUE, (.7, .7): quadrants.YELLOW,
              (.5, .1): (0, 0, 0, 0)}
    pictures.expect_drawn(trial, path, wanted, tolerance=4)


@report("https://github.com/yocreoquesi/nukebg/issues/189", "The size in the file's head is 0, smaller than the picture, or larger than the file.",
        right="An error that says what is wrong: browsers do not show such a file either.", before="right")
def wrong_size_of_the_file(trial):
    for name, data in pictures_of():
        for size, word in ((0, "corrupt"), (len(data) - 8 + 2, "truncated"), (len(data) + 5000, "truncated")):
            quadrants.expect_refused(trial, f"{size}-{name}", riff.webp(*riff.picture(data), size=size), word)


@report("https://github.com/image-rs/image-webp/issues/38", "The file is cut off in the picture.",
        right="An error that says so.", before="right")
def webp_cut_off(trial):
    for name, data in pictures_of("lossy.webp", "lossless.webp", "alpha.webp"):
        quadrants.expect_refused(trial, name, data[:len(data) * 2 // 3], "truncated")


@report("https://github.com/telegramdesktop/tdesktop/issues/5374", "A photo has the name of another format.",
        right="The bytes decide.", before="right")
def name_of_another_format(trial):
    for name, source in (("a.webp", "quadrants.jpg"), ("b.jpg", "lossless.webp"), ("c.gif", "progressive.jpg"), ("d.png", "lossy.webp")):
        quadrants.expect(trial, name, quadrants.coded(source), tolerance=10)


@report("https://github.com/gohugoio/hugo/issues/14339", "https://github.com/python-pillow/Pillow/issues/8101",
        "https://github.com/lovell/sharp/issues/3869",
        "The round avatar of a photo in one strong colour is a lossy WebP.",
        right="That colour up to the edge: at most 2 levels beside it.", before="wrong")
def colour_at_the_edge(trial):
    for number, colour in enumerate(((255, 0, 0), (30, 60, 220), (20, 150, 60))):
        photo = trial.folder / f"{number}.png"
        photo.write_bytes(pictures.png([[colour] * 96] * 96))
        for side in ("48", "96"):
            output = trial.folder / f"{number}-{side}.webp"
            ended = trial.run("convert", photo, "-o", output, "--size", side)
            trial.require(f"converted ({ended.stderr[:200]!r})", ended.returncode == 0)
            avatar, text = pictures.draw(trial, output, "--size", side)
            shape, _ = pictures.draw(trial, photo, "--size", side)
            trial.require(f"drawn again ({text})", avatar is not None and shape is not None)
            if avatar is None or shape is None:
                continue
            worst = 0
            for ours, theirs in zip(avatar.rows, shape.rows):
                for at in range(0, len(theirs), 4):
                    # On a ground of the photo's colour. Drawn again, a pixel has alpha twice.
                    worst = max(worst, *(abs(a - b) * theirs[at + 3] / 255 for a, b in zip(ours[at:at + 3], colour) if ours[at + 3] >= 8), 0)
            trial.require(f"{colour} at {side} differs by {worst:.1f} levels at most", worst <= 2)


@report("https://github.com/SixLabors/ImageSharp/issues/3010", "The last chunk behind the picture states more bytes than there are, or fewer.",
        right="The picture, as in browsers: nothing of it is shown.", before="right")
def wrong_sizes_of_later_chunks(trial):
    exif = jpegs.tiff([(0x0112, 3, 1)])
    for name, data in pictures_of("lossy.webp", "lossless.webp"):
        for size, body in ((5000, exif), (4, exif), (0xFFFFFFFF, b""), (3, b"own")):
            chunks = [riff.canvas(64, 64, 8), *riff.picture(data), b"EXIF" + struct.pack("<I", size) + body]
            quadrants.expect(trial, f"{size}-{name}", riff.webp(*chunks), tolerance=10)


@report("https://github.com/hMatoba/Piexif/issues/145", "The canvas is larger or smaller than the picture, or a frame lies beyond it.",
        right="An error, as in Chromium; the first frame of an animation may be smaller.", before="right")
def canvas_of_another_size(trial):
    for name, data in pictures_of("lossy.webp", "lossless.webp"):
        for side in (32, 80):
            quadrants.expect_refused(trial, f"{side}-{name}", riff.webp(riff.canvas(side, side), *riff.picture(data)), "corrupt", "canvas")
