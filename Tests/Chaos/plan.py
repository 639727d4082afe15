"""From a seed to a list of operations. A profile says which writers and which trouble a run has."""
from habits import ENDINGS, FORMATS, HOWS, Habits


def start_folder(habits: Habits, book: str = "a", link: float = 0.15) -> list[dict]:
    operations = [{"op": "book", "book": book, "kind": "folder", "link": habits.chance(link)}]
    operations += [habits.write_item(habits.item(book), how="in-place") for _ in range(habits.random.randrange(3, 8))]
    return operations + [habits.photo_file(book, name, how="in-place") for name in ("p1.png", "p2.png", "pics/p3.png")]


def start_file(habits: Habits, kind: str, people: int, book: str = "a", link: float = 0.15) -> list[dict]:
    cards = [habits.card(number, kind) for number in range(people)]
    scaled = [{"op": "photo", "path": f"{book}/{name}{habits.pick('', '@2x')}.png", "photo": habits.kind()}
              for name in ("p1", "p2", "pics/p3")]
    return [{"op": "book", "book": book, "kind": kind, "link": habits.chance(link)},
            {"op": "cards", "path": f"{book}/book{ENDINGS[kind]}", "cards": cards} | habits.style(format=kind), *scaled]


def mixed(habits: Habits, count: int, *sources, checks: float = 0.25) -> list[dict]:
    """So many operations of these sources, with checks in between; what is forbidden is allowed before a check."""
    operations = []
    for _ in range(count):
        found = habits.random.choice(sources)()
        operations += found if isinstance(found, list) else [found]
        if habits.chance(checks):
            operations += [*habits.allow_all(), {"op": "check"}]
    return operations + habits.allow_all()


def folder(habits: Habits) -> list[dict]:
    """A vCard folder under every kind of writer."""
    change, write = habits.folder_change, habits.write_item
    edit = lambda: habits.edit(habits.item(), "vcard")  # noqa: E731
    return [*start_folder(habits), {"op": "start"},
            *mixed(habits, 14, change, change, change, write, edit, habits.photo_file, habits.client, habits.pause)]


def links(habits: Habits) -> list[dict]:
    """Links to photos, cards, folders and the book itself, and volumes of Kubernetes."""
    first = [habits.links() for _ in range(4)]
    return [*start_folder(habits, link=0.4), *first, {"op": "start"},
            *mixed(habits, 12, habits.links, habits.links, habits.links, habits.write_item, habits.folder_change,
                   habits.pause)]


def file(habits: Habits) -> list[dict]:
    """A one-file book of each format, with photos beside it."""
    kind = habits.pick(*FORMATS)
    path = f"a/book{ENDINGS[kind]}"
    whole = lambda: {"op": "cards", "path": path, "how": habits.pick(*HOWS),  # noqa: E731
                     "cards": [habits.card(number, kind) for number in range(habits.random.randrange(1, 9))]} \
        | habits.style(format=kind)
    edit = lambda: habits.edit(path, kind)  # noqa: E731
    # A book whose only file goes keeps its contacts, unlike a fresh reading: see `lost`.
    return [*start_file(habits, kind, 7), {"op": "start"},
            *mixed(habits, 12, edit, edit, edit, whole, habits.scaled_photo, habits.client, habits.pause)]


def crowd(habits: Habits) -> list[dict]:
    """Many photos, and a book that changes while they are drawn."""
    kind = habits.pick("folder", "folder", "vcard", "ldif", "json")
    operations: list[dict] = [{"op": "book", "book": "a", "kind": kind}]
    format = "vcard" if kind == "folder" else kind
    cards = [habits.card(number, format, photo=f"inline:{habits.random.getrandbits(24):06x}*256") for number in range(48)]
    if kind == "folder":
        operations += [{"op": "cards", "path": f"a/c{card['uid'][1:]}.vcf", "cards": [card]} for card in cards]
        change = lambda: habits.pick(  # noqa: E731
            {"op": "edit-all", "book": "a", "revision": 1000 * habits.next(), "how": habits.pick(*HOWS)},
            habits.edit(f"a/c{habits.random.randrange(48)}.vcf", "vcard"))
    else:
        operations.append({"op": "cards", "path": f"a/book{ENDINGS[kind]}", "cards": cards})
        change = lambda: habits.edit(f"a/book{ENDINGS[kind]}", kind)  # noqa: E731
    operations += [{"op": "start", "wait": False}, habits.pause(), change()]
    return operations + mixed(habits, 3, change, habits.pause, habits.client)


