"""A writer of JPEGs whose blocks have one colour each, in any arrangement of components and scans that the standard permits
(ITU-T T.81). Every coefficient but the first of a block is 0."""
import struct

from support import jpegs, quadrants

CATEGORIES = 12
"""Of first coefficients: each has a code of four bits, its own number."""


class Bits:
    def __init__(self):
        self.bits, self.out = "", bytearray()

    def put(self, value, count):
        self.bits += format(value, f"0{count}b") if count else ""

    def end(self):
        """Bytes of the bits so far, filled up with ones."""
        bits = self.bits + "1" * (-len(self.bits) % 8)
        self.bits = ""
        data = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8))
        self.out += data.replace(b"\xff", b"\xff\x00")


class Component:
    def __init__(self, number, horizontal, vertical, value):
        """`value`: a sample, 0 to 255, at fractions of the sides."""
        self.number, self.horizontal, self.vertical, self.value = number, horizontal, vertical, value


def table(kind, symbols, length):
    """A Huffman table with codes of one length."""
    counts = bytes(len(symbols) if each == length else 0 for each in range(1, 17))
    return bytes([kind]) + counts + bytes(symbols)


def ycc(colour):
    red, green, blue = colour
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return luma, 128 + (blue - luma) * 0.564, 128 + (red - luma) * 0.713


def at_quadrant(values):
    return lambda x, y: values[(x >= 0.5) + 2 * (y >= 0.5)]


def colours(factors, numbers=(1, 2, 3)):
    """The components of the four quadrants, with these pairs of sampling factors."""
    planes = zip(*map(ycc, quadrants.UPRIGHT))
    return [Component(number, *pair, at_quadrant(plane)) for number, pair, plane in zip(numbers, factors, planes)]


def jpeg(components, side=64, scans=None, restart=0, progressive=False, before=()):
    """`scans`: lists of indices of components, by default one of all; `before`: segments behind SOI."""
    across = max(each.horizontal for each in components)
    down = max(each.vertical for each in components)
    scans = scans or [range(len(components))]
    frame = struct.pack(">BHHB", 8, side, side, len(components))
    frame += b"".join(bytes([each.number, each.horizontal << 4 | each.vertical, 0]) for each in components)
    tables = table(0x00, range(CATEGORIES), 4) + table(0x10, [0], 1)
    segments = [*before, (0xDB, b"\0" + b"\x08" * 64), (0xC2 if progressive else 0xC0, frame), (0xC4, tables)]
    if restart:
        segments.append((0xDD, struct.pack(">H", restart)))
    data = b"\xff\xd8" + b"".join(jpegs.segment(*each) for each in segments)
    for scan in scans:
        chosen = [components[index] for index in scan]
        data += head(chosen, 0, 0 if progressive else 63) + blocks(chosen, side, across, down, restart, not progressive)
    for component in components if progressive else ():
        data += head([component], 1, 63) + blocks([component], side, across, down, restart, True, first=False)
    return data + b"\xff\xd9"


def head(components, start, end):
    body = bytes([len(components)]) + b"".join(bytes([each.number, 0]) for each in components)
    return jpegs.segment(0xDA, body + bytes([start, end, 0]))


def blocks(components, side, across, down, restart, rest, first=True):
    """The coded data of a scan; `first`: with the first coefficients; `rest`: with the end of each block."""
    bits, last, count, units = Bits(), {}, 0, list(order(components, side, across, down))
    for index, unit in enumerate(units):
        for component, x, y in unit:
            if first:
                # The middle of the block, as fractions of the picture's sides.
                place = [(each + 0.5) * 8 * step / factor / side
                         for each, step, factor in ((x, across, component.horizontal), (y, down, component.vertical))]
                level = max(-128, min(127, round(component.value(*(min(each, 0.999) for each in place)) - 128)))
                difference = level - last.get(component.number, 0)
                last[component.number] = level
                size = abs(difference).bit_length()
                bits.put(size, 4)
                bits.put(difference if difference >= 0 else difference + (1 << size) - 1, size)
            if rest:
                bits.put(0, 1)
        if restart and (index + 1) % restart == 0 and index + 1 < len(units):
            bits.end()
            bits.out += bytes([0xFF, 0xD0 + count % 8])
            last, count = {}, count + 1
    bits.end()
    return bytes(bits.out)


def order(components, side, across, down):
    """The units of a scan: lists of components with the places of their blocks."""
    if len(components) == 1:
        component = components[0]
        width, height = (-(-(-(-side * factor // whole)) // 8)
                         for factor, whole in ((component.horizontal, across), (component.vertical, down)))
        return ([(component, x, y)] for y in range(height) for x in range(width))
    return ([(each, column * each.horizontal + x, line * each.vertical + y)
             for each in components for y in range(each.vertical) for x in range(each.horizontal)]
            for line in range(-(-side // (8 * down))) for column in range(-(-side // (8 * across))))
