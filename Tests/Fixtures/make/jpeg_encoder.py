"""A small baseline JPEG encoder that leaves every odd choice to its caller.

It exists because ordinary encoders refuse what a decoder has to put up with: any component
ids, any sampling factors, two to four components, with or without JFIF and Adobe markers,
fixed (not optimised) Huffman tables, and missing tables.
"""

import struct

import numpy as np

# ITU-T T.81 annex K.1
LUMA_QUANT = np.array([
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99])
CHROMA_QUANT = np.full(64, 99)
CHROMA_QUANT.reshape(8, 8)[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66],
                                      [24, 26, 56, 99], [47, 66, 99, 99]]

# Annex K.3: (number of codes of length 1...16, symbols)
DC_LUMA = (bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]), bytes(range(12)))
AC_LUMA = (bytes([0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]), bytes.fromhex(
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f0"
    "2433627282090a161718191a25262728292a3435363738393a434445464748494a"
    "535455565758595a636465666768696a737475767778797a838485868788898a"
    "92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6"
    "c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"))

ZIGZAG = np.array([
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34,
    27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44,
    51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63])

_K = np.arange(8)
_DCT = np.sqrt(2 / 8) * np.cos((2 * _K[None, :] + 1) * _K[:, None] * np.pi / 16)
_DCT[0] /= np.sqrt(2)

JFIF = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"


def marker(code, payload):
    """A marker segment."""
    return struct.pack(">BBH", 0xFF, code, len(payload) + 2) + payload


def adobe(transform):
    """The Adobe APP14 segment: 0 = RGB or CMYK, 1 = YCbCr, 2 = YCCK."""
    return marker(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform))


def dht(slot, table):
    """A DHT segment; slot is 0x00... for DC, 0x10... for AC."""
    return marker(0xC4, bytes([slot]) + table[0] + table[1])


def dqt(slot, quant):
    """A DQT segment."""
    return marker(0xDB, bytes([slot]) + bytes(int(q) for q in quant[ZIGZAG]))


def sof(code, width, height, components, precision=8):
    """A frame header; components are (id, h, v, quantisation table)."""
    body = struct.pack(">BHHB", precision, height, width, len(components))
    return marker(code, body + b"".join(bytes([i, h << 4 | v, q]) for i, h, v, q in components))


def sos(ids, spectral=(0, 63, 0)):
    """A scan header using Huffman tables 0."""
    return marker(0xDA, bytes([len(ids)]) + b"".join(bytes([i, 0]) for i in ids)
                  + bytes(spectral))


def scaled(quant, quality):
    """The usual quality scale of libjpeg."""
    factor = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.clip((quant * factor + 50) // 100, 1, 255)


def _codes(table):
    counts, symbols = table
    codes, code, at = {}, 0, 0
    for length, count in enumerate(counts, 1):
        for symbol in symbols[at:at + count]:
            codes[symbol] = (code, length)
            code += 1
        at += count
        code <<= 1
    return codes


class _Bits:
    """Collects bits, stuffs a zero after FF."""

    def __init__(self):
        self.out, self.value, self.size = bytearray(), 0, 0

    def put(self, code, length):
        self.value = self.value << length | code
        self.size += length
        while self.size >= 8:
            byte = self.value >> (self.size - 8) & 0xFF
            self.out.append(byte)
            if byte == 0xFF:
                self.out.append(0)
            self.size -= 8
            self.value &= (1 << self.size) - 1

    def flush(self):
        if self.size:
            self.put((1 << (8 - self.size)) - 1, 8 - self.size)


def _put_block(bits, block, previous, dc, ac):
    """One block of 64 quantised coefficients in zigzag order."""

    def number(code, value, run=0):
        size = int(abs(value)).bit_length()
        bits.put(*code[run << 4 | size])
        if size:
            bits.put(value if value > 0 else value + (1 << size) - 1, size)

    number(dc, block[0] - previous)
    run = 0
    last = max((k for k in range(1, 64) if block[k]), default=0)
    for k in range(1, last + 1):
        if block[k] == 0:
            run += 1
            continue
        while run > 15:
            bits.put(*ac[0xF0])
            run -= 16
        number(ac, block[k], run)
        run = 0
    if last < 63:
        bits.put(*ac[0x00])


def _component_blocks(plane, h, v, hmax, vmax, mcus_x, mcus_y, quant):
    """Quantised coefficients (block row, block column, 64) of one subsampled component."""
    pad_y, pad_x = mcus_y * vmax * 8 - plane.shape[0], mcus_x * hmax * 8 - plane.shape[1]
    plane = np.pad(plane.astype(np.float64), ((0, pad_y), (0, pad_x)), mode="edge")
    step_y, step_x = vmax // v, hmax // h
    small = plane.reshape(plane.shape[0] // step_y, step_y, plane.shape[1] // step_x, step_x)
    small = small.mean(axis=(1, 3)) - 128
    blocks = small.reshape(mcus_y * v, 8, mcus_x * h, 8).transpose(0, 2, 1, 3)
    coefficients = _DCT @ blocks @ _DCT.T
    coefficients = coefficients.reshape(*coefficients.shape[:2], 64)
    return np.rint(coefficients / quant).astype(int)[:, :, ZIGZAG]


def encode(planes, sampling=None, quality=90, ids=(1, 2, 3, 4), quants=(0, 1, 1, 0),
           before=JFIF, restart=0, tables=True):
    """A baseline JPEG of `planes` (height, width, components; 0...255, already in the file's
    colour space). `before` goes right after SOI; `sampling` is one (h, v) per component.
    """
    planes = np.asarray(planes)
    height, width, count = planes.shape
    sampling = sampling or [(1, 1)] * count
    hmax, vmax = max(h for h, _ in sampling), max(v for _, v in sampling)
    mcus_x, mcus_y = -(-width // (8 * hmax)), -(-height // (8 * vmax))
    quant = [scaled(LUMA_QUANT, quality), scaled(CHROMA_QUANT, quality)]
    blocks = [_component_blocks(planes[:, :, c], h, v, hmax, vmax, mcus_x, mcus_y,
                                quant[quants[c]])
              for c, (h, v) in enumerate(sampling)]

    dc, ac = _codes(DC_LUMA), _codes(AC_LUMA)
    bits, previous = _Bits(), [0] * count
    for mcu in range(mcus_x * mcus_y):
        if restart and mcu and mcu % restart == 0:
            bits.flush()
            bits.out += bytes([0xFF, 0xD0 + (mcu // restart - 1) % 8])
            previous = [0] * count
        my, mx = divmod(mcu, mcus_x)
        for c, (h, v) in enumerate(sampling):
            for y in range(v):
                for x in range(h):
                    block = blocks[c][my * v + y, mx * h + x].tolist()
                    _put_block(bits, block, previous[c], dc, ac)
                    previous[c] = block[0]
    bits.flush()

    out = [b"\xff\xd8", before]
    out += [dqt(slot, quant[slot]) for slot in sorted(set(quants[:count]))]
    out.append(sof(0xC0, width, height,
                   [(ids[c], *sampling[c], quants[c]) for c in range(count)]))
    if tables:
        out += [dht(0x00, DC_LUMA), dht(0x10, AC_LUMA)]
    if restart:
        out.append(marker(0xDD, struct.pack(">H", restart)))
    out += [sos(ids[:count]), bytes(bits.out), b"\xff\xd9"]
    return b"".join(out)
