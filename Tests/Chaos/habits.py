"""Random single operations, as data, with everything in them that carrying them out needs."""
import random

HOWS = ("in-place", "slow", "append", "rename", "vdirsyncer", "exchange", "link")
FORMATS = ("vcard", "ldif", "csv", "json", "people", "plist")
ENDINGS = {"vcard": ".vcf", "ldif": ".ldif", "csv": ".csv", "json": ".json", "people": ".json", "plist": ".plist"}


class Habits:
    """What one seed's writers do. Names come from small sets, so that operations meet."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.revision = 0
        self.colours = [f"{self.random.getrandbits(24):06x}" for _ in range(4)]
        self.forbidden: set[str] = set()
        self.shown: dict[str, str] = {}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *choices):
        return self.random.choice(choices)

    def next(self) -> int:
        self.revision += 1
        return self.revision

    # Cards and photos

    def kind(self, side: int | None = None) -> str:
        """A photo's short name: mostly one of few colours, now and then broken or cut."""
        colour = self.random.choice(self.colours) if self.chance(0.5) else f"{self.random.getrandbits(24):06x}"
        if self.chance(0.08):
            return f"{self.pick('cut', 'broken')}-{colour}"
        return f"{colour}*{side}" if side else colour

    def photo_name(self) -> str:
        return self.pick("p1.png", "p2.png", "pics/p3.png")

    def photo(self, format: str, files: float = 0.4) -> str:
        if format == "people":
            return "none" if self.chance(0.1) else f"file:{self.photo_name()}"
        if format == "ldif":
            files = 0
        if self.chance(0.12):
            return "none"
        return f"file:{self.photo_name()}" if self.chance(files) else f"inline:{self.kind()}"

    def card(self, number: int | None = None, format: str = "vcard", **more) -> dict:
        number = self.random.randrange(14) if number is None else number
        mail = number if self.chance(0.85) else self.random.randrange(4)
        return {"uid": f"c{number}", "name": f"Name {number}", "mail": f"m{mail}@example.org",
                "photo": self.photo(format), "revision": self.next(), "phones": self.random.randrange(1, 3)} | more

    def style(self, wild: float = 0.3, format: str = "vcard") -> dict:
        """How a file is written; `wild`: how often as few programs do."""
        if not self.chance(wild):
            return {}
        if format == "ldif":
            # RFC 2849 knows no other line ends, and UTF-8 only.
            return {"eol": self.pick("lf", "crlf"), "ends": self.chance(0.5)}
        return {"eol": self.pick("lf", "crlf", "crlf", "cr"), "ends": self.chance(0.5),
                "encoding": self.pick("utf-8", "utf-8", "utf-8-sig", "utf-16-le", "utf-16-be")}

    # A folder of vCards

    def item(self, book: str = "a") -> str:
        number = self.random.randrange(8)
        return f"{book}/{self.pick('', '', 's1/', 's2/')}c{number}.vcf"

    def write_item(self, path: str | None = None, **more) -> dict:
        path = path or self.item()
        number = int("".join(filter(str.isdigit, path.rsplit("/", 1)[1])) or 0)
        cards = [self.card(number + 20 * (path.count("s1/") + 2 * path.count("s2/")))]
        while self.chance(0.15):
            cards.append(self.card(60 + self.random.randrange(9)))
        return {"op": "cards", "path": path, "cards": cards, "how": self.pick(*HOWS)} | more

    def edit(self, path: str, format: str, how=None) -> dict:
        change = self.pick("insert-front", "append", "replace", "delete", "add-phone", "add-phone-all")
        op = {"op": "edit", "path": path, "change": change, "how": how or self.pick(*HOWS), "at": self.random.randrange(9)}
        if change in ("insert-front", "append", "replace"):
            op["card"] = self.card(100 + self.next(), format)
        if self.chance(0.2):
            op["ends"] = self.chance(0.5)
        return op | {"revision": 1000 * self.next()}

    def photo_file(self, book: str = "a", name: str | None = None, **more) -> dict:
        path = f"{book}/{self.pick('', '', 's1/', 's2/')}{name or self.photo_name()}"
        return {"op": "photo", "path": path, "photo": self.kind(), "how": self.pick(*HOWS)} | more

    def scaled_photo(self, book: str = "a") -> dict:
        stem = self.photo_name()[:-4]
        return {"op": "photo", "path": f"{book}/{stem}{self.pick('', '@2x', '@3x')}.png", "photo": self.kind(),
                "how": self.pick(*HOWS)}

    def flips(self, path: str) -> dict:
        steps = [[self.random.choice(self.colours[:2]), self.random.choice((0, 2, 5, 10, 20, 30))]
                 for _ in range(self.random.randrange(2, 6))]
        if self.chance(0.5):
            # Saved, and undone: there and back to what it was.
            steps = [[self.colours[1], self.random.choice((10, 20, 35))], [self.shown.get(path, self.colours[0]), 0]]
        self.shown[path] = steps[-1][0]
        return {"op": "flips", "path": path, "how": self.pick("in-place", "rename"), "steps": steps}

    def folder_change(self, book: str = "a") -> dict:
        """Names, links and modes of a folder and its sub-folders."""
        sub, other = self.random.sample(("s1", "s2", "s3"), 2)
        match self.pick("remove", "rename", "exchange", "exchange-folders", "hard-link", "away", "back", "forbid", "allow",
                        "remove-all", "beside"):
            case "remove":
                return {"op": "remove", "path": self.item(book)}
            case "rename":
                return {"op": "rename", "path": self.item(book), "to": self.item(book)}
            case "exchange":
                return {"op": "exchange", "path": self.item(book), "to": self.item(book)}
            case "exchange-folders":
                return {"op": "exchange", "path": f"{book}/{sub}", "to": f"{book}/{other}"}
            case "hard-link":
                return {"op": "hard-link", "path": self.item(book), "to": f"{book}/l{self.random.randrange(3)}.vcf"}
            case "away":
                return {"op": "rename", "path": f"{book}/{sub}", "to": f"away/{sub}"}
            case "back":
                return {"op": "rename", "path": f"away/{sub}", "to": f"{book}/{sub}"}
            case "forbid":
                path = self.pick(f"{book}/{sub}", self.item(book))
                self.forbidden.add(path)
                return {"op": "mode", "path": path, "mode": "000"}
            case "allow":
                return self.allow()
            case "remove-all":
                return {"op": "remove", "path": f"{book}/{sub}"}
            case _:
                card = self.card(self.random.randrange(200, 205), "json")
                return {"op": "cards", "path": f"{book}/beside.json", "cards": [card], "how": self.pick(*HOWS)}

    def allow(self) -> dict:
        path = self.forbidden.pop() if self.forbidden else "a/s1"
        return {"op": "mode", "path": path, "mode": "700"}

    def allow_all(self) -> list[dict]:
        operations = []
        while self.forbidden:
            operations.append(self.allow())
        return operations

    def links(self, book: str = "a") -> dict:
        """Links to photos, cards and folders, inside the book's folder; and what they lead to changes."""
        return self.pick(
            lambda: {"op": "symlink", "path": f"{book}/p1.png", "to": self.pick("p2.png", ".store/p1.png", "s1/p1.png")},
            lambda: {"op": "symlink", "path": f"{book}/pics", "to": self.pick(".store", "s1")},
            lambda: {"op": "symlink", "path": f"{book}/linked", "to": self.pick(".store", ".store2")},
            lambda: {"op": "symlink", "path": f"{book}/c9.vcf", "to": self.pick(".store/c9.vcf", "s1/c9.vcf")},
            lambda: self.write_item(f"{book}/{self.pick('.store', '.store2', 's1')}/c{self.pick(8, 9)}.vcf"),
            lambda: {"op": "photo", "path": f"{book}/{self.pick('.store', 's1', '.')}/{self.pick('p1', 'p2', 'p3')}.png",
                     "photo": self.kind(), "how": self.pick(*HOWS)},
            lambda: self.generation(book),
        )()

    def generation(self, book: str = "a") -> dict:
        files: dict = {f"k{number}.vcf": [self.card(300 + number)] for number in range(self.random.randrange(1, 3))}
        return {"op": "generation", "path": book, "revision": self.next(), "files": files | {"p1.png": self.kind()}}

    def second_name(self, book: str = "a") -> dict:
        """Further names of cards: hard links inside and outside of the book, with the endings of backups and of cards; links
        with the names of cards to files without; and writes through each of them."""
        number = self.random.randrange(4)
        item, version = f"{book}/c{number}.vcf", f"versions/c{number}-{self.random.randrange(3)}"
        backup = f"{book}/{self.pick(f'c{number}.bak', f'b{number}', f'c{number}.vcf~', f'.c{number}.vcf', f's1/c{number}.bak')}"
        outside = f"outside/{self.pick(f'c{number}.vcf', f'c{number}.bak')}"
        in_place = lambda: self.pick("in-place", "slow", "append")  # noqa: E731
        return self.pick(
            lambda: {"op": "hard-link", "path": item, "to": backup},
            lambda: {"op": "hard-link", "path": backup, "to": item},
            lambda: {"op": "hard-link", "path": item, "to": outside},
            lambda: {"op": "hard-link", "path": item, "to": f"{book}/{self.pick('s2/', '')}l{number}.vcf"},
            lambda: self.write_item(backup, how=in_place()),
            lambda: self.edit(backup, "vcard", in_place()),
            lambda: {"op": "write-outside", "path": outside, "cards": [self.card(number)]},
            lambda: {"op": "remove", "path": self.pick(item, backup, outside)},
            lambda: self.write_item(f"{book}/{version}"),
            lambda: {"op": "symlink", "path": f"{book}/v{number}.vcf", "to": version},
            lambda: {"op": "symlink", "path": f"{book}/s2/v{number}.vcf", "to": f"../{version}"},
            lambda: {"op": "symlink", "path": f"{book}/current{number}", "to": version},
            lambda: {"op": "symlink", "path": f"{book}/w{number}.vcf", "to": f"current{number}"},
            lambda: {"op": "symlink", "path": f"{book}/c{number}.old", "to": f"c{number}.vcf"},
            lambda: self.write_item(item),
        )()

    def concatenated(self, book: str = "a") -> list[dict]:
        """`cat` of cards into one file, the parts with and without last line end, and with marks of byte order."""
        parts = self.random.sample(range(4), 2)
        paths = [f"{book}/c{number}.vcf" for number in parts]
        written = [self.write_item(path, eol=self.pick("lf", "crlf"), ends=self.chance(0.5),
                                   encoding=self.pick("utf-8", "utf-8", "utf-8-sig")) for path in paths]
        if self.chance(0.1):
            written = [part | {"encoding": "utf-16-le"} for part in written]
        to = f"{book}/{self.pick('all.vcf', 's1/all.vcf', paths[0].split('/')[1])}"
        gone = [{"op": "remove", "path": path} for path in paths if path != to] if self.chance(0.4) else []
        return [*written, {"op": "concatenate", "from": paths, "path": to, "how": self.pick("in-place", "rename", "slow")}, *gone]

    def joined(self, path: str, format: str) -> list[dict]:
        """The same for a book of one file: another export is put behind it."""
        cards = [self.card(30 + self.random.randrange(9), format) for _ in range(self.random.randrange(1, 4))]
        style = {"eol": self.pick("lf", "crlf"), "ends": self.chance(0.5), "encoding": self.pick("utf-8", "utf-8", "utf-8-sig")}
        part = f"{path.split('/')[0]}/part"
        return [{"op": "cards", "path": part, "cards": cards} | style,
                {"op": "concatenate", "from": self.pick([path, part], [part, path], [path, part, part]), "path": path,
                 "how": self.pick("in-place", "rename", "append")}]

    # The service and its clients

    def pause(self) -> dict:
        return {"op": "pause", "milliseconds": self.random.choice((1, 5, 20, 45, 60, 120, 300))}

    def size(self) -> int:
        """Pages ask for several sizes, some for the first time while a photo changes."""
        return self.pick(12, self.random.randrange(13, 25))

    def ask(self) -> dict:
        return {"op": "ask", "size": self.size(), "at": [self.random.randrange(20) for _ in range(4)]}

    def asking(self) -> dict:
        return {"op": "asking", "size": self.size(), "milliseconds": self.random.choice((50, 200, 400))}

    def client(self) -> dict:
        match self.pick("leave", "come-back", "ask", "asking", "pause"):
            case "ask":
                return self.ask()
            case "asking":
                return self.asking()
            case "pause":
                return self.pause()
            case name:
                return {"op": name, "at": self.random.randrange(2)}
