"""JPEG files as cameras, scanners and editors write them: markers, tables, scans and what stands between them."""
import struct

from support import jpegs, pictures, quadrants
from support.report import report


def each(trial, change, *names, tolerance=8):
    """`change` takes the bytes of a file and gives those of the photo; small and large, they take different ways."""
    for name in names or ("quadrants.jpg", "large.jpg"):
        quadrants.expect(trial, name, change(quadrants.coded(name)), tolerance=max(tolerance, 14 if "large" in name else 8))


def in_scan(data, place, added):
    """With bytes added at this fraction of the entropy-coded data."""
    segments, rest = jpegs.split(data)
    start = jpegs.scan_data(rest)
    at = start + int((len(rest) - start) * place)
    return jpegs.join(segments, rest[:at] + added + rest[at:])


def before_restarts(data, added):
    """With bytes added before each restart marker."""
    segments, rest = jpegs.split(data)
    start = jpegs.scan_data(rest)
    body, place = bytearray(rest[:start]), start
    while place < len(rest):
        if rest[place] == 0xFF and place + 1 < len(rest) and 0xD0 <= rest[place + 1] <= 0xD7:
            body += added
        body.append(rest[place])
        place += 1
    return jpegs.join(segments, bytes(body))


@report("https://github.com/image-rs/jpeg-decoder/pull/100", "https://github.com/nothings/stb/issues/952",
        "A scanner adds many bytes before each restart marker.",
        right="The whole picture: decoders skip to the marker.", before="right")
def many_bytes_before_restart_markers(trial):
    each(trial, lambda data: before_restarts(data, b"\x55" * 600), "restarts.jpg")


@report("https://github.com/nothings/stb/pull/421", "https://github.com/LibrePDF/OpenPDF/pull/1247",
        "Fill bytes (FF) stand before markers, in the coded data, too.",
        right="The whole picture: B.1.1.2 permits any number of them.", before="right")
def fill_bytes_before_markers(trial):
    each(trial, lambda data: before_restarts(data, b"\xff\xff\xff"), "restarts.jpg")
    each(trial, lambda data: data[:-2] + b"\xff\xff\xff" + data[-2:])
    each(trial, lambda data: b"\xff\xd8" + b"\xff" * 5 + data[2:])


@report("https://github.com/nothings/stb/pull/422", "https://github.com/tesseract-ocr/tesseract/issues/103",
        "Bytes of a camera's own stand before the end marker.",
        right="The whole picture.", before="right")
def bytes_before_the_end_marker(trial):
    each(trial, lambda data: data[:-2] + b"\x7f\x00\x10" * 40 + data[-2:])


@report("https://github.com/richgel999/jpeg-compressor/issues/22", "https://github.com/mozilla/pdf.js/issues/11794",
        "A restart marker stands behind the last block, with or without an interval.",
        right="The whole picture: nothing follows that could restart.", before="right")
def restart_marker_behind_the_last_block(trial):
    for marker in (0xD0, 0xD1, 0xD7):
        each(trial, lambda data: data[:-2] + bytes([0xFF, marker]) + data[-2:], "quadrants.jpg", "large.jpg", "restarts.jpg")


@report("https://github.com/jpeg-js/jpeg-js/issues/81", "https://github.com/nothings/stb/issues/1182",
        "A camera writes data of its own behind the picture, which look like escaped bytes (FF 00).",
        right="The whole picture.", before="right")
def escaped_bytes_behind_the_picture(trial):
    own = bytes(range(1, 250)) * 3 + b"\xff\x00\x12" * 20
    each(trial, lambda data: data[:-2] + own + data[-2:])
    each(trial, lambda data: data + own)


@report("https://github.com/python-pillow/Pillow/issues/2717", "https://github.com/imazen/zenjpeg/issues/92",
        "The last scans of a progressive file are missing, with an end marker or without it.",
        right="The picture, less sharp: the scans before them cover all of it.", before="right")
def last_scans_are_missing(trial):
    for name in ("progressive.jpg", "large-progressive.jpg"):
        data = quadrants.coded(name)
        scans = [place for place in range(len(data)) if data[place:place + 2] == b"\xff\xda"]
        for number in (5, 7):
            part = data[:scans[number]]
            quadrants.expect(trial, f"{number}-cut-{name}", part, tolerance=14)
            quadrants.expect(trial, f"{number}-{name}", part + b"\xff\xd9", tolerance=14)


@report("https://github.com/xiaozhuai/imageinfo/issues/4", "https://github.com/haraldk/TwelveMonkeys/issues/74",
        "Bytes that belong to nothing stand between the segments; a comment has one byte.",
        right="The whole picture: readers look for the next marker.", before="right")
