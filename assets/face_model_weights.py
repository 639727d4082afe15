"""Reads the network of the face detector (YuNet 2023mar, an ONNX file) and writes its weights in whole numbers, in the order
and the form in which `Sources/C/CFaces` uses them. Python's standard library only.

The file: "TONDOFM1"; the CRC-32 of the rest; then for each convolution the shift, the biases of 32 bits, and the weights of
16 bits, all little-endian and padded to 4 bytes. A weight w is stored as w * 2**shift, with the largest shift for which no sum
of 32 bits can overflow, whatever the inputs are.
"""
import struct
import zlib

MAGIC = b"TONDOFM1"
# Values between the layers have this many bits after the point: `CFACES_FRACTION_BITS`.
FRACTION_BITS = 11
# What an input of a layer may be: a byte of the picture, or 16 bits with a sign.
LARGEST_PIXEL, LARGEST_VALUE = 255, 1 << 15
HEADS = ("cls", "bbox", "obj", "kps")


def fields(data):
    """The fields of a message of protocol buffers: numbers and values, which are integers or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
            continue
        length = {1: 8, 2: None, 5: 4}[kind]
        if length is None:
            length = varint()
        yield number, data[at:at + length]
        at += length


def tensor(data):
    """The name, the dimensions and the floats of an ONNX TensorProto."""
    name, dimensions, raw = "", [], b""
    for number, value in fields(data):
        if number == 1:
            dimensions.append(value)
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
    return name, dimensions, struct.unpack(f"<{len(raw) // 4}f", raw[:len(raw) // 4 * 4])


def convolutions(onnx):
    """The weights [output][input][3 x 3] and biases of each convolution of an ONNX ModelProto, in the file's order."""
    graph = next(value for number, value in fields(onnx) if number == 7)
    tensors, inputs = {}, []
    for number, value in fields(graph):
        if number == 5:
            name, dimensions, values = tensor(value)
            tensors[name] = dimensions, values
        elif number == 1:
            node = list(fields(value))
            if (4, b"Conv") in node:
                inputs.append([text.decode() for kind, text in node if kind == 1])
    for _, weights, biases in inputs:
        (outputs, channels, height, width), values = tensors[weights]
        taps = height * width
        yield [[values[(o * channels + i) * taps:(o * channels + i + 1) * taps] for i in range(channels)]
               for o in range(outputs)], list(tensors[biases][1])


def in_order(found):
    """The convolutions as the network runs them. The four heads of a level become one pair."""
    trunk, heads = found[:29], found[29:]
    if len(found) != 29 + 24:
        raise ValueError(f"{len(found)} convolutions instead of 53")
    yield from trunk
    for level in range(3):
        for step in range(2):
            parts = [heads[head * 6 + level * 2 + step] for head in range(len(HEADS))]
            yield [row for weights, _ in parts for row in weights], [bias for _, biases in parts for bias in biases]


def largest_shift(weights, biases, largest_input, fraction_bits):
    """The most bits after the point for weights of 16 bits and sums of 32."""
    for shift in range(24, 0, -1):
        rows = [[round(w * 2 ** shift) for taps in row for w in taps] for row in weights]
        sums = [sum(map(abs, row)) * largest_input + abs(round(bias * 2 ** (shift + fraction_bits))) + 2 ** shift
                for row, bias in zip(rows, biases)]
        if max(abs(w) for row in rows for w in row) < 1 << 15 and max(sums) < 1 << 31:
            return shift
    raise ValueError("weights of another scale")


def packed(index, weights, biases):
    """One convolution of the file."""
    is_first = index == 0
    bits = 0 if is_first else FRACTION_BITS
    shift = largest_shift(weights, biases, LARGEST_PIXEL if is_first else LARGEST_VALUE, bits)
    whole = [[[round(w * 2 ** shift) for w in taps] for taps in row] for row in weights]
    if is_first:
        # The inputs are the three values and a zero of nine pixels.
        whole = [[[row[i][tap] if i < 3 else 0] for tap in range(9) for i in range(4)] for row in whole]
    outputs, inputs, taps = len(whole), len(whole[0]), len(whole[0][0])
    if taps == 9:
        ordered = [whole[o][0][tap] for tap in range(9) for o in range(outputs)]
    else:
        ordered = [whole[o][i + k][0] for i in range(0, inputs, 2) for o in range(outputs) for k in range(2)]
    down = shift - FRACTION_BITS if is_first else shift
    # Half of the last bit: shifting then rounds.
    offsets = [round(bias * 2 ** (shift + bits)) + (1 << down >> 1) for bias in biases]
    return struct.pack(f"<i{outputs}i{len(ordered)}h", down, *offsets, *ordered)


def convert(onnx):
    """The bytes of the face model. Raises an exception for any other file."""
    body = b"".join(packed(index, *one) for index, one in enumerate(in_order(list(convolutions(onnx)))))
    return MAGIC + struct.pack("<I", zlib.crc32(body)) + body