def photo(habits: Habits) -> list[dict]:
    """Photos in files of their own that change quickly, while clients ask for avatars."""
    path = lambda: f"a/{habits.photo_name()}"  # noqa: E731
    cards = [habits.card(number, photo=f"file:{habits.photo_name()}") for number in range(6)]
    flips = lambda: habits.random.sample([habits.asking(), habits.flips(path())], 2) if habits.chance(0.3) \
        else [habits.asking(), *habits.pick([], [habits.pause()]), habits.flips(path())]  # noqa: E731
    return [{"op": "book", "book": "a", "kind": "folder"},
            *({"op": "cards", "path": f"a/c{number}.vcf", "cards": [card]} for number, card in enumerate(cards)),
            *({"op": "photo", "path": f"a/{name}", "photo": habits.colours[0]} for name in ("p1.png", "p2.png", "pics/p3.png")),
            {"op": "start"}, *mixed(habits, 8, flips, flips, habits.photo_file, habits.client, habits.pause, checks=0.4)]


def reload(habits: Habits) -> list[dict]:
    """Two books, of which reloads drop one and take it up again."""
    kind = habits.pick("folder", "vcard", "ldif", "json")
    second = start_folder(habits, "b") if kind == "folder" else start_file(habits, kind, 4, "b")
    again = lambda: {"op": "reload", "books": habits.pick(["a"], ["b"], ["a", "b"], ["b", "a"])}  # noqa: E731
    hangup = {"hangup": habits.random.choice((0.002, 0.008, 0.016))} if habits.chance(0.2) else {}
    return [*start_folder(habits), *second, {"op": "start", "books": ["a", "b"], **hangup},
            *mixed(habits, 8, again, again, habits.write_item, lambda: habits.write_item(habits.item("b")), habits.client)]


def remove(habits: Habits) -> list[dict]:
    """Contacts are removed and restored, while other programs change the same files."""
    kind = habits.pick("folder", "vcard", "vcard", "ldif", "csv", "json", "people", "plist")
    format = "vcard" if kind == "folder" else kind
    path = "a/c1.vcf" if kind == "folder" else f"a/book{ENDINGS[kind]}"
    cards = [habits.card(habits.random.randrange(5), format) for _ in range(habits.random.randrange(2, 6))]
    first = {"op": "cards", "path": path, "cards": cards} | habits.style(0.6, format)
    begin = [{"op": "book", "book": "a", "kind": kind}, first,
             *({"op": "photo", "path": f"a/{name}", "photo": habits.kind()} for name in ("p1.png", "p2.png", "pics/p3.png"))]
    if kind == "folder":
        begin.append(habits.write_item())
    via = lambda: habits.pick("command", "http")  # noqa: E731
    out = lambda: {"op": "take-out", "via": via(), "book": "a", "at": habits.random.choice((-1, 0, 1, 2)),  # noqa: E731
                   "times": habits.pick(1, 1, 2), "visible": habits.chance(0.5)}
    back = lambda: {"op": "put-back", "via": via(), "at": habits.random.randrange(3)}  # noqa: E731
    edit = lambda: habits.edit(path, format, "rename" if habits.chance(0.5) else None)  # noqa: E731
    whole = lambda: {"op": "cards", "path": path, "how": habits.pick(*HOWS), "cards": cards} | habits.style(0.8, format)  # noqa: E731
    race = lambda: {"op": "take-out", "via": "command", "book": "a", "at": habits.random.randrange(4),  # noqa: E731
                    "pause": habits.random.uniform(1, 90),
                    "write": habits.edit(path, format, "rename") | {"change": "append",
                                                                    "card": habits.card(500 + habits.next(), format)}}
    return [*begin, {"op": "start"}, *mixed(habits, 11, out, out, back, back, edit, whole, race)]


def cache(habits: Habits) -> list[dict]:
    """Two services with a tiny cache in common, kills, a converter and a pruner."""
    both = {"cache": "cache", "cache-size": habits.pick("20kB", "60kB")}
    name = lambda: {"service": habits.pick("one", "two")}  # noqa: E731
    command = lambda: {"op": "tondo", "meanwhile": habits.chance(0.3), "words": habits.pick(  # noqa: E731
        ["convert", "BOOK:a", "-o", "OUT", "--cache", "--cache-dir", "CACHE", "--size", "12"],
        ["cache", "prune", "--max-size", "10kB", "--cache-dir", "CACHE"],
        ["cache", "verify", "--repair", "--cache-dir", "CACHE"],
        ["cache", "stat", "--cache-dir", "CACHE"],
        ["cache", "clear", "--yes", "--cache-dir", "CACHE"],
        ["load", "BOOK:b", "--size", "12", "--cache-dir", "CACHE"]), "allowed": [0, 1]}
    kill = lambda: [{"op": "kill", "gently": habits.chance(0.3)} | name(), habits.pause(),  # noqa: E731
                    {"op": "start", "books": ["a"]} | both, {"op": "start", "service": "two", "books": ["b"]} | both]
    return [*start_folder(habits), *start_folder(habits, "b"), {"op": "start", "books": ["a"], **both},
            {"op": "start", "service": "two", "books": ["b"], **both},
            *mixed(habits, 10, command, command, kill, kill, habits.write_item, lambda: habits.write_item(habits.item("b")),
                   lambda: habits.ask() | name())]


