"""vCards and photos of the trials, and how they are compared: by content, since servers and programs rewrite them."""
import base64
import hashlib
import re
import struct
import zlib
from dataclasses import dataclass

# What a program sets when it changes something else.
OTHERS = re.compile(r"(REV|PRODID|X-ABCROP-RECTANGLE)[;:]", re.I)


def photo(number: int) -> bytes:
    """A PNG that only this number has."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + struct.pack(">I", number)[1:] * 8
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * 8)) + chunk(b"IEND", b""))


def card(uid: str, name: str, note: str, picture: bytes | None = None) -> bytes:
    line = "" if picture is None else f"PHOTO;ENCODING=b;TYPE=PNG:{base64.b64encode(picture).decode()}\r\n"
    return (f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{uid}\r\nFN:{name}\r\nN:{name};;;;\r\nNOTE:{note}\r\n{line}"
            "END:VCARD\r\n").encode()


@dataclass(frozen=True)
class Content:
    """What a card says. `photo`: a digest, or nothing; `rest`: the other lines, in no order."""
    photo: str
    rest: frozenset[str]

    def value(self, name: str) -> str:
        return next((line.partition(":")[2] for line in self.rest if re.match(rf"{name}[;:]", line, re.I)), "")


def lines_of(data: bytes) -> list[str]:
    text = data.decode().replace("\r\n", "\n")
    return [line for line in re.sub(r"\n[ \t]", "", text).split("\n") if line]


def content(data: bytes | None) -> Content | None:
    """None: there is no card."""
    if data is None:
        return None
    photos, rest = [], set()
    for line in lines_of(data):
        if re.match(r"PHOTO[;:]", line, re.I):
            picture = base64.b64decode(line.rpartition(":")[2].rpartition(",")[2])
            photos.append(hashlib.sha256(picture).hexdigest()[:12])
        elif not OTHERS.match(line):
            rest.add(line)
    return Content("+".join(photos), frozenset(rest))


def changed(data: bytes, note: str | None = None, picture: bytes | None = None) -> bytes:
    """The card with another note or photo, as a careful program writes it: the other lines stay."""
    lines = lines_of(data)
    if note is not None:
        lines = [line for line in lines if not line.startswith("NOTE:")]
        lines.insert(-1, f"NOTE:{note}")
    if picture is not None:
        lines = [line for line in lines if not re.match(r"PHOTO[;:]", line, re.I)]
        if picture:
            lines.insert(-1, f"PHOTO;ENCODING=b;TYPE=PNG:{base64.b64encode(picture).decode()}")
    return "".join(line + "\r\n" for line in lines).encode()
