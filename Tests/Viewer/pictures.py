#!/usr/bin/env python3
"""Whether the pictures of docs/viewer.md are those of the viewer as it is now: each holds a digest of what it was drawn of.

usage: pictures.py     exits with 1 if a picture is out of date; `Tests/Viewer/run screenshots` draws all of them again
"""
import hashlib
import pathlib
import struct
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYWORD = b"tondo-viewer\0"


def digest():
    """Of the viewer, the sample books and the script, by their names and bytes."""
    files = [ROOT / "assets/friends.json", ROOT / "Tests/Viewer/screenshots.py"]
    files += [path for folder in ("viewer", "book", "samples") for path in (ROOT / "assets" / folder).rglob("*") if path.is_file()]
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest().encode()


def chunks(png):
    place = 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        yield kind, png[place + 8:place + 8 + length]
        place += 12 + length


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def stamped(png):
    """The picture with the digest, in a tEXt chunk."""
    parts = [chunk(kind, body) for kind, body in chunks(png)]
    return png[:8] + parts[0] + chunk(b"tEXt", KEYWORD + digest()) + b"".join(parts[1:])


def is_current(png):
    return any(kind == b"tEXt" and body == KEYWORD + digest() for kind, body in chunks(png))


def main():
    old = [path.name for path in sorted((ROOT / "docs").glob("viewer-*.png")) if not is_current(path.read_bytes())]
    for name in old:
        print(f"docs/{name} shows another viewer or book: run Tests/Viewer/run screenshots, and look at it", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
