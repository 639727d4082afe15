"""The JPEG half of broken/."""

import struct

import numpy as np

from . import exif, expected, icc, jpeg_encoder, jpeg_tools, pictures
from .colour import rgb_to_ycbcr, to_bytes
from .jpeg_encoder import marker
from .jpeg_tools import Segment, split

DRAWS_OR_CORRUPT = ["draws", "corrupt"]
EITHER = ["draws", "truncated", "corrupt"]
HUFFMAN, SOS, QUANT = 0xC4, 0xDA, 0xDB


def _baseline(width, height, **options):
    return jpeg_encoder.encode(rgb_to_ycbcr(pictures.card(width, height)) * 255, **options)


def _entropy_start(data):
    """Where the entropy-coded bytes of the first scan begin."""
    at = data.index(b"\xff\xda")
    return at + 2 + struct.unpack(">H", data[at + 2:at + 4])[0]


def _cut(data, share):
    """The file up to `share` of its entropy-coded bytes."""
    start = _entropy_start(data)
    return data[:start + int((len(data) - 2 - start) * share)]


def _shown(folder, name, data, reference, **expect):
    """A file that must draw exactly what the undamaged `reference` shows."""
    picture = expected.file(jpeg_tools.decoded(reference))
    shown = folder.add_expected(name.rsplit(".", 1)[0], picture)
    expect = {"outcome": "draws", **shown, **expected.LOSSY, **expect}
    folder.add(name, data, **expect)


def add_to(folder):
    """Adds the files."""
    landscape = _baseline(56, 40)
    _truncated(folder, landscape)
    _entropy(folder, landscape)
    _headers(folder, landscape)
    _progressive(folder)
    _metadata(folder, landscape)


def _truncated(folder, landscape):
    progressive = jpeg_tools.cjpeg(to_bytes(pictures.card(56, 40)), "-progressive")
    portrait = _baseline(40, 120)
    tall_scans = jpeg_tools.cjpeg(to_bytes(pictures.card(40, 120)), "-progressive")
    start = _entropy_start(landscape)
    cut = {"outcome": "truncated"}
    head = {"outcome": ["truncated", "corrupt"]}
    folder.add("jpeg-only-soi.jpg", b"\xff\xd8", outcome=["truncated", "corrupt"])
    folder.add("jpeg-soi-and-eoi.jpg", b"\xff\xd8\xff\xd9", outcome=["corrupt", "truncated"])
    folder.add("jpeg-cut-in-app0.jpg", landscape[:9], **head)
    folder.add("jpeg-cut-in-quantisation.jpg", landscape[:60], **head)
    folder.add("jpeg-cut-in-frame-header.jpg", landscape[:landscape.index(b"\xff\xc0") + 7], **head)
    folder.add("jpeg-cut-in-scan-header.jpg", landscape[:start - 3], **head)
    folder.add("jpeg-cut-after-headers.jpg", landscape[:start], **cut)
    folder.add("jpeg-landscape-cut-at-30.jpg", _cut(landscape, 0.30), **cut)
    folder.add("jpeg-landscape-cut-at-95.jpg", _cut(landscape, 0.95), **cut)
    folder.add("jpeg-portrait-cut-at-30.jpg", _cut(portrait, 0.30), **cut)
    folder.add("jpeg-portrait-cut-at-50.jpg", _cut(portrait, 0.50), **cut)
    _shown(folder, "jpeg-portrait-cut-at-95.jpg", _cut(portrait, 0.95), portrait)
    _shown(folder, "jpeg-portrait-cut-at-85.jpg", _cut(portrait, 0.85), portrait)
    # Turned by EXIF the question is the same in the stored picture: which of its rows are needed.
    turned = jpeg_tools.exif_segment(exif.block(6))
    folder.add("jpeg-turned-portrait-cut-at-95.jpg",
               jpeg_tools.insert(_cut(_baseline(120, 40), 0.95), turned), **cut)
    upright = np.rot90(jpeg_tools.decoded(portrait), -1)
    shown = folder.add_expected("jpeg-turned-landscape-cut-at-95", expected.file(upright))
    folder.add("jpeg-turned-landscape-cut-at-95.jpg",
               jpeg_tools.insert(_cut(portrait, 0.95), turned),
               outcome="draws", **shown, **expected.LOSSY)
    _shown(folder, "jpeg-missing-eoi.jpg", landscape[:-2], landscape)
    folder.add("jpeg-eoi-in-the-middle.jpg", _cut(landscape, 0.5) + b"\xff\xd9",
               outcome=["truncated", "corrupt"])
    folder.add("jpeg-eoi-instead-of-scan.jpg",
               landscape[:landscape.index(b"\xff\xda")] + b"\xff\xd9",
               outcome=["truncated", "corrupt"])

    # Progressive: every row exists after the first scan, only ever finer.
    scans = [i for i in range(len(progressive) - 1) if progressive[i:i + 2] == b"\xff\xda"]
    coarse = {"outcome": ["draws", "truncated"]}
    folder.add("jpeg-progressive-cut-after-headers.jpg", progressive[:scans[0] + 14], **cut)
    folder.add("jpeg-progressive-cut-in-first-scan.jpg", progressive[:scans[0] + 60],
               outcome=["truncated", "draws"])
    folder.add("jpeg-progressive-cut-after-first-scan.jpg", progressive[:scans[1]], **coarse)
    folder.add("jpeg-progressive-cut-after-third-scan.jpg", progressive[:scans[3]], **coarse)
    folder.add("jpeg-progressive-cut-at-95.jpg", _cut(progressive, 0.95), **coarse)
    folder.add("jpeg-progressive-portrait-cut-at-95.jpg", _cut(tall_scans, 0.95), **coarse)
    _shown(folder, "jpeg-progressive-missing-eoi.jpg", progressive[:-2], progressive)


