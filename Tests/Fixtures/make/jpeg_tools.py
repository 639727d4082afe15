"""JPEG files taken apart and put together again, and a wrapper around cjpeg."""

import io
import os
import struct
import subprocess
import tempfile

import numpy as np
from PIL import Image

from .jpeg_encoder import marker

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
SOS = 0xDA
EXIF_PREFIX = b"Exif\0\0"
XMP_PREFIX = b"http://ns.adobe.com/xap/1.0/\0"


class Segment:
    """A marker segment; a scan header also carries the entropy-coded bytes after it."""

    def __init__(self, code, payload, entropy=b""):
        self.code, self.payload, self.entropy = code, payload, entropy

    def data(self):
        return marker(self.code, self.payload) + self.entropy


def split(data):
    """The segments between SOI and EOI of a well-formed file."""
    assert data[:2] == SOI
    at, found = 2, []
    while data[at:at + 2] != EOI:
        code, (length,) = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])
        end = at + 2 + length
        segment = Segment(code, data[at + 4:end])
        if code == SOS:
            start = end
            while not (data[end] == 0xFF and data[end + 1] != 0
                       and not 0xD0 <= data[end + 1] <= 0xD7):
                end += 1
            segment.entropy = data[start:end]
        found.append(segment)
        at = end
    return found


def join(segments, tail=EOI):
    """A file of these segments."""
    return SOI + b"".join(s.data() for s in segments) + tail


def is_sof(segment):
    return 0xC0 <= segment.code <= 0xCF and segment.code not in (0xC4, 0xC8, 0xCC)


def insert(data, extra, after_jfif=True):
    """Puts raw bytes after SOI, or after the APP0 that may follow it."""
    at = 2
    if after_jfif and data[2:4] == b"\xff\xe0":
        at = 4 + struct.unpack(">H", data[4:6])[0]
    return data[:at] + extra + data[at:]


def exif_segment(tiff):
    """APP1 with a TIFF block."""
    return marker(0xE1, EXIF_PREFIX + tiff)


def xmp_segment():
    """APP1 with an XMP packet that (wrongly) claims an orientation too."""
    packet = ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/'
              '02/22-rdf-syntax-ns#"><rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" '
              'tiff:Orientation="3"/></rdf:RDF></x:xmpmeta>')
    return marker(0xE1, XMP_PREFIX + packet.encode("ascii"))


def icc_payloads(profile, size=65519):
    """The APP2 payloads that carry a profile in pieces of at most `size` bytes."""
    pieces = [profile[i:i + size] for i in range(0, len(profile), size)]
    return [b"ICC_PROFILE\0" + bytes([n + 1, len(pieces)]) + piece
            for n, piece in enumerate(pieces)]


def icc_segments(profile, size=65519):
    """The APP2 segments that carry a profile."""
    return b"".join(marker(0xE2, p) for p in icc_payloads(profile, size))


def with_sof(data, code=None, edit=None):
    """The file with another SOF marker, or its frame header changed by `edit(bytearray)`."""
    segments = split(data)
    for segment in segments:
        if is_sof(segment):  # DHT, JPG and DAC share the range but are not frames
            segment.code = code or segment.code
            if edit:
                payload = bytearray(segment.payload)
                edit(payload)
                segment.payload = bytes(payload)
    return join(segments)


def cjpeg(picture, *options, quality=90, scans=None):
    """libjpeg-turbo's encoder; `picture` is 8-bit (h, w) or (h, w, 3)."""
    command = ["cjpeg", "-quality", str(quality), *options]
    height, width = picture.shape[:2]
    kind = b"P5" if picture.ndim == 2 else b"P6"
    pnm = kind + b"\n%d %d\n255\n" % (width, height) + np.ascontiguousarray(picture).tobytes()
    if scans is None:
        return subprocess.run(command, input=pnm, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "scans")
        with open(script, "w") as file:
            file.write(scans)
        return subprocess.run([*command, "-scans", script], input=pnm, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout


def decoded(data):
    """Pillow's decode of a JPEG as floats 0...1; CMYK comes with 0 = no ink for files that
    follow Adobe's inverted convention (Pillow assumes that one)."""
    image = Image.open(io.BytesIO(data))
    image.load()
    array = np.asarray(image).astype(np.float64) / 255
    return array if array.ndim == 3 else array[:, :, None]
