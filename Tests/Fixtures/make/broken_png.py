"""The PNG half of broken/."""

import struct
import zlib

import numpy as np

from . import exif, expected, icc, pictures, png_writer
from .colour import to_bytes
from .png_writer import IEND, SIGNATURE, chunk, ihdr, idat

CUT = ["truncated", "corrupt"]
DRAWS_OR_CORRUPT = ["draws", "corrupt"]
EITHER = ["draws", "truncated", "corrupt"]
MEGABYTES = 32  # what each text bomb unpacks to


def add_to(folder):
    """Adds the files."""
    picture = pictures.card(30, 20)
    samples = to_bytes(picture)
    data = zlib.compress(png_writer.raw_image_data(samples, 8), 9)
    expect = "png-plain.expected.png"
    folder.add_extra(expect, expected.file(samples / 255))
    shown = {"outcome": "draws", "expected": expect, **expected.LOSSLESS}
    start = SIGNATURE + ihdr(30, 20, 8, 2)
    whole = start + idat(data) + IEND

    _cuts(folder, whole, {**shown, "warning": True})
    _checksums(folder, start, data, shown)
    _header(folder, data)
    _image_data(folder, samples, start, data, shown)
    _palette(folder, samples)
    _ancillary(folder, start, data, shown)


def _cuts(folder, whole, shown):
    begin = whole.index(b"IDAT") - 4
    end = whole.index(b"IEND") - 4
    size = end - begin
    folder.add("png-cut-in-signature.png", whole[:5], outcome=CUT + ["unsupported"])
    folder.add("png-cut-after-signature.png", whole[:8], outcome=CUT)
    folder.add("png-cut-in-ihdr.png", whole[:20], outcome=CUT)
    folder.add("png-cut-after-ihdr.png", whole[:33], outcome=CUT)
    folder.add("png-cut-in-chunk-length.png", whole[:begin + 2], outcome=CUT)
    folder.add("png-cut-after-chunk-name.png", whole[:begin + 8], outcome=CUT)
    folder.add("png-cut-at-30.png", whole[:begin + size * 30 // 100], outcome="truncated")
    folder.add("png-cut-at-95.png", whole[:begin + size * 95 // 100], outcome="truncated")
    folder.add("png-cut-before-adler.png", whole[:end - 8], outcome="truncated")
    folder.add("png-cut-in-adler.png", whole[:end - 5], outcome="truncated")
    # From here on, all pixels are there, and their checksum is right.
    folder.add("png-cut-before-idat-crc.png", whole[:end - 4], **shown)
    folder.add("png-cut-before-iend.png", whole[:end], **shown)
    folder.add("png-cut-in-iend.png", whole[:-6], **shown)
    folder.add("png-zeros-for-iend.png", whole[:end] + b"\0" * 99, **shown)
    folder.add("png-cut-in-late-text.png", whole[:end] + chunk("tEXt", b"Title\0long" * 9)[:50], **shown)
    tall = to_bytes(pictures.card(30, 90))
    file = png_writer.encode(tall, 2, 8)
    folder.add("png-portrait-cut-at-95.png", file[:len(file) * 95 // 100],
               outcome=["draws", "truncated"])
    folder.add("png-portrait-cut-at-30.png", file[:len(file) * 30 // 100], outcome="truncated")
    adam7 = png_writer.encode(tall, 2, 8, True)
    folder.add("png-adam7-cut-at-50.png", adam7[:len(adam7) // 2], outcome=["truncated", "draws"])
    crlf = whole.replace(b"\r\n", b"\n")
    folder.add("png-through-text-mode.png", crlf, outcome=["corrupt", "unsupported"])


def _checksums(folder, start, data, shown):
    folder.add("png-crc-ihdr.png", SIGNATURE + ihdr(30, 20, 8, 2, crc=0x12345678)
               + idat(data) + IEND)
    warned = {**shown, "warning": True}
    damaged = data[:-1] + bytes([data[-1] ^ 1])
    folder.add("png-crc-idat.png", start + chunk("IDAT", data, crc=1) + IEND, **warned)
    folder.add("png-crc-idat-and-adler.png", start + chunk("IDAT", damaged, crc=1) + IEND)
    folder.add("png-crc-iend.png", start + idat(data) + IEND[:-1] + b"\0", **warned)
    folder.add("png-crc-iend-and-adler.png", start + idat(damaged) + IEND[:-1] + b"\0")
    folder.add("png-crc-text.png", start + chunk("tEXt", b"Title\0wrong sum", crc=1) + idat(data)
               + IEND, **shown)
    folder.add("png-crc-gama.png", start + chunk("gAMA", struct.pack(">I", 100000), crc=1)
               + idat(data) + IEND, outcome="draws")
    folder.add("png-adler.png", start + idat(damaged) + IEND, **warned)


def _header(folder, data):
    def file(*head):
        return SIGNATURE + b"".join(head) + idat(data) + IEND

    def raw(**fields):
        v = {"depth": 8, "kind": 2, "compression": 0, "filter": 0, "interlace": 0, **fields}
        return chunk("IHDR", struct.pack(">IIBBBBB", 30, 20, *v.values()))

    good = raw()
    odd = {"outcome": ["corrupt", "unsupported"]}
    folder.add("png-depth-3.png", file(raw(depth=3)), **odd)
    folder.add("png-depth-4-of-rgb.png", file(raw(depth=4)), **odd)
    folder.add("png-depth-16-of-palette.png", file(raw(depth=16, kind=3)), **odd)
    folder.add("png-colour-type-5.png", file(raw(kind=5)), **odd)
    folder.add("png-compression-1.png", file(raw(compression=1)), **odd)
    folder.add("png-filter-method-1.png", file(raw(filter=1)), **odd)
    folder.add("png-interlace-2.png", file(raw(interlace=2)), **odd)
    folder.add("png-no-ihdr.png", file())
    folder.add("png-two-ihdr.png", file(good, good), outcome=DRAWS_OR_CORRUPT)
    short = chunk("IHDR", struct.pack(">IIBBBB", 30, 20, 8, 2, 0, 0))
    folder.add("png-short-ihdr.png", file(short))
    folder.add("png-ihdr-after-text.png", file(chunk("tEXt", b"Title\0first"), good),
               outcome=DRAWS_OR_CORRUPT)
    folder.add("png-unknown-critical-chunk.png", file(good, chunk("ABCD", b"?")), **odd)
    folder.add("png-chunk-name-not-letters.png", file(good, chunk(b"\0\1\2\3", b"?")), **odd)


def _image_data(folder, samples, start, data, shown):
    raw = png_writer.raw_image_data(samples, 8)
    row = 1 + 30 * 3
    short, long = zlib.compress(raw[:row * 13], 9), zlib.compress(raw + raw[:row * 5], 9)
    bad_filter = bytearray(raw)
    bad_filter[row * 10] = 5
    folder.add("png-no-idat.png", start + IEND, outcome=CUT)
    folder.add("png-empty-idat.png", start + chunk("IDAT") + IEND, outcome=CUT)
    folder.add("png-idat-too-short.png", start + idat(short) + IEND, outcome=CUT)
    folder.add("png-idat-too-long.png", start + idat(long) + IEND, **shown)
    folder.add("png-idat-with-tail.png", start + idat(data + b"\0" * 100) + IEND, **shown)
    folder.add("png-filter-5.png", start + idat(zlib.compress(bytes(bad_filter), 9)) + IEND)
    folder.add("png-zlib-header.png", start + idat(b"\x79\x9c" + data[2:]) + IEND)
    folder.add("png-zlib-preset-dictionary.png", start + idat(b"\x78\xbb" + data[2:]) + IEND)
    noise = bytes(np.random.default_rng(9).integers(0, 255, 60, dtype=np.uint8))
    folder.add("png-noise-in-idat.png", start + idat(data[:200] + noise + data[260:]) + IEND,
               outcome=CUT)
    half = len(data) // 2
    folder.add("png-text-between-idats.png", start + idat(data[:half])
               + chunk("tEXt", b"Title\0between") + idat(data[half:]) + IEND, outcome=EITHER)
    # Raw deflate without Apple's CgBI chunk before it.
    folder.add("png-raw-deflate.png", start + idat(data[2:-4]) + IEND)
    bomb = zlib.compress(b"\0" * (MEGABYTES * 1_000_000), 9)
    folder.add("png-idat-bomb-behind-picture.png", SIGNATURE + ihdr(8, 8, 8, 0) + idat(bomb) + IEND,
               outcome=DRAWS_OR_CORRUPT)


def _palette(folder, samples):
    indices = (samples[:, :, 0] // 16).astype(int)
    palette = np.stack([np.arange(16) * 17, np.arange(16) * 9, 255 - np.arange(16) * 13], axis=1)
    data = zlib.compress(png_writer.raw_image_data(indices[:, :, None], 8), 9)
    start = SIGNATURE + ihdr(30, 20, 8, 3)
    table = png_writer.plte(palette)
    folder.add("png-plte-missing.png", start + idat(data) + IEND)
    folder.add("png-plte-after-idat.png", start + idat(data) + table + IEND)
    folder.add("png-plte-empty.png", start + chunk("PLTE") + idat(data) + IEND)
    folder.add("png-plte-not-a-multiple-of-3.png",
               start + chunk("PLTE", palette.astype(np.uint8).tobytes()[:-1]) + idat(data) + IEND)
    folder.add("png-plte-of-300.png", start + chunk("PLTE", b"\x40" * 900) + idat(data) + IEND,
               outcome=DRAWS_OR_CORRUPT)
    folder.add("png-plte-crc.png", start + chunk("PLTE", palette.astype(np.uint8).tobytes(), crc=9)
               + idat(data) + IEND)
    folder.add("png-palette-index-out-of-range.png",
               start + png_writer.plte(palette[:6]) + idat(data) + IEND, outcome=DRAWS_OR_CORRUPT)
    folder.add("png-trns-longer-than-palette.png",
               start + table + chunk("tRNS", b"\xff" * 40) + idat(data) + IEND, outcome="draws")
    folder.add("png-trns-before-plte.png",
               start + chunk("tRNS", b"\xff" * 4) + table + idat(data) + IEND, outcome="draws")


def _bomb_text(kind):
    zeros = zlib.compress(b"\0" * (MEGABYTES * 1_000_000), 9)
    head = {"zTXt": b"Comment\0\0", "iTXt": b"Comment\0\1\0\0\0", "iCCP": b"profile\0\0"}[kind]
    return chunk(kind, head + zeros)


def _ancillary(folder, start, data, shown):
    for kind in ("zTXt", "iTXt", "iCCP"):
        # A decoder may give up on the chunk or on the whole file, but never unpack it.
        folder.add(f"png-bomb-{kind}.png", start + _bomb_text(kind) + idat(data) + IEND,
                   outcome=["draws", "corrupt", "overMemory", "tooLarge"])
    folder.add("png-3000-text-chunks.png",
               start + chunk("tEXt", b"a\0") * 3000 + idat(data) + IEND,
               outcome=["draws", "corrupt", "overMemory", "tooLarge"])
    folder.add("png-chunk-length-2147483647.png",
               start + chunk("tEXt", b"Title\0x", length=2 ** 31 - 1) + idat(data) + IEND,
               outcome=CUT)
    folder.add("png-chunk-length-4294967295.png",
               start + chunk("tEXt", b"Title\0x", length=2 ** 32 - 1) + idat(data) + IEND,
               outcome=CUT)
    p3 = icc.display_p3(2)
    noise = bytes(np.random.default_rng(10).integers(0, 255, 600, dtype=np.uint8))
    warned = {**shown, "warning": True}
    for name, profile in {
        "noise": noise, "truncated": p3[:300], "of-cmyk": icc.cmyk(8), "of-gray": icc.gray(1.0),
        "tag-count-huge": p3[:128] + b"\xff" * 4 + p3[132:],
    }.items():
        folder.add(f"png-icc-{name}.png",
                   start + png_writer.iccp(profile) + idat(data) + IEND, **warned)
    lying = png_writer.iccp(b"\x7f\xff\xff\xff" + p3[4:])
    folder.add("png-icc-size-lies.png", start + lying + idat(data) + IEND, outcome="draws")
    bad_stream = chunk("iCCP", b"profile\0\0" + b"not zlib at all")
    folder.add("png-icc-not-zlib.png", start + bad_stream + idat(data) + IEND, **warned)
    for name, tiff in {
        "ifd-points-at-itself": exif.self_pointing("<"), "ifd-cycle": exif.cyclic_pair(">"),
        "ifd-beyond-end": exif.offset_beyond_end(">"), "entry-count-65535": exif.too_many_entries(),
        "noise": noise[:90], "one-byte": b"I",
    }.items():
        folder.add(f"png-exif-{name}.png",
                   start + png_writer.exif(tiff) + idat(data) + IEND, **shown)
    folder.add("png-exif-count-4294967295.png", start + png_writer.exif(exif.huge_count(">"))
               + idat(data) + IEND, outcome="draws")
    folder.add("png-gama-0.png", start + png_writer.gama(0) + idat(data) + IEND, **shown)
    folder.add("png-chrm-zero.png", start + chunk("cHRM", b"\0" * 32) + idat(data) + IEND, **shown)
    folder.add("png-trns-wrong-length.png", start + chunk("tRNS", b"\0\1") + idat(data) + IEND,
               **shown)