def disk(habits: Habits) -> list[dict]:
    """A cache, and now and then the trash's book, on a disk that runs full."""
    where = {"cache": "disk/cache", "cache-size": habits.pick("1MB", "3MB")}
    command = lambda: {"op": "tondo", "cache": "disk/cache", "words": habits.pick(  # noqa: E731
        ["cache", "prune", "--max-size", "10kB", "--cache-dir", "CACHE"],
        ["cache", "verify", "--cache-dir", "CACHE"],
        ["cache", "verify", "--repair", "--cache-dir", "CACHE"],
        ["cache", "stat", "--cache-dir", "CACHE"],
        ["cache", "clear", "--yes", "--cache-dir", "CACHE"]), "allowed": [0, 1]}
    fill = lambda: {"op": "fill", "left": habits.random.choice((0, 0, 4096, 20000))}  # noqa: E731
    many = lambda: [habits.write_item() for _ in range(4)]  # noqa: E731
    return [*start_folder(habits), {"op": "start", **where},
            *mixed(habits, 11, fill, fill, lambda: {"op": "free"}, command, many, many, habits.photo_file, habits.client)]


def descriptors(habits: Habits) -> list[dict]:
    """Changes that arrive while no descriptor is free."""
    edit = lambda: habits.edit(habits.item(), "vcard")  # noqa: E731
    starve = lambda: [{"op": "starve", "left": habits.random.choice((0, 0, 1, 2, 4))},  # noqa: E731
                      habits.pick(habits.write_item, edit, habits.photo_file)(), habits.pause(), habits.pause(), {"op": "feed"}]
    return [*start_folder(habits), {"op": "start"},
            *mixed(habits, 6, starve, starve, habits.write_item, habits.folder_change, habits.client)]


def storm(habits: Habits) -> list[dict]:
    """More events than the kernel keeps, while the service is stopped."""
    change = lambda: habits.pick(habits.write_item, habits.photo_file, habits.folder_change,  # noqa: E731
                                 lambda: habits.edit(habits.item(), "vcard"))()
    stopped = lambda: [{"op": "stop"}, change(), {"op": "storm", "path": "a", "times": 18_000}, change(), change(),  # noqa: E731
                       {"op": "go-on"}]
    return [*start_folder(habits), {"op": "start"}, *mixed(habits, 4, stopped, stopped, change, habits.client, checks=0.5)]


def kill(habits: Habits) -> list[dict]:
    """Kills and restarts with subscribers that come back."""
    again = lambda: [{"op": "kill", "gently": habits.chance(0.4)}, habits.write_item(),  # noqa: E731
                     {"op": "start", "wait": habits.chance(0.5)}]
    return [*start_folder(habits), {"op": "start"},
            *mixed(habits, 9, again, again, habits.write_item, habits.photo_file, habits.client, habits.client)]


def watch(habits: Habits) -> list[dict]:
    """`tondo load --watch` of a folder or file."""
    kind = habits.pick("folder", *FORMATS)
    if kind == "folder":
        return [*start_folder(habits), {"op": "watch", "book": "a"},
                *mixed(habits, 12, habits.folder_change, habits.write_item, habits.photo_file, habits.links, habits.pause)]
    edit = lambda: habits.edit(f"a/book{ENDINGS[kind]}", kind)  # noqa: E731
    return [*start_file(habits, kind, 8), {"op": "watch", "book": "a"},
            *mixed(habits, 10, edit, edit, habits.scaled_photo, habits.pause)]


def names(habits: Habits) -> list[dict]:
    """Hard links inside and outside of the book, links to files without ending, and removal of what has several names."""
    out = lambda: {"op": "take-out", "via": habits.pick("command", "http"), "book": "a",  # noqa: E731
                   "at": habits.random.randrange(6)}
    back = lambda: {"op": "put-back", "via": habits.pick("command", "http"), "at": habits.random.randrange(3)}  # noqa: E731
    begin = [habits.write_item(f"a/c{number}.vcf", how="in-place") for number in range(4)]
    first = [habits.second_name() for _ in range(4)]
    name = habits.second_name
    return [*start_folder(habits), *begin, *first, {"op": "start"}, *mixed(habits, 14, name, name, name, out, back, habits.pause)]