def bytes_between_segments(trial):
    def junk(data):
        segments, rest = jpegs.split(data)
        return b"\xff\xd8" + b"".join(jpegs.segment(*part) + b"\x0a" * 7 for part in segments) + rest
    each(trial, junk)
    each(trial, lambda data: jpegs.insert(data, (0xFE, b"!"), (0xFE, b"")))


@report("https://github.com/libjpeg-turbo/libjpeg-turbo/issues/157", "https://github.com/Motion-Project/motion/issues/65",
        "A webcam begins its frame with two start markers.",
        right="The picture: Firefox and the camera's own program show it.", before="wrong")
def two_start_markers(trial):
    each(trial, lambda data: b"\xff\xd8" + data)


@report("https://github.com/opencloud-eu/opencloud/issues/1280", "https://github.com/lovell/sharp/issues/1578",
        "A Samsung phone writes wrong spectral parameters into the scan of a baseline file.",
        right="The whole picture: the parameters have no meaning there.", before="right")
def wrong_scan_parameters(trial):
    def change(data):
        segments, rest = jpegs.split(data)
        end = jpegs.scan_data(rest)
        return jpegs.join(segments, rest[:end - 3] + b"\x00\x00\x00" + rest[end:])
    each(trial, change)


@report("https://github.com/etemesi254/zune-image/issues/136", "https://github.com/image-rs/jpeg-decoder/issues/76",
        "A webcam's frame has no Huffman tables.",
        right="The whole picture, with the tables of annex K.3, which such cameras mean.", before="right")
def no_huffman_tables(trial):
    # These files are coded with just those tables.
    each(trial, lambda data: jpegs.without(data, 0xC4))


@report("https://github.com/libjxl/libjxl/issues/3597", "A table segment without any table stands before some scans.",
        right="The whole picture: the tables before it stay.", before="right")
def empty_table_segments(trial):
    def change(data):
        place, result = data.index(b"\xff\xda"), bytearray(data)
        scans = [at for at in range(place, len(data) - 1) if data[at:at + 2] == b"\xff\xda"]
        for at in reversed(scans):
            result[at:at] = jpegs.segment(0xC4, b"")
        return bytes(result)
    each(trial, change)
    each(trial, change, "progressive.jpg", "large-progressive.jpg")


@report("https://github.com/SixLabors/ImageSharp/issues/18", "https://github.com/python-pillow/Pillow/issues/2038",
        "The end marker is missing.", right="The whole picture.", before="right")
def no_end_marker(trial):
    names = ("quadrants.jpg", "large.jpg", "progressive.jpg", "large-progressive.jpg", "arithmetic.jpg", "restarts.jpg")
    each(trial, lambda data: data[:-2], *names)


@report("https://github.com/libvips/libvips/issues/2309", "A photo is cut off in the middle by a broken upload.",
        right="An error that says so: half a face in gray is worse than initials.", before="right")
