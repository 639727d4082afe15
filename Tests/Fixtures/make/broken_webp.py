"""The WebP part of broken/."""

import struct

from . import expected, pictures, webp_tools
from .colour import to_bytes
from .webp_tools import anmf, animation, chunk, encode, extended, riff, vp8x

CUT = ["truncated", "corrupt"]


def add_to(folder):
    """Adds the files."""
    samples = to_bytes(pictures.card(51, 36))
    whole = {"lossy": encode(samples), "lossless": encode(samples, lossless=True),
             "alpha": encode(to_bytes(pictures.card_with_alpha(51, 36)))}
    for name, data in whole.items():
        for share in (1, 10, 50, 90, 99):
            folder.add(f"webp-{name}-cut-at-{share}.webp", data[:max(14, len(data) * share // 100)], outcome="truncated")
            # The container is whole, the picture in it is not.
            cut = [(kind, payload[:len(payload) * share // 100] if kind != b"VP8X" else payload)
                   for kind, payload in webp_tools.split(data)]
            folder.add(f"webp-{name}-data-cut-at-{share}.webp", riff(*[chunk(*each) for each in cut]), outcome=CUT)
    lossless, lossy = whole["lossless"], whole["lossy"]
    folder.add("webp-cut-in-header.webp", lossless[:13], outcome="truncated")
    folder.add("webp-no-chunk.webp", riff(), outcome=CUT)
    folder.add("webp-canvas-alone.webp", riff(vp8x(0, 51, 36)))
    folder.add("webp-empty-animation.webp", animation(51, 36))
    folder.add("webp-animation-without-frames.webp", extended(lossless, 51, 36, webp_tools.ANIMATED), outcome=["draws", "corrupt"])
    folder.add("webp-other-canvas.webp", extended(lossless, 52, 36))
    folder.add("webp-huge-canvas.webp", extended(lossless, 1 << 24, 1 << 24), outcome=CUT)
    folder.add("webp-frame-beyond-canvas.webp", animation(51, 36, anmf(lossless, 2, 0, 51, 36)))
    folder.add("webp-frame-of-another-size.webp", animation(60, 60, anmf(lossless, 0, 0, 50, 36)))
    folder.add("webp-short-anmf.webp", animation(51, 36, chunk(b"ANMF", b"\0" * 15)))
    folder.add("webp-short-vp8x.webp", riff(chunk(b"VP8X", b"\0" * 9)))
    folder.add("webp-chunk-longer-than-file.webp", riff(b"VP8L" + struct.pack("<I", 1 << 31) + b"\x2f" * 20), outcome=CUT)
    folder.add("webp-riff-of-4-gigabytes.webp", lossless[:4] + b"\xff" * 4 + lossless[8:], outcome="truncated")
    for size in (0, 3, 4, 11):
        folder.add(f"webp-riff-of-{size}-bytes.webp", lossless[:4] + struct.pack("<I", size) + lossless[8:], outcome=CUT)
    folder.add("webp-no-start-code.webp", riff(chunk(b"VP8 ", webp_tools.split(lossy)[0][1][:3] + b"\0" * 40)))
    folder.add("webp-no-key-frame.webp", riff(chunk(b"VP8 ", b"\x01" + webp_tools.split(lossy)[0][1][1:])))
    folder.add("webp-no-size.webp", riff(chunk(b"VP8 ", webp_tools.split(lossy)[0][1][:6] + b"\0" * 40)))
    folder.add("webp-wrong-signature.webp", riff(chunk(b"VP8L", b"\x2e" + webp_tools.split(lossless)[0][1][1:])))
    folder.add("webp-alpha-alone.webp", riff(vp8x(16, 51, 36), chunk(b"ALPH", b"\0" * 40)))
    shown = {"outcome": "draws", "expected": "webp-plain.expected.png", **expected.LOSSLESS}
    folder.add_extra("webp-plain.expected.png", expected.file(samples / 255))
    for name, profile in (("empty", b""), ("text", b"no profile"), ("long", b"\0" * 20_000)):
        folder.add(f"webp-icc-{name}.webp",
                   extended(lossless, 51, 36, webp_tools.ICC, before=chunk(b"ICCP", profile)), **shown)
    folder.add("webp-exif-text.webp", extended(lossless, 51, 36, 8, after=chunk(b"EXIF", b"Exif")), **shown)
    # Damage in the middle of the picture draws something, or is noticed.
    for at in range(20, len(lossless), 311):
        changed = lossless[:at] + bytes([lossless[at] ^ 0x55]) + lossless[at + 1:]
        folder.add(f"webp-changed-{at}.webp", changed, outcome=["draws", "corrupt", "truncated", "tooLarge"])
