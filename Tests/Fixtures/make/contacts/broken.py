"""Cards that cannot be read, among others that can."""
from .card import JPEG, PNG, b64, card, inline, lines

ONE, TWO = card(name="One"), card(name="Two")
BOTH = [{"name": "One"}, {"name": "Two"}]


def books():
    yield "no-end", ONE + lines("BEGIN:VCARD", "FN:Lost") + TWO, BOTH, [(5, "contact-malformed")]
    yield "no-end-last", ONE + TWO + lines("BEGIN:VCARD", "FN:Lost"), BOTH, [(9, "contact-malformed")]
    yield "no-end-in-photo", ONE + TWO + lines("BEGIN:VCARD", "PHOTO;ENCODING=b:" + b64(JPEG)), BOTH, \
        [(9, "contact-malformed")]
    yield "nothing-inside", ONE + lines("BEGIN:VCARD", "VERSION:3.0", "END:VCARD") + TWO, BOTH, []
    yield "only-garbage", ONE + lines("BEGIN:VCARD", "\0\1\2", "what is this", "END:VCARD") + TWO, BOTH, \
        [(5, "contact-empty")]
    yield "only-empty-fields", ONE + lines("BEGIN:VCARD", "FN:", "N:;;;;", "TEL:", "END:VCARD") + TWO, BOTH, \
        [(5, "contact-empty")]
    yield "agent-without-end", ONE + card("AGENT:", "BEGIN:VCARD", "FN:Agent", name="Kept") + TWO, \
        [{"name": "One"}, {"name": "Kept"}, {"name": "Two"}], []
    yield "all-broken", lines("BEGIN:VCARD", "END:VCARD", "BEGIN:VCARD"), [], \
        [(3, "contact-malformed")]
    yield "garbage-lines-in-a-card", card("no colon here", ";;;", ":", "=", "TEL:1", name="One") + TWO, \
        [{"name": "One", "phones": ["1"]}, {"name": "Two"}], []
    yield "photo-of-garbage", card("PHOTO;ENCODING=b:!!!", name="One") + TWO, [{"name": "One", "photo": None}, {"name": "Two"}], []
    yield "photo-cut-off", card("PHOTO;ENCODING=b:" + b64(PNG)[:40], name="One") + TWO, \
        [{"name": "One", "photo": inline(PNG[:30])}, {"name": "Two"}], []
    yield "zeros-behind", ONE + TWO + "\0" * 64, BOTH, []


def fixtures():
    for name, data, contacts, failures in books():
        yield "broken", name, data.encode(), \
            {"contacts": contacts, "failures": [{"line": line, "code": code} for line, code in failures]}
