"""Which picture of a HEIC or AVIF is shown, and which way up; pictures of WebP and GIF beside others."""
from support import gifs, jpegs, pictures, profiles, quadrants, riff
from support.heif import alpha, clap, heif, imir, irot, ispe, picture
from support.report import report

KINDS = {"heic": (b"heic", b"mif1"), "avif": (b"avif", b"mif1", b"miaf")}


def turned(colours, steps):
    """The quadrants after each step: quarters counter-clockwise, or an axis."""
    for kind, value in steps:
        a, b, c, d = colours
        if kind == "mirror":
            colours = (c, d, a, b) if value == 0 else (b, a, d, c)
        for _ in range(value if kind == "turn" else 0):
            a, b, c, d = colours
            colours = (b, d, a, c)
    return colours


@report("https://github.com/openclaw/rastermill/pull/2", "https://github.com/openize-com/openize-heic-net/pull/13",
        "https://github.com/strukturag/libheif/issues/1026",
        "A selfie is turned and mirrored, in either order and about either axis.",
        right="As the properties say, one after the other in their order.", before="right")
def turned_and_mirrored(trial):
    for kind, brands in KINDS.items():
        for quarters in range(4):
            for axis in (0, 1):
                steps = [("turn", quarters), ("mirror", axis)]
                boxes = [irot(quarters), imir(axis)]
                for order in (1, -1):
                    data = heif(picture(f"quadrants.{kind}", *boxes[::order]), brands=brands)
                    name = f"{quarters}{axis}{'mirrored-first' if order < 0 else ''}.{kind}"
                    quadrants.expect(trial, name, data, turned(quadrants.UPRIGHT, steps[::order]))


@report("https://github.com/strukturag/libheif/issues/1131", "The rotation is listed before the size.",
        right="Turned: the size is that of what is coded.", before="right")
def rotation_before_the_size(trial):
    for kind, brands in KINDS.items():
        item = picture(f"quadrants.{kind}", irot(3), ispe(64, 64), without=(b"ispe",))
        quadrants.expect(trial, f"first.{kind}", heif(item, brands=brands), quadrants.TURNED)


@report("https://github.com/ecency/imagehoster/issues/43", "https://github.com/fazer-ai/agents/pull/707",
        "https://github.com/alexcorvi/heic2any/issues/8",
        "A file has several pictures, as those of a burst, and the primary one is not the first.",
        right="The primary picture.", before="right")
def primary_picture_of_several(trial):
    others = [picture(f"{name}.heic") for name in ("red", "green")]
    quadrants.expect(trial, "burst.heic", heif(*others, picture("quadrants.heic"), primary=3))


@report("https://github.com/nokiatech/heif_conformance/issues/5", "The primary picture is marked as hidden.",
        right="The picture: a file shows its primary one.", before="right")
def hidden_primary_picture(trial):
    for kind, brands in KINDS.items():
        quadrants.expect(trial, f"hidden.{kind}", heif(picture(f"quadrants.{kind}", hidden=True), brands=brands))


@report("https://github.com/strukturag/libheif/issues/1406", "A camera's thumbnail has black bars, and other proportions.",
        right="The picture itself, at any size.", before="right")
def thumbnail_of_another_shape(trial):
    bars = picture("blue.heic", clap(64, 48, 0, 8, of=(64, 64)), references=((b"thmb", (1,)),))
    for size in ("16", "96"):
        quadrants.expect(trial, f"{size}.heic", heif(picture("quadrants.heic"), bars), quadrants.UPRIGHT, "--size", size)


@report("https://github.com/Xanashi/Icaros/issues/153", "The transparency stands before the picture that it belongs to.",
        right="The picture, transparent, and not its white mask.", before="right")
def transparency_before_the_picture(trial):
    first = picture("transparent.heic")
    plain = heif(first, alpha("transparent.heic", of=(1,)))
    swapped = heif(alpha("transparent.heic", of=(2,)), first, primary=2)
    seen = [shown(trial, name, data) for name, data in (("first.heic", plain), ("second.heic", swapped))]
    trial.expect("pixels", seen[1], seen[0])
    trial.require(f"transparent: {seen[0]}", any(pixel[3] < 255 for pixel in seen[0]))


def shown(trial, name, data):
    path = trial.folder / name
    path.write_bytes(data)
    avatar, text = pictures.draw(trial, path)
    return [avatar.at(*place) for place in quadrants.points(quadrants.UPRIGHT)] if avatar else text


@report("https://github.com/deckerst/aves/issues/1974", "https://github.com/IacobIonut01/ReFra/issues/1060",
        "https://github.com/xiaozhuai/imageinfo-rs/issues/3",
        "The file says first that it is a sequence, and has a picture, too.", right="The picture.", before="right")
def sequence_with_a_picture(trial):
    quadrants.expect(trial, "a.avif", heif(picture("quadrants.avif"), brands=(b"avis", b"avif", b"msf1", b"iso8", b"mif1")))
    quadrants.expect(trial, "a.heic", heif(picture("quadrants.heic"), brands=(b"hevc", b"msf1", b"heic", b"mif1")))


@report("https://github.com/photoview/photoview/issues/1020", "https://github.com/sylikc/jpegview/issues/148",
        "https://github.com/image-rs/image/pull/1923", "A WebP has a profile of Display P3.",
        right="Its colours, as those of the same picture as a JPEG: neither paler nor stronger.", before="right")
def profile_of_a_webp(trial):
    profile = profiles.display_p3()
    photo = riff.webp(riff.canvas(64, 64, 32), riff.chunk(b"ICCP", profile), *riff.picture(quadrants.coded("lossless.webp")))
    same = jpegs.insert(quadrants.coded("quadrants.jpg"), *jpegs.icc(profile))
    webp, jpeg, plain = (shown(trial, *each) for each in (
        ("wide.webp", photo), ("wide.jpg", same), ("plain.webp", quadrants.coded("lossless.webp"))))
    near = all(abs(a - b) <= 6 for one, other in zip(webp, jpeg) for a, b in zip(one, other))
    trial.require(f"{webp} as {jpeg}", near)
    trial.require(f"{webp} is not {plain}", any(abs(a - b) > 6 for one, other in zip(webp, plain) for a, b in zip(one, other)))


@report("https://github.com/python-pillow/Pillow/pull/5391", "https://github.com/buzzfeed/libgif-js/pull/18",
        "https://github.com/XamlAnimatedGif/XamlAnimatedGif/issues/29", "https://github.com/matt-way/gifuct-js/issues/18",
        "The first frame shall be disposed of in each way, also in one that is not defined, or no block says how.",
        right="The first frame: what happens to it later does not matter.", before="right")
def disposals_of_the_first_frame(trial):
    rows = [[(2 * x >= 64) + 2 * (2 * y >= 64) for x in range(64)] for y in range(64)]
    start, rest = gifs.screen(64, 64, quadrants.UPRIGHT), gifs.image([[0] * 64] * 64) + gifs.TRAILER
    for method in range(8):
        block = b"\x21\xf9\x04" + bytes([method << 2, 10, 0, 0, 0])
        quadrants.expect(trial, f"{method}.gif", start + block + gifs.image(rows) + block + rest)
    quadrants.expect(trial, "none.gif", start + gifs.image(rows) + gifs.control() + rest)