def _entropy(folder, landscape):
    """Damage inside the coded picture."""
    start = _entropy_start(landscape)
    middle = start + (len(landscape) - start) // 2
    noise = bytes(np.random.default_rng(7).integers(0, 255, 80, dtype=np.uint8))
    damaged = {"outcome": EITHER}
    folder.add("jpeg-bad-codes.jpg", landscape[:middle] + b"\xff\0" * 40 + landscape[middle + 80:],
               **damaged)
    folder.add("jpeg-noise-in-scan.jpg", landscape[:middle] + noise + landscape[middle + 80:],
               **damaged)
    folder.add("jpeg-zeros-in-scan.jpg",
               landscape[:middle] + b"\0" * 300 + landscape[middle + 300:],
               **damaged)
    folder.add("jpeg-hole-in-scan.jpg", landscape[:middle] + landscape[middle + 200:], **damaged)
    folder.add("jpeg-dht-in-scan.jpg", landscape[:middle]
               + jpeg_encoder.dht(0, jpeg_encoder.DC_LUMA) + landscape[middle:], **damaged)

    restarts = _baseline(56, 40, restart=4)
    at = [i for i in range(_entropy_start(restarts), len(restarts) - 1)
          if restarts[i] == 0xFF and 0xD0 <= restarts[i + 1] <= 0xD7]

    def renamed(changes):
        data = bytearray(restarts)
        for index, code in changes.items():
            data[at[index] + 1] = code
        return bytes(data)

    folder.add("jpeg-restart-out-of-order.jpg", renamed({2: 0xD5, 5: 0xD2}), **damaged)
    folder.add("jpeg-restart-all-alike.jpg", renamed({i: 0xD0 for i in range(len(at))}), **damaged)
    folder.add("jpeg-restart-missing.jpg", restarts[:at[3]] + restarts[at[3] + 2:], **damaged)
    folder.add("jpeg-restart-interval-lost.jpg", restarts[:at[3]] + restarts[at[4]:], **damaged)
    folder.add("jpeg-restart-unannounced.jpg",
               jpeg_tools.join([s for s in split(restarts) if s.code != 0xDD]), **damaged)


