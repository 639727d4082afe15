"""Contacts as other programs write them: the formats of address books, and each contact's own bytes in a file.

A card carries a mark, `mark PHOTO REVISION end`, in its note. The mark is unique, and names the card's photo, so that
one look into a file or into an answer of the service tells which card it is and how its avatar has to look.
"""
import base64
import codecs
import json
import re
from dataclasses import asdict, dataclass

from photos import make

MARK = re.compile(r"mark (\S+) (\d+) end")
FORMATS = ("vcard", "ldif", "csv", "json", "people", "plist")
ENDINGS = {"vcard": ".vcf", "ldif": ".ldif", "csv": ".csv", "json": ".json", "people": ".json", "plist": ".plist"}
LINE_ENDS = {"crlf": "\r\n", "lf": "\n", "cr": "\r"}
BYTE_ORDER_MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8-sig": codecs.BOM_UTF8}
CSV_HEADER = "Given Name,Family Name,Notes,Photo,E-mail 1 - Value,Phone 1 - Value,Phone 2 - Value"


@dataclass
class Card:
    """One contact. `photo`: `none`, `inline:KIND` (see `photos.make`) or `file:PATH`."""
    uid: str
    name: str
    mail: str
    photo: str
    revision: int
    phones: int = 1

    @property
    def mark(self) -> str:
        return f"mark {self.photo} {self.revision} end"

    @property
    def inline(self) -> bytes | None:
        return make(self.photo[7:]) if self.photo.startswith("inline:") else None

    @property
    def file(self) -> str | None:
        return self.photo[5:] if self.photo.startswith("file:") else None

    def data(self) -> dict:
        return asdict(self)


@dataclass
class Style:
    """How a program writes a file: its format, line ends, encoding, and whether the last line has an end."""
    format: str = "vcard"
    eol: str = "crlf"
    encoding: str = "utf-8"
    ends: bool = True

    def encode(self, text: str) -> bytes:
        text = text.replace("\n", LINE_ENDS[self.eol])
        mark = BYTE_ORDER_MARKS.get(self.encoding, b"")
        return mark + text.encode("utf-8" if self.encoding == "utf-8-sig" else self.encoding)


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file and its encoding, by its byte order mark. Bytes that are no text become U+FFFD."""
    for encoding, mark in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            plain = "utf-8" if encoding == "utf-8-sig" else encoding
            return data[len(mark):].decode(plain, "replace"), encoding
    return data.decode("utf-8", "replace"), "utf-8"


def chunk(card: Card, format: str) -> str:
    """The contact's own text, with LF as line ends and none at its end."""
    photo = base64.b64encode(card.inline).decode() if card.inline else ""
    phones = [f"+1 555 {card.revision:04}{number:03}" for number in range(card.phones)]
    if format == "vcard":
        lines = ["BEGIN:VCARD", "VERSION:3.0", f"UID:{card.uid}", f"FN:{card.name}", f"N:{card.name};;;;",
                 f"EMAIL;TYPE=INTERNET:{card.mail}", *(f"TEL;TYPE=CELL:{phone}" for phone in phones), f"NOTE:{card.mark}"]
        lines += [_folded(f"PHOTO;ENCODING=b;TYPE=PNG:{photo}")] if photo else []
        lines += [f"PHOTO;VALUE=uri:{card.file}"] if card.file else []
        return "\n".join([*lines, "END:VCARD"])
    if format == "ldif":
        lines = [f"dn: uid={card.uid},dc=example", "objectClass: inetOrgPerson", f"uid: {card.uid}", f"cn: {card.name}",
                 f"sn: {card.name}", f"mail: {card.mail}", *(f"telephoneNumber: {phone}" for phone in phones),
                 f"description: {card.mark}"]
        return "\n".join(lines + ([_folded(f"jpegPhoto:: {photo}")] if photo else []))
    if format == "csv":
        address = card.file or (f"data:image/png;base64,{photo}" if photo else "")
        return f'{card.uid},{card.name},{card.mark},"{address}",{card.mail},{phones[0]},{"".join(phones[1:2])}'
    if format == "json":
        value = {"id": card.uid, "name": {"formatted": card.name}, "introduction": card.mark,
                 "emails": [{"value": card.mail}], "phones": [{"value": phone} for phone in phones]}
        if card.photo != "none":
            value["photo"] = {"data": photo} if photo else {"file": card.file}
        return json.dumps(value)
    if format == "people":
        return json.dumps({"id": card.uid, "first_name": card.name, "last_name": card.uid, "title": " ".join(phones),
                           "avatar_filename": card.file or "", "introduction": card.mark})
    icon = card.file or (f"data:image/png;base64,{photo}" if photo else "")
    return (f"<dict><key>icon</key><string>{icon}</string><key>intro</key><string>{card.mark}</string>"
            f"<key>name</key><string>{card.uid} {card.name}</string><key>vip</key><integer>{card.phones % 2}</integer></dict>")


