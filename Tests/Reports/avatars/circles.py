"""Photos in circles: small and long ones, and the edge of the circle."""
import math

from support import jpegs, pictures, quadrants
from support.report import report

RED, WHITE = (200, 30, 30), (255, 255, 255)


def photo(trial, name, pixels, color_type=2):
    path = trial.folder / name
    path.write_bytes(pictures.png(pixels, color_type=color_type))
    return path


@report("https://github.com/venueless/venueless/issues/135", "https://github.com/requarks/wiki-v1/pull/242",
        "A photo is smaller than its avatar: 1, 2, 8 or 16 pixels a side, or one pixel high.",
        right="The avatar in its full size, in the colours of the photo.", before="right")
def tiny_photos(trial):
    for width, height in ((1, 1), (2, 2), (8, 8), (16, 16), (40, 1), (1, 40)):
        path = photo(trial, f"{width}x{height}.png", [[RED] * width] * height)
        avatar, text = pictures.draw(trial, path, "--size", "64")
        trial.require(f"{path.name} is drawn ({text})", avatar is not None)
        if avatar:
            trial.expect(f"{path.name}: sides", (avatar.width, avatar.height), (64, 64))
            trial.expect(f"{path.name}: colours", {avatar.at(x, y) for x, y in ((0.5, 0.5), (0.1, 0.5), (0.5, 0.9))}, {(*RED, 255)})


@report("https://github.com/nextcloud/gallery/issues/19", "https://github.com/opencloud-eu/web/issues/1080",
        "https://github.com/TangoAgency/avatar-view/issues/24", "https://github.com/artifacthub/hub/issues/1357",
        "A photo is a panorama, or a tall screenshot.",
        right="Its middle, neither squeezed nor blurred: a pattern of squares stays one.", before="right")