def _headers(folder, landscape):
    """Segments that are missing, repeated, moved or out of range."""
    segments = split(landscape)

    def without(code, keep=lambda s: False):
        return jpeg_tools.join([s for s in segments if s.code != code or keep(s)])

    def edited(code, edit):
        copies = [Segment(s.code, s.payload, s.entropy) for s in segments]
        for segment in copies:
            if segment.code == code:
                payload = bytearray(segment.payload)
                segment.payload = bytes(edit(payload) or payload)
        return jpeg_tools.join(copies)

    def setting(index, value):
        def edit(payload):
            payload[index] = value
        return edit

    frame = next(s for s in segments if jpeg_tools.is_sof(s))
    scan = next(s for s in segments if s.code == SOS)
    rest = [s for s in segments if s is not frame and s is not scan]

    # Motion JPEG leaves the standard tables out; libjpeg-turbo puts them back.
    folder.add("jpeg-no-huffman-tables.jpg", without(HUFFMAN), outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-no-ac-table.jpg", without(HUFFMAN, lambda s: s.payload[0] == 0),
               outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-no-quantisation.jpg", without(QUANT))
    folder.add("jpeg-one-quantisation-table-missing.jpg",
               without(QUANT, lambda s: s.payload[0] == 0))
    folder.add("jpeg-no-frame-header.jpg", without(0xC0))
    folder.add("jpeg-scan-before-frame.jpg", jpeg_tools.join(rest + [scan, frame]))
    folder.add("jpeg-two-frame-headers.jpg", jpeg_tools.join(rest + [frame, frame, scan]))
    folder.add("jpeg-second-soi.jpg", b"\xff\xd8" + landscape, outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-segment-length-0.jpg", jpeg_tools.insert(landscape, b"\xff\xed\0\0"),
               outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-segment-length-1.jpg", jpeg_tools.insert(landscape, b"\xff\xed\0\1"),
               outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-segment-beyond-end.jpg", jpeg_tools.insert(landscape, b"\xff\xed\xff\xff"),
               outcome=["truncated", "corrupt"])

    kinds = ["corrupt", "unsupported"]
    five = frame.payload[:5] + bytes([5]) + frame.payload[6:] + bytes([4, 0x11, 1, 5, 0x11, 1])
    folder.add("jpeg-5-components.jpg", edited(0xC0, lambda p: five), outcome=kinds)
    two = frame.payload[:5] + bytes([2]) + frame.payload[6:12]
    folder.add("jpeg-2-components.jpg", jpeg_tools.join(
        rest + [Segment(0xC0, two), Segment(SOS, b"\2\1\0\2\0\0\x3f\0", scan.entropy)]),
        outcome=kinds + ["draws", "truncated"])
    folder.add("jpeg-0-components.jpg",
               edited(0xC0, lambda p: frame.payload[:5] + b"\0"), outcome=kinds)
    folder.add("jpeg-component-ids-alike.jpg", edited(0xC0, setting(9, 1)),
               outcome=DRAWS_OR_CORRUPT)
    folder.add("jpeg-sampling-0.jpg", edited(0xC0, setting(7, 0x00)))
    folder.add("jpeg-sampling-5.jpg", edited(0xC0, setting(7, 0x55)))
    folder.add("jpeg-sampling-too-many-blocks.jpg", edited(0xC0, setting(7, 0x44)))
    folder.add("jpeg-sampling-fraction.jpg", jpeg_encoder.encode(
        np.full((40, 40, 3), 120.0), [(3, 1), (1, 1), (1, 1)]).replace(
            bytes([2, 0x11, 1]), bytes([2, 0x21, 1])), outcome=kinds + ["draws", "truncated"])
    folder.add("jpeg-quantisation-slot-9.jpg", edited(0xC0, setting(8, 9)))
    folder.add("jpeg-precision-7.jpg", edited(0xC0, setting(0, 7)), outcome=kinds)
    folder.add("jpeg-scan-of-unknown-component.jpg", edited(SOS, setting(1, 77)))
    folder.add("jpeg-scan-with-table-7.jpg", edited(SOS, setting(2, 0x77)))
    folder.add("jpeg-scan-length-wrong.jpg", edited(SOS, lambda p: p + b"\0\0"))
    folder.add("jpeg-huffman-overfull.jpg", _with_table(
        segments, b"\0" + b"\xff" * 16 + b"\1" * 256))
    folder.add("jpeg-huffman-too-many-codes.jpg",
               _with_table(segments, b"\0\3" + b"\0" * 15 + b"\1\2\3"))
    folder.add("jpeg-huffman-slot-9.jpg", _with_table(
        segments, b"\x99" + jpeg_encoder.DC_LUMA[0] + jpeg_encoder.DC_LUMA[1]))
    folder.add("jpeg-huffman-cut.jpg", _with_table(segments, b"\0\0\1\5"))
    folder.add("jpeg-quantisation-cut.jpg", jpeg_tools.insert(landscape, marker(QUANT, b"\0" * 20)))
    folder.add("jpeg-arithmetic-conditioning-bad.jpg",
               jpeg_tools.insert(landscape, marker(0xCC, b"\x00\x0f")), outcome=DRAWS_OR_CORRUPT)


def _with_table(segments, payload):
    """The first Huffman table replaced."""
    copies, done = [], False
    for segment in segments:
        if segment.code == HUFFMAN and not done:
            segment, done = Segment(HUFFMAN, payload), True
        copies.append(segment)
    return jpeg_tools.join(copies)


def _progressive(folder):
    """Scan headers out of range, and scans without end."""
    small = to_bytes(pictures.card(24, 16))
    data = jpeg_tools.cjpeg(small, "-progressive")

    def spectral(start, end, approximation, which=1):
        segments = split(data)
        scan = [s for s in segments if s.code == SOS][which]
        scan.payload = scan.payload[:-3] + bytes([start, end, approximation])
        return jpeg_tools.join(segments)

    # libjpeg checks the ranges; an order that makes no sense is only a warning to it.
    folder.add("jpeg-progressive-ss-after-se.jpg", spectral(20, 5, 0x02))
    folder.add("jpeg-progressive-se-64.jpg", spectral(1, 64, 0x02))
    folder.add("jpeg-progressive-dc-with-ac.jpg", spectral(0, 5, 0x01, which=0))
    folder.add("jpeg-progressive-al-14.jpg", spectral(1, 5, 0x0E))
    folder.add("jpeg-progressive-ah-without-al.jpg", spectral(1, 5, 0x52))
    folder.add("jpeg-progressive-refines-nothing.jpg", spectral(1, 5, 0x21), outcome=EITHER)

    gray = to_bytes(pictures.card(16, 16).mean(axis=-1))[:8, :8]
    script = "0: 0-0, 0, 0;\n0: 1-63, 0, 2;\n0: 1-63, 2, 1;\n0: 1-63, 1, 0;\n"
    plain = jpeg_tools.cjpeg(gray, scans=script)
    segments = split(plain)
    flood = jpeg_tools.join(segments + [segments[-1]] * 1200)
    folder.add("jpeg-1200-scans.jpg", flood, outcome="tooManyScans")
    arithmetic = split(jpeg_tools.cjpeg(gray, "-arithmetic", scans=script))
    folder.add("jpeg-1200-scans-arithmetic.jpg",
               jpeg_tools.join(arithmetic + [arithmetic[-1]] * 1200), outcome="tooManyScans")
    # The same flood on a picture of 64 megapixels: a deadline or a limit has to stop it.
    huge = jpeg_tools.with_sof(flood, edit=lambda p: p.__setitem__(
        slice(1, 5), struct.pack(">HH", 8000, 8000)))
    folder.add("jpeg-1200-scans-of-64-megapixels.jpg", huge,
               outcome=["tooManyScans", "tooLarge", "overMemory", "truncated"])


def _metadata(folder, landscape):
    """The picture is fine, what is written around it is not: it draws, unconverted, unturned."""
    for name, tiff in {
        "ifd-points-at-itself": exif.self_pointing(">"),
        "ifd-cycle": exif.cyclic_pair(),
        "ifd-beyond-end": exif.offset_beyond_end(),
        "ifd-at-0": exif.header("<", 0) + b"\0" * 12,
        "entry-count-65535": exif.too_many_entries(),
        "bad-byte-order": b"XX" + exif.block(6)[2:],
        "bad-magic": b"II\x2b\0" + exif.block(6)[4:],
        "header-only": exif.header("<"),
        "empty": b"",
    }.items():
        data = jpeg_tools.insert(landscape, jpeg_tools.exif_segment(tiff))
        _shown(folder, f"jpeg-exif-{name}.jpg", data, landscape)
    # The orientation itself has a value count of 2^32 - 1: taking or ignoring it are both fine.
    folder.add("jpeg-exif-count-4294967295.jpg", jpeg_tools.insert(
        landscape, jpeg_tools.exif_segment(exif.huge_count("<"))), outcome="draws")

    p3 = icc.display_p3(2)
    pieces = jpeg_tools.icc_payloads(p3, 700)
    warned = {"warning": True}
    noise = bytes(np.random.default_rng(8).integers(0, 255, 600, dtype=np.uint8))

    def app2(*payloads):
        return jpeg_tools.insert(landscape, b"".join(marker(0xE2, p) for p in payloads))

    def whole(profile):
        return app2(*jpeg_tools.icc_payloads(profile))

    _shown(folder, "jpeg-icc-noise.jpg", whole(noise), landscape, **warned)
    _shown(folder, "jpeg-icc-truncated.jpg", whole(p3[:300]), landscape, **warned)
    # The size in its header is wrong, the rest is fine: LittleCMS reads it, others refuse.
    folder.add("jpeg-icc-size-lies.jpg", whole(b"\x7f\xff\xff\xff" + p3[4:]), outcome="draws")
    _shown(folder, "jpeg-icc-no-signature.jpg", whole(p3[:36] + b"xxxx" + p3[40:]), landscape,
           **warned)
    _shown(folder, "jpeg-icc-tag-count-huge.jpg", whole(p3[:128] + b"\xff" * 4 + p3[132:]),
           landscape, **warned)
    _shown(folder, "jpeg-icc-of-cmyk.jpg", whole(icc.cmyk(8)), landscape, **warned)
    _shown(folder, "jpeg-icc-of-gray.jpg", whole(icc.gray(1.0)), landscape, **warned)
    _shown(folder, "jpeg-icc-empty.jpg", whole(b"\0"), landscape, **warned)
    _shown(folder, "jpeg-icc-segment-missing.jpg", app2(pieces[0], *pieces[2:]), landscape,
           **warned)
    other = pieces[0][:-1] + bytes([pieces[0][-1] ^ 1])
    _shown(folder, "jpeg-icc-segment-twice.jpg", app2(pieces[0], other, *pieces[1:]), landscape, **warned)
    # An exact copy is left by editors.
    folder.add("jpeg-icc-segment-copied.jpg", app2(pieces[0], pieces[0], *pieces[1:]), outcome="draws")
    _shown(folder, "jpeg-icc-segment-number-0.jpg",
           app2(pieces[0][:12] + b"\0" + pieces[0][13:], *pieces[1:]), landscape, **warned)
    # In the wrong order but complete: legal to put together, so the conversion may take place.
    folder.add("jpeg-icc-segments-out-of-order.jpg", app2(*pieces[::-1]), outcome="draws")
