"""Tables of JPEG files, the numbers by which they are chosen, and where coded data end."""
import struct

from support import jpegs, plain_jpegs, quadrants
from support.report import report

GITHUB = "https://github.com/"
PLAIN = [(2, 2), (1, 1), (1, 1)]
SEQUENTIAL, PROGRESSIVE = ("quadrants.jpg", "large.jpg"), ("progressive.jpg", "large-progressive.jpg")


def each(trial, change, *names):
    """`change` takes the bytes of a file and gives those of the photo; small and large, they take different ways."""
    for name in names or SEQUENTIAL + PROGRESSIVE:
        quadrants.expect(trial, name, change(quadrants.coded(name)), tolerance=14)


def scans(data):
    """What stands before the first scan, and each scan with the tables before it."""
    places = [place for place in range(len(data)) if data[place:place + 2] == b"\xff\xda"] + [len(data) - 2]
    starts = [places[0]]
    for place in places[1:-1]:
        # Tables between scans belong to the second one.
        table = data.find(b"\xff\xc4", starts[-1], place)
        starts.append(place if table < 0 else table)
    return data[:places[0]], [data[start:end] for start, end in zip(starts, starts[1:] + [len(data) - 2])]


@report(GITHUB + "mozilla/pdf.js/pull/8170", "A comment or an application segment has the length 0 or 1, which is less than the length itself.",
        right="The picture, as in browsers: such a segment is empty, and readers look for the next marker.", before="wrong")
def lengths_that_do_not_count_themselves(trial):
    for length in (0, 1):
        added = b"".join(struct.pack(">BBH", 0xFF, marker, length) for marker in (0xFE, 0xE5, 0xE1, 0xE2))
        each(trial, lambda data: data[:2] + added + data[2:])
    # Those of tables are needed.
    data = quadrants.coded("quadrants.jpg")
    place = data.index(b"\xff\xdb")
    quadrants.expect_refused(trial, "table.jpg", data[:place + 2] + b"\0\0" + data[place + 4:], "corrupt")


@report(GITHUB + "OpenIPC/smolrtsp/pull/61", GITHUB + "Bodmer/JPEGDecoder/issues/39", GITHUB + "danbooru/danbooru/issues/3960",
        "The coded data end at a marker in the middle: restarts without their interval, a lost part, or the begin of another file.",
        right="An error that says so, as where the file ends there: what follows would be gray. Below the shown part, the picture.", before="wrong")