def _folded(line: str) -> str:
    return line[:75] + "".join(f"\n {line[at:at + 74]}" for at in range(75, len(line), 74))


def assemble(chunks: list[str], style: Style) -> bytes:
    """A file of these contacts. Chunks keep their own line ends where they have others than LF."""
    end = "\n" if style.ends else ""
    if style.format == "vcard":
        return style.encode("\n".join(chunks) + (end if chunks else ""))
    if style.format == "ldif":
        return style.encode("version: 1\n\n" + "\n\n".join(chunks) + (end if chunks else ""))
    if style.format == "csv":
        return style.encode("\n".join([CSV_HEADER, *chunks]) + end)
    if style.format == "json":
        return style.encode('{"tondo":1,"contacts":[\n' + ",\n".join(chunks) + "\n]}" + end)
    if style.format == "people":
        return style.encode("[\n" + ",\n".join(chunks) + "\n]" + end)
    return style.encode(
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<array>\n<dict><key>friends</key><array>\n'
        + "\n".join(chunks) + "\n</array><key>name</key><string>Friends</string></dict>\n</array>\n</plist>" + end)


def split(data: bytes, format: str) -> tuple[list[str], Style]:
    """The contacts' texts of a file, with LF as line ends, and how the file is written. What belongs to no contact is
    left out."""
    text, encoding = decode(data)
    eol = "crlf" if "\r\n" in text else "cr" if "\r" in text else "lf"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    style = Style(format, eol, encoding, text.endswith("\n"))
    if format == "vcard":
        # Also of files that were joined without a line end: `END:VCARDBEGIN:VCARD` is two cards.
        return re.findall(r"(?s)BEGIN:VCARD\n.*?\nEND:VCARD", text), style
    if format == "ldif":
        parts = (part.strip("\n") for part in re.split(r"\n{2,}", text))
        # Not the record at the seam of two files that were joined without a line end.
        return [part for part in parts if part.startswith("dn:") and not re.search(r".version: 1$", part)], style
    if format == "csv":
        lines = (line.lstrip("\ufeff") for line in text.split("\n")[1:])
        # Neither a second header, nor the row that one was joined to without a line end.
        return [line for line in lines if line and CSV_HEADER not in line], style
    if format == "plist":
        return re.findall(r"<dict><key>icon</key>.*?</dict>", text), style
    return _objects(text), style


def _objects(text: str) -> list[str]:
    """The contacts of a JSON book, as they are written."""
    reader, found, at = json.JSONDecoder(), [], text.find("[") + 1
    while at and (at := _skipped(text, at)) < len(text) and text[at] == "{":
        try:
            _, end = reader.raw_decode(text, at)
        except ValueError:
            break
        found.append(text[at:end])
        at = end
    return found


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \n\r\t,":
        at += 1
    return at


def marks(text: str) -> list[str]:
    """The marks in a text, in its order."""
    return [found.group() for found in MARK.finditer(text)]


def photo_of(mark: str) -> str:
    """What the card of a mark has as its photo."""
    return MARK.fullmatch(mark)[1]