def panoramas_and_tall_photos(trial):
    for width, height in ((960, 96), (96, 960), (300, 96), (96, 300)):
        def pixel(x, y):
            across, down = x - (width - 96) // 2, y - (height - 96) // 2
            return WHITE if (across // 24 + down // 24) % 2 else (0, 0, 0)
        path = photo(trial, f"{width}x{height}.png", [[pixel(x, y) for x in range(width)] for y in range(height)])
        points = {((24 * i + 12) / 96, (24 * j + 12) / 96): WHITE if (i + j) % 2 else (0, 0, 0) for i in (1, 2) for j in (0, 1, 2, 3)}
        pictures.expect_drawn(trial, path, points, "--size", "96", "--crop", "centre")


@report("https://github.com/igreenwood/SimpleCropView/issues/167", "https://github.com/mosch/react-avatar-editor/issues/309",
        "https://github.com/mozilla/fxa-profile-server/issues/299",
        "A photo without transparency is cut to a circle.",
        right="The corners are transparent, and colourless.", before="right")
def corners_are_transparent(trial):
    avatar, text = pictures.draw(trial, photo(trial, "photo.png", [[RED] * 64] * 64), "--size", "64")
    trial.require(f"drawn ({text})", avatar is not None)
    if avatar:
        trial.expect("corners", {avatar.at(x, y) for x in (0, 0.999) for y in (0, 0.999)}, {(0, 0, 0, 0)})


@report("https://github.com/weserv/images/issues/245",
        "A white photo is cut to a circle, and lies on a white page.",
        right="No line is seen around it: each pixel of the edge is white, more or less transparent.", before="right")
def white_photos_on_white_pages(trial):
    for color_type, pixel in ((2, WHITE), (6, (*WHITE, 255)), (0, (255,))):
        avatar, text = pictures.draw(trial, photo(trial, f"white-{color_type}.png", [[pixel] * 80] * 80, color_type), "--size", "44")
        trial.require(f"drawn ({text})", avatar is not None)
        if avatar:
            seen = {tuple(row[at:at + 3]) for row in avatar.rows for at in range(0, len(row), 4) if row[at + 3]}
            trial.expect(f"colours of type {color_type}", seen, {WHITE})


@report("https://github.com/tracim/tracim/issues/4487", "https://github.com/trigg/Discover/issues/36",
        "https://github.com/Intervention/image/issues/223", "https://github.com/jsfiddle/togetherjs/issues/77",
        "The edge of the circle is looked at closely, at small sizes too.",
        right="Smooth: the pixels of the edge cover as much as the disc covers of them.", before="right")
def edges_are_smooth(trial):
    path = photo(trial, "photo.png", [[RED] * 96] * 96)
    for size in (16, 33, 64):
        avatar, text = pictures.draw(trial, path, "--size", size)
        trial.require(f"drawn ({text})", avatar is not None)
        if avatar is None:
            continue
        rows = [[row[4 * x + 3] for x in range(size)] for row in avatar.rows]
        covered = sum(map(sum, rows)) / 255
        trial.require(f"at {size} the disc covers {covered:.1f} pixels", abs(covered - math.pi * size * size / 4) < 0.02 * size)
        trial.expect(f"at {size}: symmetry", rows, [row[::-1] for row in rows[::-1]])
        trial.require(f"at {size} the edge has many levels", len({value for row in rows for value in row}) >= 8)


@report("https://github.com/facebook/fresco/issues/2183", "https://github.com/vaga/hugo-theme-m10c/issues/22",
        "https://github.com/ppy/osu/pull/23853",
        "A photo has a ring around it, on a page of any colour.",
        right="The gap shows the page all around, and the photo has the place that it has without the ring.", before="right")
def ring_with_a_gap(trial):
    path = photo(trial, "photo.png", [[RED] * 96] * 96)
    style = "--size", "96", "--ring-width", "6", "--ring-gap", "6", "--ring-color", "#00ff00"
    alphas = []
    for state in ("selected", "normal"):
        avatar, text = pictures.draw(trial, path, *style, "--state", state)
        trial.require(f"drawn ({text})", avatar is not None)
        alphas.append(avatar)
    selected, normal = alphas
    for step in range(0, 360, 5):
        across, down = math.cos(math.radians(step)), math.sin(math.radians(step))

        def at(avatar, radius):
            return avatar.at(0.5 + radius * across / 96, 0.5 + radius * down / 96)
        trial.expect(f"ring, gap and photo at {step} degrees",
                     (at(selected, 45), at(selected, 39), at(selected, 33), at(normal, 45), at(normal, 33)),
                     ((0, 255, 0, 255), (0, 0, 0, 0), (*RED, 255), (0, 0, 0, 0), (*RED, 255)))


@report("https://github.com/element-hq/element-web/issues/16222", "https://github.com/mozilla/community-portal/issues/749",
        "https://github.com/stacks-archive/blockstack-browser/issues/1952", "https://github.com/amiantos/lurker/issues/516",
        "A photo says where, when and by which camera it was taken.",
        right="Nothing of it is in the avatar.", before="right")
def places_and_cameras_of_photos(trial):
    words = b"Camera of Ada", b"52.5200N"
    segments = (0xE1, b"Exif\0\0" + jpegs.tiff([(0x0112, 3, 1)]) + b"".join(words)), (0xFE, b" ".join(words))
    photos = {"photo.jpg": jpegs.insert(quadrants.coded("quadrants.jpg"), *segments),
              "photo.png": pictures.png([[RED] * 64] * 64, pictures.chunk(b"tEXt", b"Comment\0" + b" ".join(words)),
                                        pictures.chunk(b"eXIf", jpegs.tiff([(0x0112, 3, 1)]) + b"".join(words)))}
    for name, data in photos.items():
        (trial.folder / name).write_bytes(data)
        for ending in ("png", "webp"):
            output = trial.folder / f"{name}.{ending}"
            trial.expect(f"{output.name}: status", trial.run("convert", trial.folder / name, "-o", output, "--size", "48").returncode, 0)
            found = output.read_bytes()
            trial.expect(f"{output.name}: words", [word for word in (*words, b"eXIf", b"EXIF", b"Exif") if word in found], [])
