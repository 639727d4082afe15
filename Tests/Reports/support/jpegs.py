"""Markers of JPEG files, and what stands in them."""
import struct


def segment(marker, payload):
    """A marker segment; the length counts itself."""
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def split(data):
    """The segments before the first scan, as pairs of marker and payload; and the rest, which begins with SOS."""
    assert data[:2] == b"\xff\xd8"
    place, found = 2, []
    while data[place + 1] != 0xDA:
        marker, length = data[place + 1], struct.unpack(">H", data[place + 2:place + 4])[0]
        found.append((marker, data[place + 4:place + 2 + length]))
        place += 2 + length
    return found, data[place:]


def join(segments, rest):
    return b"\xff\xd8" + b"".join(segment(*each) for each in segments) + rest


def insert(data, *added):
    """These segments, pairs of marker and payload, behind SOI."""
    segments, rest = split(data)
    return join([*added, *segments], rest)


def without(data, *markers):
    segments, rest = split(data)
    return join([each for each in segments if each[0] not in markers], rest)


def changed(data, marker, change):
    """With `change` applied to the payload of each segment of this kind."""
    segments, rest = split(data)
    return join([(each, change(payload) if each == marker else payload) for each, payload in segments], rest)


def scan_data(rest):
    """Where the entropy-coded data of `rest`, which begins with SOS, start."""
    return 2 + struct.unpack(">H", rest[2:4])[0]


def tiff(entries, order=">", thumbnail=None):
    """A TIFF structure: `entries` are (tag, type, value) of the first directory; `thumbnail` those of the second one."""
    def directory(items, following):
        body = struct.pack(order + "H", len(items))
        for tag, kind, value in items:
            packed = struct.pack(order + {1: "B", 3: "H", 4: "I"}[kind], value)
            body += struct.pack(order + "HHI", tag, kind, 1) + packed.ljust(4, b"\0")
        return body + struct.pack(order + "I", following)

    end = 8 + 2 + 12 * len(entries) + 4
    head = (b"MM" if order == ">" else b"II") + struct.pack(order + "HI", 42, 8)
    first = directory(entries, end if thumbnail else 0)
    return head + first + (directory(thumbnail, 0) if thumbnail else b"")


def exif(orientation, **more):
    """An APP1 segment with this orientation."""
    return (0xE1, b"Exif\0\0" + tiff([(0x0112, 3, orientation)], **more))


def xmp(orientation):
    """An APP1 segment with the orientation as XMP writes it."""
    text = ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            f'<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="{orientation}"/></rdf:RDF></x:xmpmeta>')
    return (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + text.encode())


def icc(profile, size=65000):
    """APP2 segments with a profile in parts of `size` bytes."""
    parts = [profile[start:start + size] for start in range(0, len(profile), size)]
    return [(0xE2, b"ICC_PROFILE\0" + bytes([number, len(parts)]) + part) for number, part in enumerate(parts, 1)]


def adobe(transform):
    """APP14: 0 RGB or CMYK, 1 YCbCr, 2 YCCK."""
    return (0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform))
