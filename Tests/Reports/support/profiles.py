"""Small ICC profiles (ICC.1:2022): of colours with other primaries, and of gray."""
import struct


def _tag(kind, body):
    return kind + b"\0\0\0\0" + body


def _xyz(*values):
    return _tag(b"XYZ ", struct.pack(">3i", *(round(value * 65536) for value in values)))


def _curve(gamma):
    return _tag(b"curv", struct.pack(">IH", 1, round(gamma * 256)))


def _profile(space, tags, connection=b"XYZ "):
    table, data = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for name, body in tags:
        table += name + struct.pack(">II", start + len(data), len(body))
        data += body + b"\0" * (-len(body) % 4)
    white = struct.pack(">3i", 63190, 65536, 54061)
    head = struct.pack(">I4sI4s4s4s", 0, b"\0\0\0\0", 0x02400000, b"mntr", space, connection)
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + b"\0" * 28 + white
    head = head.ljust(128, b"\0")
    whole = head + table + data
    return struct.pack(">I", len(whole)) + whole[4:]


def _text():
    return _tag(b"text", b"own\0")


def display_p3(gamma=2.2):
    """The primaries of Display P3, adapted to D50, with a plain curve."""
    curve = _curve(gamma)
    return _profile(b"RGB ", [
        (b"cprt", _text()), (b"desc", _tag(b"desc", struct.pack(">I", 3) + b"P3\0" + b"\0" * 78)),
        (b"wtpt", _xyz(0.9642, 1, 0.8249)), (b"rXYZ", _xyz(0.51512, 0.24120, -0.00105)),
        (b"gXYZ", _xyz(0.29198, 0.69225, 0.04189)), (b"bXYZ", _xyz(0.15710, 0.06657, 0.78407)),
        (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)])


def gray(gamma=2.2, connection=b"XYZ "):
    return _profile(b"GRAY", [
        (b"cprt", _text()), (b"desc", _tag(b"desc", struct.pack(">I", 5) + b"gray\0" + b"\0" * 78)),
        (b"wtpt", _xyz(0.9642, 1, 0.8249)), (b"kTRC", _curve(gamma))], connection)
