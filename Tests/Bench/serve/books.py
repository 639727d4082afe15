"""Address books made of the samples, without any library."""
import base64
import os

from service import SAMPLES


def photos():
    return [file.read_bytes() for file in sorted(SAMPLES.glob("*.jpg"))]


def distinct(jpeg, number):
    """The same picture in other bytes: a comment behind the first marker."""
    text = f"number {number}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


def card(number, photo=None, note="likes long walks"):
    lines = [b"BEGIN:VCARD", b"VERSION:3.0", f"UID:person-{number}".encode(), f"FN:Person Number {number}".encode(),
             f"N:Number {number};Person;;;".encode(), b"ORG:Northwind;Sales", f"TEL;TYPE=CELL:+1 555 {number:07}".encode(),
             f"EMAIL;TYPE=INTERNET:person{number}@example.org".encode(), b"CATEGORIES:Friends", b"NOTE:" + note.encode()]
    if photo:
        text = b"PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(photo)
        lines.append(text[:75] + b"".join(b"\r\n " + text[i:i + 74] for i in range(75, len(text), 74)))
    return b"\r\n".join(lines + [b"END:VCARD", b""])


def make(folder, people, photo_every=1):
    """A folder of cards; one in `photo_every` has a photo, each another one."""
    folder.mkdir()
    pictures = photos()
    for number in range(people):
        photo = distinct(pictures[number % len(pictures)], number) if number % photo_every == 0 else None
        (folder / f"{number}.vcf").write_bytes(card(number, photo))
    return folder


def replace(folder, number, data):
    """As vdirsyncer does: written beside it, under its name and some letters, then renamed over it."""
    beside = folder / f"{number}.vcf{os.urandom(4).hex()}"
    beside.write_bytes(data)
    os.rename(beside, folder / f"{number}.vcf")


def face(number, size, more=""):
    return f"/v1/contacts/person-{number}/avatar?size={size}{more}"
