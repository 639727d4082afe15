"""Writes cards and what is expected of them."""
import base64

# Stand-ins: what matters is how they begin.
JPEG = bytes.fromhex("ffd8ffe000104a46494600010101") + bytes(range(1, 60))
WEBP = b"RIFF" + bytes.fromhex("56000000") + b"WEBPVP8L" + bytes(range(50, 110))
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452") + bytes(range(100, 160))


def lines(*content, end="\r\n"):
    return end.join([*content, ""])


def card(*content, version="3.0", name="Ada Example", end="\r\n"):
    head = [f"VERSION:{version}"] if version else []
    return lines("BEGIN:VCARD", *head, f"FN:{name}", *content, "END:VCARD", end=end)


def one(**expected):
    """What is expected of a book of one contact."""
    return {"contacts": [expected]}


def inline(data, crop=None):
    return {"inline": data.hex(), **({"crop": crop} if crop else {})}


def b64(data):
    return base64.b64encode(data).decode()


def fold(text, width=60, blank=" ", end="\r\n"):
    """Cuts a line into several, each but the first after `blank`."""
    parts = [text[i:i + width] for i in range(0, len(text), width)]
    return (end + blank).join(parts)
