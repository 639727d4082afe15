"""A generated address book: one vCard a contact, and a photo of its own for each."""
import random
from pathlib import Path


class Book:
    """`folder/NUMBER.vcf` with `folder/photos/NUMBER.EXT`. Knows what each contact is called now."""

    def __init__(self, folder, count, photo):
        self.folder, self.photo, self.bytes = Path(folder), Path(photo), Path(photo).read_bytes()
        self.names = {}
        self.next = 0
        (self.folder / "photos").mkdir(parents=True)
        for _ in range(count):
            self.add()

    def add(self):
        number = self.next
        self.next += 1
        # Bytes behind the end of a picture change its digest, and nothing that is seen.
        self.photo_of(number).write_bytes(self.bytes + b"%d" % number)
        self.write(number, f"Contact {number}")
        return number

    def photo_of(self, number):
        return self.folder / "photos" / f"{number}{self.photo.suffix}"

    def write(self, number, name):
        card = (f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c{number}\r\nFN:{name}\r\nN:{name};;;;\r\n"
                f"PHOTO:photos/{number}{self.photo.suffix}\r\nEND:VCARD\r\n")
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
        elif what < 0.35 and len(self.names) > 10:
            (self.folder / f"{number}.vcf").unlink()
            del self.names[f"c{number}"]
        else:
            self.write(number, f"Contact {number} {random.randrange(1_000_000)}")
        return f"c{number}"