def joined(habits: Habits) -> list[dict]:
    """Files that were joined by `cat`, in a folder and in books of one file."""
    kind = habits.pick("folder", "folder", "vcard", "ldif", "csv")
    if kind == "folder":
        return [*start_folder(habits), {"op": "start"},
                *mixed(habits, 7, habits.concatenated, habits.concatenated, habits.write_item, habits.pause, checks=0.4)]
    path = f"a/book{ENDINGS[kind]}"
    whole = lambda: {"op": "cards", "path": path, "how": habits.pick(*HOWS),  # noqa: E731
                     "cards": [habits.card(number, kind) for number in range(habits.random.randrange(1, 6))],
                     "ends": habits.chance(0.5)}
    out = lambda: {"op": "take-out", "via": habits.pick("command", "http"), "book": "a",  # noqa: E731
                   "at": habits.random.choice((-1, 0, 1, 2))}
    return [*start_file(habits, kind, 4), {"op": "start"},
            *mixed(habits, 7, lambda: habits.joined(path, kind), lambda: habits.joined(path, kind), whole, out, habits.pause,
                   checks=0.4)]


def lost(habits: Habits) -> list[dict]:
    """Books that are forbidden, moved away or replaced for a while; their contacts stay."""
    kind = habits.pick("folder", "folder", "vcard", "ldif", "csv")
    second = start_folder(habits, "b", link=0) if habits.chance(0.5) else []
    books = ["a", "b"] if second else ["a"]
    edit = lambda: habits.edit("a/c1.vcf" if kind == "folder" else f"a/book{ENDINGS[kind]}",  # noqa: E731
                               "vcard" if kind == "folder" else kind)

    def lose() -> list[dict]:
        book = habits.random.choice(books)
        how = habits.pick("forbid", "away", "parent", "replaced")
        if (kind if book == "a" else "folder") == "folder" and how == "parent":
            how = "away"
        meanwhile = habits.pick([], [habits.pause()], [{"op": "reload", "books": books}], [habits.client()])
        back = {"op": "find", "book": book} | ({"write": habits.write_item(habits.item(book))} if habits.chance(0.4) else {})
        return [{"op": "lose", "book": book, "how": how}, {"op": "check-lost", "book": book}, *meanwhile,
                {"op": "check-lost", "book": book}, back, {"op": "check"}]

    begin = start_folder(habits, link=0) if kind == "folder" else start_file(habits, kind, 5, link=0)
    return [*begin, *second, {"op": "start", "books": books},
            *mixed(habits, 5, lose, lose, edit, lambda: habits.write_item(habits.item(books[-1])), habits.pause, checks=0)]


def mirror(habits: Habits) -> list[dict]:
    """A mirror that other programs write into, between runs of `tondo sync`."""
    cards = [habits.card(number, photo=f"inline:{habits.kind()}") for number in range(5)]
    card = lambda: habits.card(habits.random.randrange(7), photo=f"inline:{habits.kind()}")  # noqa: E731
    foreign = lambda: {"op": "foreign", "change": habits.pick("edit", "edit", "replace", "delete", "add", "folder"),  # noqa: E731
                       "at": habits.random.randrange(7), "how": habits.pick("in-place", "rename", "vdirsyncer"),
                       "revision": habits.next(), "card": habits.card(70 + habits.random.randrange(3)),
                       "name": f"own{habits.random.randrange(2)}"}

    def server() -> dict:
        if habits.chance(0.7):
            return {"op": "server", "card": card()}
        return {"op": "server", "gone": f"c{habits.random.randrange(7)}"}

    sync = lambda: [{"op": "sync"}, {"op": "check"}]  # noqa: E731
    return [{"op": "mirror", "book": "m", "cards": cards}, {"op": "start", "books": ["m"]},
            *mixed(habits, 9, foreign, foreign, server, sync, sync, checks=0), *sync()]


PROFILES = {plan.__name__: plan for plan in (
    folder, crowd, links, photo, file, remove, cache, storm, kill, reload, descriptors, disk, watch, names, joined, lost,
    mirror)}


def plan(seed: int, profile: str | None = None) -> tuple[str, list[dict]]:
    """The operations of a seed; without a profile, seeds take all of them by turns."""
    name = profile or list(PROFILES)[seed % len(PROFILES)]
    operations = PROFILES[name](Habits(seed))
    return name, [operation for operation in operations if operation]