def cut_off_in_the_middle(trial):
    for name in ("quadrants.jpg", "large.jpg", "restarts.jpg"):
        data = quadrants.coded(name)
        start = data.index(b"\xff\xda")
        quadrants.expect_refused(trial, name, data[:start + (len(data) - start) // 2], "truncated")


@report("https://github.com/etemesi254/zune-image/pull/410", "https://github.com/lektor/lektor/pull/514",
        "A scanner states the height behind the scan (DNL), and 0 before it.",
        right="The whole picture, with the height of the DNL segment (B.2.5).", before="wrong")
def height_behind_the_scan(trial):
    def change(data):
        height = data[data.index(b"\xff\xc0") + 5:][:2]
        data = jpegs.changed(data, 0xC0, lambda frame: frame[:1] + b"\0\0" + frame[3:])
        return data[:-2] + jpegs.segment(0xDC, height) + data[-2:]
    each(trial, change, "quadrants.jpg", "large.jpg", "restarts.jpg")


@report("https://github.com/nothings/stb/pull/423", "A DNL segment states the height that is known already.",
        right="The whole picture.", before="right")
def height_stated_twice(trial):
    def change(data):
        height = data[data.index(b"\xff\xc0") + 5:][:2]
        return data[:-2] + jpegs.segment(0xDC, height) + data[-2:]
    each(trial, change)


@report("https://github.com/image-size/image-size/issues/434", "https://github.com/AcademySoftwareFoundation/OpenImageIO/pull/668",
        "The first segment is no application segment: neither JFIF nor Exif.",
        right="The whole picture.", before="right")
def no_application_segments(trial):
    each(trial, lambda data: jpegs.without(data, 0xE0))

    def frame_first(data):
        segments, rest = jpegs.split(data)
        return jpegs.join(sorted(segments, key=lambda part: part[0] != 0xC0), rest)
    each(trial, frame_first)


@report("https://github.com/etemesi254/zune-image/pull/358", "A progressive file has restart markers, and chroma of half resolution.",
        right="The whole picture in colour.", before="right")
def progressive_with_restarts(trial):
    each(trial, lambda data: data, "restarts-progressive.jpg")


@report("https://github.com/SixLabors/ImageSharp/issues/481", "A phone writes restart markers with wrong numbers.",
        right="The picture, with a warning: every viewer shows it.", before="right")
def wrong_restart_numbers(trial):
    data = bytearray(quadrants.coded("restarts.jpg"))
    places = [at for at in range(data.index(b"\xff\xda"), len(data) - 1) if data[at] == 0xFF and 0xD0 <= data[at + 1] <= 0xD7]
    data[places[2] + 1] ^= 1
    path = trial.folder / "restarts.jpg"
    path.write_bytes(data)
    avatar, text = pictures.draw(trial, path)
    trial.require(f"drawn ({text})", avatar is not None)
    trial.require(f"{text!r} warns", "damaged" in text)
    near = avatar is not None and max(abs(a - b) for a, b in zip(avatar.at(.3, .3), quadrants.RED)) <= 10
    trial.require("the part before the damage is right", near)


@report("https://github.com/imgproxy/imgproxy/pull/909", "The file is arithmetically coded.",
        right="The whole picture.", before="right")
def arithmetic_coding(trial):
    each(trial, lambda data: data, "arithmetic.jpg")


@report("https://github.com/imazen/zenjpeg/issues/46", "https://github.com/libjxl/libjxl/issues/2685",
        "The file is lossless (SOF3), or has 12 bits a sample.",
        right="An error that names the process, not one of a corrupt file.", before="right")
def processes_that_are_not_read(trial):
    data = quadrants.coded("quadrants.jpg")
    place = data.index(b"\xff\xc0")
    quadrants.expect_refused(trial, "lossless.jpg", data[:place + 1] + b"\xc3" + data[place + 2:], "unsupported", "lossless")
    deep = jpegs.changed(data, 0xC0, lambda frame: b"\x0c" + frame[1:])
    quadrants.expect_refused(trial, "deep.jpg", deep, "unsupported", "12-bit")


@report("https://github.com/haraldk/TwelveMonkeys/issues/1054", "The file ends within its header.",
        right="An error that says that the file is cut off.", before="right")
def cut_off_in_the_header(trial):
    data = quadrants.coded("quadrants.jpg")
    for count in (30, 120, data.index(b"\xff\xc0") + 6, data.index(b"\xff\xda") + 2):
        quadrants.expect_refused(trial, f"{count}.jpg", data[:count], "truncated")


@report("https://github.com/ParametricPress/01-unraveling-the-jpeg/issues/1",
        "The Exif segment holds a thumbnail, a JPEG with markers of its own.",
        right="The photo, not its thumbnail.", before="right")
def thumbnail_in_exif(trial):
    inner = quadrants.coded("gray.jpg")

    def change(data):
        start = b"Exif\0\0" + jpegs.tiff([(0x0112, 3, 1)], thumbnail=[(0x0201, 4, 60), (0x0202, 4, len(inner))])
        return jpegs.insert(data, (0xE1, start + inner))
    each(trial, change)


def movie(size):
    """The start of an MP4, as phones append it."""
    return struct.pack(">I4s4sI4s", 20, b"ftyp", b"isom", 0, b"mp42") + struct.pack(">I4s", size, b"mdat") + bytes(size - 8)


@report("https://github.com/python-pillow/Pillow/issues/8052", "https://github.com/jarun/imgp/issues/21",
        "https://github.com/google/libultrahdr/issues/319",
        "More pictures stand behind the first: a second view (MPO), or a gain map (Ultra HDR); behind them a movie, or blocks of a phone.",
        right="The first picture.", before="right")
def more_behind_the_picture(trial):
    second = quadrants.coded("gray.jpg")
    tail = b"\0" * 16 + b"SEFH" + struct.pack("<III", 107, 1, 0) + b"SEFT"
    index = (0xE2, b"MPF\0II*\0\x08\0\0\0\0\0\0\0\0\0")
    gain = (0xE2, b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0")
    for added in (second, movie(3000), tail, second + movie(3000) + tail):
        each(trial, lambda data: jpegs.insert(data, index, gain) + added,
             "quadrants.jpg", "large.jpg", "progressive.jpg", "large-progressive.jpg")
