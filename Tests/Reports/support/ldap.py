"""A directory in this process that speaks as much LDAP (RFC 4511) as its clients here do, and the people that a mirror of
it shows."""
import re
import socket
import threading

from support import contacts

PAGES = "1.2.840.113556.1.4.319"
ACTIVE_DIRECTORY = {"supportedLDAPVersion": ["3"], "supportedControl": [PAGES],
                    "supportedCapabilities": ["1.2.840.113556.1.4.800"]}
SUCCESS, SIZE_LIMIT, REFERRAL, NO_EXTENSION = 0, 4, 10, 12


def element(tag, content):
    """One element in BER (X.690), its length in the shortest form."""
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    count = (size.bit_length() + 7) // 8
    return bytes([tag, 0x80 | count]) + size.to_bytes(count, "big") + content


def octets(text, tag=4):
    return element(tag, text if isinstance(text, bytes) else text.encode())


def integer(number, tag=2):
    return element(tag, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def first(data, at=0):
    """Tag and content of the element at `at`, and where it ends."""
    tag, size, at = data[at], data[at + 1], at + 2
    if size & 0x80:
        count = size & 0x7F
        size, at = int.from_bytes(data[at:at + count], "big"), at + count
    return tag, data[at:at + size], at + size


def elements(data):
    found, at = [], 0
    while at < len(data):
        tag, content, at = first(data, at)
        found.append((tag, content))
    return found


def plain(values):
    return [value if isinstance(value, bytes) else value.encode() for value in values]


class Entry:
    def __init__(self, name, attributes):
        self.name, self.attributes = name, {key: plain(values) for key, values in attributes.items()}

    def values(self, key):
        """Those of an attribute, with and without options."""
        return [value for name, values in self.attributes.items() if name.lower().split(";")[0] == key.lower()
                for value in values]

    def matches(self, tag, content):
        """A filter (RFC 4511 4.5.1.7)."""
        if tag in (0xA0, 0xA1):
            return (all if tag == 0xA0 else any)(self.matches(*part) for part in elements(content))
        if tag == 0xA2:
            return not self.matches(*elements(content)[0])
        if tag == 0x87:
            return bool(self.values(content.decode()))
        key, value = (part for _, part in elements(content)[:2])
        own = self.values(key.decode())
        if tag == 0xA5:
            return any(other >= value for other in own)
        return any(other == value or other.lower() == value.lower() for other in own)


class Directory:
    """`entries` are those below its base. `root` are the attributes of its root. Its attributes may be changed between
    two runs:

    - `references`: addresses that follow the entries of each search (RFC 4511 4.5.3)
    - `refuses_pages`: the result code for a search with pages, though the root offers them
    - `size_limit`: the entries that it sends at most, and then result 4
    """
    base = "dc=example,dc=org"

    def __init__(self, trial, entries, root=None):
        self.trial, self.entries = trial, entries
        self.root = Entry("", root or {"supportedLDAPVersion": ["3"], "supportedControl": [PAGES]})
        self.references, self.refuses_pages, self.size_limit, self.result_code = [], None, None, SUCCESS
        self.searches, self.positions = [], {}
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()
        trial.at_end(self.socket.close)

    @property
    def url(self):
        return f"ldap://127.0.0.1:{self.socket.getsockname()[1]}/{self.base}"

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        data = b""
        with connection:
            while True:
                try:
                    end = first(data)[2]
                except IndexError:
                    end = None
                if end is None or end > len(data):
                    try:
                        piece = connection.recv(65536)
                    except OSError:
                        return
                    if not piece:
                        return
                    data += piece
                    continue
                answer = self.answer(data[:end])
                data = data[end:]
                if answer is None:
                    return
                connection.sendall(answer)

    def answer(self, request):
        (_, number), (tag, operation), *rest = elements(first(request)[1])
        if tag == 0x42:
            return None

        def message(operation, controls=b""):
            return element(0x30, element(2, number) + operation + controls)

        def result(tag, code):
            return element(tag, integer(code, 0x0A) + octets("") + octets(""))
        if tag == 0x60:
            return message(result(0x61, SUCCESS))
        if tag != 0x63:
            return message(result(0x78 if tag == 0x77 else tag + 1, 2))
        controls = {}
        for _, control in elements(rest[0][1]) if rest else []:
            parts = elements(control)
            controls[parts[0][1].decode()] = parts[-1][1]
        return self.search(operation, controls, message, result)

    def search(self, operation, controls, message, result):
        fields = elements(operation)
        base = fields[0][1].decode()
        wanted = [name.decode().lower() for _, name in elements(fields[7][1])]
        self.searches.append((base, wanted))
        if base == "":
            return message(self.entry(self.root, wanted)) + message(result(0x65, SUCCESS))
        found = [entry for entry in self.entries if entry.matches(*fields[6])]
        code, sent, reply = self.result_code, found, b""
        if PAGES in controls and self.refuses_pages:
            return message(result(0x65, self.refuses_pages))
        if PAGES in controls and PAGES.encode() in self.root.values("supportedControl"):
            size, cookie = (part for _, part in elements(first(controls[PAGES])[1]))
            start, size = int(cookie or b"0"), int.from_bytes(size, "big")
            sent = found[start:start + size]
            cookie = str(start + size) if start + size < len(found) else ""
            value = element(0x30, integer(0) + octets(cookie))
            reply = element(0xA0, element(0x30, octets(PAGES) + octets(value)))
        if self.size_limit is not None and len(sent) > self.size_limit:
            sent, code = sent[:self.size_limit], SIZE_LIMIT
        lines = [message(self.entry(entry, wanted)) for entry in sent]
        lines += [message(element(0x73, octets(address))) for address in self.references]
        return b"".join(lines) + message(result(0x65, code), reply)

    def entry(self, entry, wanted):
        rows = b"".join(
            element(0x30, octets(name) + element(0x31, b"".join(map(octets, values))))
            for name, values in entry.attributes.items() if not wanted or name.lower().split(";")[0] in wanted)
        return element(0x64, octets(entry.name) + element(0x30, rows))


def person(name, number=1, /, *, without=(), **attributes):
    """An inetOrgPerson. A double underscore in the name of an attribute is a semicolon, a value that is no list stands alone."""
    given, _, family = name.partition(" ")
    own = {"objectClass": ["top", "person", "organizationalPerson", "inetOrgPerson"],
           "entryUUID": [f"11111111-0000-4000-8000-{number:012d}"], "cn": [name], "givenName": [given],
           "sn": [family or given], "modifyTimestamp": ["20260101000000Z"]}
    for key, value in attributes.items():
        own[key.replace("__", ";")] = value if isinstance(value, list) else [value]
    return Entry(f"cn={name},ou=people,dc=example,dc=org", {key: value for key, value in own.items() if key not in without})


def user(name, number=1, /, **attributes):
    """A user of Active Directory."""
    guid = bytes([number % 256]) * 16
    own = {"objectClass": ["top", "person", "organizationalPerson", "user"], "objectCategory": "person", "objectGUID": guid,
           "displayName": name, "whenChanged": "20260101000000.0Z"}
    return person(name, number, without=("entryUUID", "modifyTimestamp"), **{**own, **attributes})


def mirror(trial, directory, more=""):
    """Runs the mirror: its exit status and output, and the people in it, by their names."""
    folder = trial.folder / "config" / "tondo"
    folder.mkdir(exist_ok=True)
    settings = folder / "tondo.toml"
    settings.write_text(f'[sync.staff]\nurl = "{directory.url}"\n{more}')
    settings.chmod(0o600)
    ended = trial.run("sync", "--json")
    output = (ended.stdout + ended.stderr).decode("utf-8", "replace")
    root = trial.folder / "state" / "tondo" / "sync" / "staff"
    cards = [card for card in sorted(root.rglob("*.vcf")) if "trash" not in card.parts] if root.exists() else []
    found = contacts.load(trial, cards[0].parent)["contacts"] if cards else []
    return ended.returncode, output, {contact["displayName"]: contacts.view(contact) for contact in found}


def expect_people(trial, directory, wanted, status=0):
    """`wanted`: some fields of each person, by name. No others are there."""
    code, output, people = mirror(trial, directory)
    trial.expect(f"exit status ({re.sub(chr(10), ' ', output)[:300]})", code, status)
    trial.expect("people", sorted(people), sorted(wanted))
    for name, fields in wanted.items():
        for key, value in fields.items():
            trial.expect(f"{name!r}: {key}", people.get(name, {}).get(key), value)
    return people