def data_that_end_at_a_marker(trial):
    restarts = jpegs.without(quadrants.coded("restarts.jpg"), 0xDD)
    quadrants.expect_refused(trial, "no-interval.jpg", restarts, "truncated")
    for name in SEQUENTIAL:
        data = quadrants.coded(name)
        start = data.index(b"\xff\xda")
        for number, rest in enumerate((b"\xff\xd0" + data[-400:], data)):
            quadrants.expect_refused(trial, f"{number}-{name}", data[:start + (len(data) - start) // 2] + rest, "truncated")
    # The first scan, which has what all others refine, and the one of a colour; scans of details may be damaged.
    for name in PROGRESSIVE:
        before, parts = scans(quadrants.coded(name))
        half = parts[0][:len(parts[0]) // 2]
        quadrants.expect_refused(trial, f"first-{name}", before + half + b"".join(parts[1:]) + b"\xff\xd9", "truncated")
        half = parts[4][:len(parts[4]) - 6]
        quadrants.expect(trial, f"later-{name}", before + b"".join(parts[:4]) + half + b"".join(parts[5:]) + b"\xff\xd9", tolerance=20)
    # 300 of 400 rows are shown at most.
    tall = plain_jpegs.jpeg(plain_jpegs.colours(PLAIN), 400)
    height = tall.index(b"\xff\xc0") + 5
    tall = tall[:height] + struct.pack(">H", 600) + tall[height + 2:]
    quadrants.expect(trial, "below.jpg", tall[:-2] + b"\xff\xd3" + tall[-2:], [quadrants.RED, quadrants.GREEN, quadrants.BLUE, quadrants.YELLOW],
                     "--crop", "top")


@report(GITHUB + "whoozle/android-file-transfer-linux/issues/13", GITHUB + "jpilet/anemomind/issues/738",
        "A file has its full size, and zeros in place of what a transfer or a crash did not bring.",
        right="An error that says so, or the less sharp picture of a progressive file, as if it ended there: zeros are codes, and draw something.",
        before="wrong")
def zeros_in_place_of_the_rest(trial):
    for name in SEQUENTIAL + ("gray.jpg", "restarts.jpg"):
        data = quadrants.coded(name)
        start = data.index(b"\xff\xda")
        quadrants.expect_refused(trial, name, data[:start + (len(data) - start) // 2] + bytes(60000), "truncated")
    for name in PROGRESSIVE:
        before, parts = scans(quadrants.coded(name))
        quadrants.expect_warned(trial, name, before + b"".join(parts[:4]) + parts[4][:9] + bytes(60000), "warning")
    # All is there.
    each(trial, lambda data: data + bytes(60000))
    each(trial, lambda data: data[:-2] + bytes(60000))


@report(GITHUB + "nothings/stb/pull/419", "Components have other numbers than 1, 2 and 3: from 0 on, letters, or a multiple of 4 for the first one.",
        right="The picture: numbers mean nothing but for R, G and B.", before="right")
def numbers_of_components(trial):
    for numbers in ((0, 1, 2), tuple(b"YUV"), (140, 2, 3), (34, 35, 36), (1, 34, 35), (255, 254, 253), tuple(b"rgb")):
        for side, progressive in ((64, True), (400, False)):
            data = plain_jpegs.jpeg(plain_jpegs.colours(PLAIN, numbers), side, progressive=progressive)
            quadrants.expect(trial, f"{numbers[0]}-{side}.jpg", data)


@report(GITHUB + "haraldk/TwelveMonkeys/issues/323", "Several components have one number.",
        right="The picture, as in Chromium: they are meant in their order.", before="right")
def components_of_one_number(trial):
    def renumbered(data, numbers):
        place, data = data.index(b"\xff\xc0") + 10, bytearray(data)
        known = [data[place + 3 * index] for index in range(3)]
        for index, number in enumerate(numbers):
            data[place + 3 * index] = number
        scan = data.index(b"\xff\xda") + 5
        for index in range(3):
            data[scan + 2 * index] = numbers[known.index(data[scan + 2 * index])]
        return bytes(data)
    for numbers in ((1, 1, 1), (0, 0, 0), (1, 2, 2), (1, 2, 1)):
        each(trial, lambda data: renumbered(data, numbers), *SEQUENTIAL, "restarts.jpg")


@report(GITHUB + "image-rs/jpeg-decoder/issues/40", GITHUB + "nothings/stb/pull/420",
        "Tables of quantisation have 16 bits, which the standard forbids for samples of 8.", right="The picture, as in browsers.", before="right")
def wide_tables_of_quantisation(trial):
    def wide(tables):
        parts = [tables[at:at + 65] for at in range(0, len(tables), 65)]
        return b"".join(bytes([part[0] | 0x10]) + struct.pack(">64H", *part[1:]) for part in parts)
    each(trial, lambda data: jpegs.changed(data, 0xDB, wide))


@report(GITHUB + "libjxl/libjxl/issues/3486", GITHUB + "etemesi254/zune-image/issues/10",
        "Tables of quantisation stand behind the frame header that names them, or behind those of the codes.",
        right="The picture: they are needed before the scan.", before="right")
def tables_behind_the_frame(trial):
    def late(data):
        segments, rest = jpegs.split(data)
        return jpegs.join(sorted(segments, key=lambda part: part[0] == 0xDB), rest)
    each(trial, late)


@report(GITHUB + "etemesi254/zune-image/pull/333", GITHUB + "tayloraswift/swift-jpeg/pull/32", GITHUB + "etemesi254/zune-image/pull/453",
        "Tables of quantisation and of codes stand between scans, before the component that needs them.",
        right="The picture: a component has the table that is in effect in its first scan.", before="right")
def tables_between_scans(trial):
    for side in (64, 400):
        for factors in (PLAIN, [(1, 1)] * 3):
            data = plain_jpegs.jpeg(plain_jpegs.colours(factors), side, scans=[[0], [1], [2]])
            before, parts = scans(data)
            quantisers = jpegs.segment(0xDB, b"\0" + b"\x08" * 64)
            codes = jpegs.segment(0xC4, plain_jpegs.table(0x00, range(plain_jpegs.CATEGORIES), 4) + plain_jpegs.table(0x10, [0], 1))
            quadrants.expect(trial, "again.jpg", before + (quantisers + codes).join(parts) + b"\xff\xd9")
            # The first scan has its own, and the others theirs before them.
            other = jpegs.segment(0xDB, b"\0" + b"\x10" * 64)
            quadrants.expect(trial, "late.jpg", before + parts[0] + codes + parts[1] + parts[2] + other + b"\xff\xd9")


@report(GITHUB + "golang/go/issues/19913", GITHUB + "richgel999/picojpeg/pull/12",
        "Tables have the numbers 2 and 3, in files with the process that permits two.", right="The picture, as in browsers.", before="right")
def tables_two_and_three(trial):
    def moved(data):
        segments, rest = jpegs.split(data)
        parts = []
        for marker, body in segments:
            body = bytearray(body)
            if marker == 0xDB:
                for at in range(0, len(body), 65):
                    body[at] += 2
            if marker in (0xC0, 0xC2):
                for at in range(8, len(body), 3):
                    body[at] += 2
            parts.append((marker, bytes(body)))
        return jpegs.join(parts, rest)

    def recoded(data):
        segments, rest = jpegs.split(data)
        parts = []
        for marker, body in segments:
            body, at = bytearray(body), 0
            while marker == 0xC4 and at < len(body):
                body[at] += 2
                at += 17 + sum(body[at + 1:at + 17])
            parts.append((marker, bytes(body)))
        rest = bytearray(rest)
        for index in range(rest[4]):
            rest[6 + 2 * index] += 0x22
        return jpegs.join(parts, bytes(rest))
    each(trial, moved)
    each(trial, recoded, *SEQUENTIAL, "restarts.jpg")


@report(GITHUB + "mozilla/mozjpeg/issues/29", GITHUB + "imazen/zenjpeg/issues/43",
        "The scans of a progressive file come in an order of their own: all of the brightness before any colour, and another interval of restarts for each.",
        right="The picture in colour.", before="right")
def orders_of_scans(trial):
    for side in (64, 400):
        for first, rest in (([[0], [1, 2]], (0, 2, 1, 3, 4)), ([[0], [1], [2]], (0, 3, 1, 4, 2, 5))):
            before, parts = scans(plain_jpegs.jpeg(plain_jpegs.colours(PLAIN), side, scans=first, progressive=True))
            quadrants.expect(trial, f"{side}.jpg", before + b"".join(parts[index] for index in rest) + b"\xff\xd9")
            # Without restarts in a scan, its interval is larger than the scan.
            intervals = [jpegs.segment(0xDD, struct.pack(">H", each)) for each in (0, 60000, 0, 50000, 0, 40000)]
            mixed = b"".join(interval + parts[index] for interval, index in zip(intervals, rest))
            quadrants.expect(trial, f"intervals-{side}.jpg", before + mixed + b"\xff\xd9")


@report(GITHUB + "golang/go/issues/54997", GITHUB + "libjpeg-turbo/libjpeg-turbo/issues/323", GITHUB + "libjpeg-turbo/libjpeg-turbo/issues/436",
        GITHUB + "SerenityOS/serenity/issues/21259",
        "Each colour has factors of its own, brightness three or four samples a colour's, or inks a half of them.",
        right="The picture; an error that names them where no whole number of samples is one of another component, as in browsers.", before="right")
def factors_of_each_component(trial):
    samplings = {"own": [(2, 2), (1, 1), (1, 2)], "crossed": [(2, 2), (1, 2), (2, 1)], "two": [(2, 1)] * 3, "three": [(3, 1), (1, 1), (1, 1)],
                 "high": [(1, 3), (1, 1), (1, 1)], "six": [(3, 2), (1, 1), (1, 1)], "tall": [(2, 4), (1, 1), (1, 1)], "four": [(4, 1), (2, 1), (2, 1)]}
    for name, factors in samplings.items():
        for side, more in ((400, {}), (400, {"progressive": True}), (64, {"scans": [[0], [1], [2]]})):
            quadrants.expect(trial, f"{name} {side}.jpg", plain_jpegs.jpeg(plain_jpegs.colours(factors), side, **more))
    for factors in ([(3, 1), (2, 1), (2, 1)], [(2, 1), (3, 1), (3, 1)]):
        quadrants.expect_refused(trial, "odd.jpg", plain_jpegs.jpeg(plain_jpegs.colours(factors)), "unsupported", "fractional")
    planes = [*map(plain_jpegs.at_quadrant, zip(*quadrants.UPRIGHT)), lambda x, y: 255]
    for pairs in ([(2, 2), (1, 1), (1, 1), (2, 2)], [(2, 2), (1, 1), (1, 1), (1, 1)], [(1, 1)] * 4):
        inks = [plain_jpegs.Component(number, *pair, value) for number, (pair, value) in enumerate(zip(pairs, planes), 1)]
        quadrants.expect(trial, "inks.jpg", plain_jpegs.jpeg(inks, 400, before=[jpegs.adobe(0)]))
