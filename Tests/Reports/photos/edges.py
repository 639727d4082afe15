"""What is seen at the edges of transparent photos, whatever the size of the avatar."""
from support import pictures
from support.report import report

GITHUB = "https://github.com/"
RED = (220, 40, 40)


def expect_colour(trial, name, pixels, size, *options, within=2, inside=None):
    """All that is seen of the avatar, or of it inside of this radius, has the colour; returns it."""
    path = trial.folder / f"{name}.png"
    path.write_bytes(pictures.png(pixels, color_type=6))
    avatar, text = pictures.draw(trial, path, "--size", size, *options)
    trial.require(f"{name} is drawn ({text})", avatar is not None)
    half = size / 2
    for y, row in enumerate(avatar.rows if avatar else ()):
        for x in range(size):
            red, green, blue, alpha = row[4 * x:4 * x + 4]
            is_inside = inside is None or (x + 0.5 - half) ** 2 + (y + 0.5 - half) ** 2 < inside ** 2
            if alpha >= 16 and is_inside and max(abs(red - RED[0]), abs(green - RED[1]), abs(blue - RED[2])) > within:
                trial.require(f"{name} at {size} is red at {x}, {y}, not {(red, green, blue, alpha)}", False)
    return avatar


@report(GITHUB + "hummingbird-me/kitsu-tools/issues/568", GITHUB + "silentroach/twic3-archived/issues/31",
        "A logo is transparent around, and is cut off by the circle, or by the ring without a gap; what is hidden is black, white or green.",
        right="No dark or bright line beside the logo, under the circle or under the ring, at any size.", before="right")
def logos_at_all_sizes(trial):
    for size, hidden in ((32, (0, 0, 0)), (48, (255, 255, 255)), (96, (0, 255, 0)), (144, (0, 0, 0)), (256, (255, 255, 255))):
        def pixel(x, y):
            # A bar that leaves the circle, with soft ends and hard sides.
            soft = max(0, min(255, 255 * (150 - abs(x - 150)) // 30))
            return (*RED, soft) if abs(y - 150) < 60 and soft else (*hidden, 0)
        pixels = [[pixel(x, y) for x in range(300)] for y in range(300)]
        expect_colour(trial, "bar", pixels, size, within=3)
        ring = ("--state", "selected", "--ring-color", "#00ff00", "--ring-width", size // 16, "--ring-gap", "0")
        expect_colour(trial, "ringed", pixels, size, *ring, within=3, inside=size / 2 - size // 16 - 1)


@report(GITHUB + "tuskyapp/Tusky/pull/3874", GITHUB + "threema-ch/threema-web/issues/901",
        "A photo is half transparent all over, is not square, and lies on a page or on a colour.",
        right="As transparent as it is, in its own colour up to the edge; nothing of it is transparent on a colour.", before="right")
def half_transparent_photos(trial):
    for size in (32, 96, 256):
        avatar = expect_colour(trial, "half", [[(*RED, 128)] * 90] * 60, size)
        trial.expect(f"at {size}: transparency", {avatar.at(x, y)[3] for x, y in ((.5, .5), (.2, .5), (.5, .9))}, {128})
        shown, text = pictures.draw(trial, trial.folder / "half.png", "--size", size, "--background", "#0000ff")
        trial.require(f"drawn on a colour ({text})", shown is not None)
        trial.expect(f"at {size}: on a colour", {shown.at(x, y) for x, y in ((.5, .5), (.2, .5), (.5, .9))}, {(110, 20, 147, 255)})
