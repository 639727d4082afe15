#!/usr/bin/env python3
"""Writes a book of invented people: make_book.py OUT.vcf [CARDS] [SHARE WITH PHOTO, 0.1] [PHOTO BYTES, 30000]"""
import base64
import random
import sys

GIVEN = "Ada Björn Chloé Дарья Emil Fatima Grace 浩 Inés Jürgen Катя Lý Mira Noël Olga Pär Qiu Rosa Søren Tomás".split()
FAMILY = "Åberg Brown Çelik Dvořák Егорова Fontaine García Hughes Иванов Jansen Kowalski Lindqvist Müller 中村 O'Neill".split()
ORGS = ["Northwind Traders;Sales", "Fabrikam, Inc.;Research;Optics", "Contoso", ""]
random.seed(7)


def fold(line):
    data, parts = line.encode(), []
    while len(data) > 75:
        end = 75
        while data[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(data[:end])
        data = b" " + data[end:]
    return b"\r\n".join(parts + [data]) + b"\r\n"


def card(i, photo):
    given, family = random.choice(GIVEN), random.choice(FAMILY)
    yield "BEGIN:VCARD"
    yield "VERSION:3.0"
    yield f"UID:{random.getrandbits(32):08x}-{random.getrandbits(16):04x}-4{i % 4096:03x}-8abc-{i:012x}"
    yield f"FN:{given} {family}"
    yield f"N:{family};{given};;;"
    if org := random.choice(ORGS).replace(",", "\\,"):
        yield f"ORG:{org}"
        yield "TITLE:Field engineer"
    yield f"TEL;TYPE=CELL,VOICE:+1 555 {random.randrange(1000):03} {random.randrange(10000):04}"
    if i % 3 == 0:
        yield f"TEL;TYPE=HOME;TYPE=pref:+44 20 7946 {random.randrange(10000):04}"
    yield f"EMAIL;TYPE=INTERNET,WORK:person{i}@example.org"
    yield "ADR;TYPE=HOME:;;12 Example Street;Springfield;;12345;Nowhere"
    if i % 4 == 0:
        yield "NOTE:Met at the conference\\, likes long walks\\; wrote back in spring and asked about the photos of the trip."
    if i % 5 == 0:
        yield f"X-TELEGRAM:person{i}"
    yield "CATEGORIES:myContacts,Friends"
    if photo:
        yield "PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(b"\xff\xd8\xff\xe0" + random.randbytes(photo)).decode()
    yield "REV:2024-05-01T10:20:30Z"
    yield "END:VCARD"


out, cards = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
share = float(sys.argv[3]) if len(sys.argv) > 3 else 0.1
size = int(sys.argv[4]) if len(sys.argv) > 4 else 30_000
with open(out, "wb") as book:
    for i in range(cards):
        for line in card(i, size if random.random() < share else 0):
            book.write(fold(line))
