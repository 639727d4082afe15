"""A generated address book: one vCard a contact, and a photo of its own for each."""
import hashlib
import random
import threading
import time
from pathlib import Path


class Book:
    """`folder/NUMBER.vcf` with `folder/photos/NUMBER.EXT`. Knows what each contact is called now. `lasting`: so many of the first
    contacts are never removed. `number`: its place among the books of a service, from 1."""

    def __init__(self, folder, count, photo, lasting=0, number=1):
        self.folder, self.photo, self.bytes = Path(folder), Path(photo), Path(photo).read_bytes()
        self.names, self.lasting, self.number = {}, lasting, number
        self.next = 0
        (self.folder / "photos").mkdir(parents=True)
        for _ in range(count):
            self.add()

    def served(self, contact):
        """The id of a contact in a service."""
        return contact if self.number == 1 else f"{self.number}~{contact}"

    def address(self, contact):
        return f"{contact}@{self.folder.name}.example"

    def hash(self, contact):
        """In addresses of Gravatar."""
        return hashlib.sha256(self.address(contact).encode()).hexdigest()

    def add(self):
        number = self.next
        self.next += 1
        # Bytes behind the end of a picture change its digest, and nothing that is seen.
        self.photo_of(number).write_bytes(self.bytes + f"{self.folder.name} {number}".encode())
        self.write(number, f"Contact {number}")
        return number

    def photo_of(self, number):
        return self.folder / "photos" / f"{number}{self.photo.suffix}"

    def write(self, number, name):
        card = (f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c{number}\r\nFN:{name}\r\nN:{name};;;;\r\n"
                f"EMAIL:{self.address(f'c{number}')}\r\nPHOTO:photos/{number}{self.photo.suffix}\r\nEND:VCARD\r\n")
        new = self.folder / f".{number}.new"
        new.write_text(card, newline="")
        new.rename(self.folder / f"{number}.vcf")
        self.names[f"c{number}"] = name

    def change(self, random: random.Random):
        """One change, as a synchroniser makes it. Returns the id of the contact."""
        number = int(random.choice(sorted(self.names))[1:])
        what = random.random()
        if what < 0.2:
            number = self.add()
        elif what < 0.35 and len(self.names) > 10 and number >= self.lasting:
            (self.folder / f"{number}.vcf").unlink()
            del self.names[f"c{number}"]
        else:
            self.write(number, f"Contact {number} {random.randrange(1_000_000)}")
        return f"c{number}"


class Changer(threading.Thread):
    """Changes books at random, about ten times a second, while it is not held."""

    def __init__(self, books, seed):
        super().__init__(daemon=True)
        self.books, self.chance = list(books), random.Random(seed)
        self.changes, self.ending, self.log = 0, False, []
        self.turn, self.changed = threading.Lock(), threading.Condition()

    def run(self):
        while not self.ending:
            with self.turn:
                book = self.chance.choice(self.books)
                contact = book.change(self.chance)
                self.log.append(f"{time.time():.3f} {book.served(contact)} {book.names.get(contact)}")
            with self.changed:
                self.changes += 1
                self.changed.notify_all()
            threading.Event().wait(self.chance.uniform(0.02, 0.18))

    def hold(self):
        self.turn.acquire()

    def go_on(self):
        self.turn.release()

    def wait(self, changes):
        """Until there were so many changes."""
        with self.changed:
            self.changed.wait_for(lambda: self.changes >= changes)

    def write(self, file):
        file.write_text("".join(line + "\n" for line in self.log))
