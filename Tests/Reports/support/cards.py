"""vCards with a photo: a picture of our own, and the ways in which programs write it into a card."""
import base64
import random

from support import contacts, pictures


def photo(seed=1):
    """A small PNG whose base64 has every character of the alphabet."""
    dice = random.Random(seed)
    return pictures.png([[tuple(dice.randrange(256) for _ in range(3)) for _ in range(32)] for _ in range(32)])


def encoded(seed=1):
    return base64.b64encode(photo(seed)).decode()


def folded(line, indent=" ", width=75, end="\r\n"):
    """The line in physical lines of at most `width` characters (RFC 6350 3.2)."""
    pieces, rest = [line[:width]], line[width:]
    while rest:
        pieces.append(indent + rest[:width - len(indent)])
        rest = rest[width - len(indent):]
    return end.join(pieces)


def pieces(text, width=72):
    return [text[start:start + width] for start in range(0, len(text), width)]


def expect_photo(trial, *lines, version="3.0", end="\r\n", seed=1):
    """A card with these lines has the photo, drawn as one, and the phone number behind it."""
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", *lines, "TEL:+47 22 55 01 99", version=version, end=end)
    book = contacts.write(trial, "ada.vcf", card)
    contacts.expect_contacts(trial, book, [{
        "name": "Ada Moe", "photo": contacts.digest(photo(seed)), "avatar": "photo", "phones": ["+47 22 55 01 99"]}])
