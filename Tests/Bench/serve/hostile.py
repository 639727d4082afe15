"""Hostile bytes: malformed requests and broken cards."""
import books


def request(random, address):
    whole = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    pick = random.randrange(12)
    if pick == 0:
        return random.randbytes(random.randrange(1, 4000))
    if pick == 1:
        return whole[:random.randrange(1, len(whole))]
    if pick == 2:
        return whole * 50
    if pick == 3:
        return whole.replace(b"127.0.0.1", b"evil.example")
    if pick == 4:
        return b"GET /" + b"a" * random.randrange(100_000) + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    if pick == 5:
        return whole[:-2] + b"X: y\r\n" * random.randrange(5000) + b"\r\n"
    if pick == 6:
        return b"POST /v1/contacts/person-1/restore HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n"
    if pick == 7:
        return (b"DELETE /v1/contacts/person-1 HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"ffffffffffffffff\r\n" + random.randbytes(100))
    if pick == 8:
        return b"GET /v1/contacts/..%2f..%2fetc%2fpasswd/avatar?size=%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    if pick == 9:
        return b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + random.randbytes(300)
    damaged = bytearray(whole)
    for _ in range(random.randrange(1, 6)):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    return bytes(damaged)


def card(random, number, photos):
    photo = random.choice(photos)
    pick = random.randrange(5)
    if pick == 0:
        return random.randbytes(random.randrange(5000))
    if pick == 1:
        return books.card(number, photo[:random.randrange(2, len(photo))])
    if pick == 2:
        damaged = bytearray(photo)
        for _ in range(20):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        return books.card(number, bytes(damaged))
    whole = books.card(number, photo)
    if pick == 3:
        return whole[:random.randrange(len(whole))]
    return b"BEGIN:VCARD\r\n" * random.randrange(1, 2000) + whole
