"""What has to hold after every quiet moment: a fresh load of the same books and a fresh service with an empty cache are
what the long-lived service is held against; what the files hold is what the fresh load is held against."""
import collections
import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import photos
from cards import marks
from folder import Folder
from service import SIZE, Answer, Died, Hung, Program, Service, avatar_paths, contact_list
from subscriber import Replay, Violation, words

# Seconds in which not even an event comes, after which a difference counts; and the longest a service may be busy: a photo
# that was being drawn when the service was killed is left alone for a minute.
PATIENCE = 5.0
LONGEST = 100.0


@dataclass
class Fresh:
    """What a program says that knows the books only as they are now. `beside`: contacts of one-file books whose photo is a
    file beside the book, which is not watched: a documented limit, with kinds of its own."""
    contacts: list[dict] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    listed: list[dict] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    beside: set[str] = field(default_factory=set)
    owners: dict[str, str] = field(default_factory=dict)

    # The files of failures, and whether a whole book failed.
    failed: set[str] = field(default_factory=set)
    has_failed: bool = False

    @property
    def order(self) -> list[str]:
        return [contact["id"] for contact in self.contacts]

    def reports(self, file: Path) -> bool:
        """Whether a failure names this file."""
        return self.has_failed or file.name in self.failed


def take_fresh(program: Program, books: list[Path], folder: Path, sizes=(SIZE,)) -> Fresh:
    """A `tondo load` of each book and a `tondo serve` of all. `folder` holds their cache, which only they use: what is the
    same at the next check is not drawn again. `sizes`: of the avatars that are compared."""
    fresh = Fresh()
    folder.mkdir(parents=True, exist_ok=True)
    for number, book in enumerate(books):
        _load(fresh, program, book, folder / "cache", "" if number == 0 else f"{number + 1}~")
    home = Program(program.path, folder)
    service = Service(home, "fresh", folder / "service", folder / "cache", books)
    service.start()
    try:
        client = service.client()
        fresh.listed = contact_list(client)
        fresh.answers = {path: client.ask(path) for size in sorted(sizes) for contact in fresh.listed
                         for path in avatar_paths(contact, size)}
        fresh.owners = {path: contact["id"] for size in sizes for contact in reversed(fresh.listed)
                        for path in avatar_paths(contact, size)}
    finally:
        service.end()
    if [words(contact) for contact in fresh.listed] != fresh.contacts:
        fresh.violations.append(Violation("load-and-serve-differ", first_difference(
            fresh.contacts, [words(contact) for contact in fresh.listed])))
    return fresh


def _load(fresh: Fresh, program: Program, book: Path, cache: Path, prefix: str) -> None:
    done = program.run("load", book, "--json", "--size", SIZE, "--cache-dir", cache)
    if done.returncode not in (0, 1, 66):
        fresh.violations.append(Violation("load-status", f"tondo load ended with {done.returncode}: {done.stderr[-200:]}"))
    replay = Replay("fresh load", expects_total=True)
    finished = False
    for line in done.stdout.splitlines():
        event = json.loads(line)
        replay.take(event["seq"], event["event"], event)
        finished = finished or event["event"] == "finished"
        if event["event"] == "contactFailed":
            fresh.failed.add(Path(event.get("file") or book.name).name)
    fresh.has_failed = fresh.has_failed or done.returncode == 66
    if done.returncode != 66 and not finished:
        fresh.violations.append(Violation("load-unfinished", f"no finished event, status {done.returncode}"))
    fresh.violations += replay.violations
    fresh.contacts += [dict(replay.contacts[key], id=prefix + key) for key in replay.order]
    if book.is_file():
        fresh.beside |= {prefix + key for key, contact in replay.contacts.items()
                         if "mark file:" in contact.get("introduction", "")}
    fresh.keys |= {prefix + key: value for key, value in replay.avatars.items()}


def placeholder_key(program: Program, folder: Path) -> str:
    """The key of the avatar of a contact without a photo."""
    book = folder / "plain.vcf"
    folder.mkdir(parents=True, exist_ok=True)
    book.write_text("BEGIN:VCARD\nVERSION:3.0\nUID:plain\nFN:Plain\nEND:VCARD\n")
    done = program.run("load", book, "--json", "--size", SIZE, "--cache-dir", folder / "plain-cache")
    return next(event["key"] for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "avatar")


def against_disk(fresh: Fresh, folder: Folder, served: list) -> list[Violation]:
    """The fresh load against the files: no contact is lost or made up, and each avatar shows its contact's photo."""
    found: list[Violation] = []
    loaded = collections.Counter(mark for contact in fresh.contacts for mark in marks(contact.get("introduction", ""))[:1])
    by_mark = {mark: contact for contact in fresh.listed for mark in marks(contact.get("introduction", ""))[:1]}
    known, names, sure, doubtful = {}, {}, True, set()
    for book in served:
        look = folder.cards(book)
        sure = sure and look.is_sure
        known |= {mark: (book, item) for mark, item in look.items.items()}
        names |= look.names
        doubtful |= look.doubtful
    for mark, contact in by_mark.items():
        if not all(name in contact.get("displayName", "").replace("-", " ") for name in names.get(mark, [])):
            found.append(Violation("record-mixed", f"{mark!r} is called {contact.get('displayName')!r} in a fresh service, and "
                                   f"{names[mark]} in its file"))
    lost = sorted(known.keys() - loaded.keys())
    unreported = [mark for mark in lost if not fresh.reports(known[mark][1])]
    for mark in unreported[:3]:
        kind = "load-lost-silently" if known[mark][1] in doubtful else "load-lost"
        found.append(Violation(kind, f"{known[mark][1].name} holds {mark!r}, a fresh load neither has nor reports it"))
    if not sure:
        return found
    for mark in [mark for mark in lost if mark not in unreported][:3]:
        found.append(Violation("load-lost", f"{known[mark][1].name} holds {mark!r}, a fresh load does not have it"))
    for mark in sorted(loaded.keys() - known.keys())[:3]:
        found.append(Violation("load-extra", f"a fresh load has {mark!r}, no file holds it"))
    for mark, (book, item) in known.items():
        contact = by_mark.get(mark)
        if contact is None or loaded[mark] > 1 or not fresh.answers:
            continue
        answer = fresh.answers[avatar_paths(contact)[0]]
        wanted, seen = folder.colour(book, mark, item), photos.centre(answer.body)
        if wanted not in (None, "placeholder") and seen != wanted:
            found.append(Violation("avatar-wrong-photo", f"{mark!r}: {seen} is served fresh, its photo is {wanted}"))
    return found[:6]


def first_difference(one: list[dict], other: list[dict]) -> str:
    for index, (left, right) in enumerate(zip(one, other)):
        if left != right:
            return f"at {index}: {json.dumps(left)[:200]} against {json.dumps(right)[:200]}"
    return f"{len(one)} against {len(other)} contacts"


class Aliases:
    """One name for a contact whose UID several cards gave themselves, by the mark in the card. A program that has seen the
    others come and go lets each contact keep its id; a fresh one knows only the cards that are left. Both are right, so
    such contacts are compared by what they are. All others are compared by their ids. A card that was copied, as by `cat`,
    is there several times with one name: `repeated`. The copies are counted, and their avatars are not compared."""
    SUFFIX = re.compile(r"^(.+?)-[0-9a-f]{12}(-\d+)?$")

    def __init__(self, *contacts: Iterable[dict]):
        lists = [list(each) for each in contacts]
        self.shared = {found[1] for each in lists for contact in each if (found := self.SUFFIX.match(contact["id"]))}
        counts = [collections.Counter(self.name(contact) for contact in each) for each in lists]
        self.repeated = {name for count in counts for name, times in count.items() if times > 1}

    def name(self, contact: dict) -> str:
        found = self.SUFFIX.match(contact["id"])
        plain = found[1] if found else contact["id"]
        if plain not in self.shared:
            return contact["id"]
        return f"{plain} of {' '.join(marks(contact.get('introduction', ''))) or contact['id']}"

    def renamed(self, contact: dict) -> dict:
        return dict(contact, id=self.name(contact))


def compare_contacts(kind: str, name: str, fresh: Fresh, order: list[str], contacts: dict[str, dict],
                     ordered: bool) -> list[Violation]:
    """A client's contacts against those of the fresh load."""
    aliases = Aliases(fresh.contacts, contacts.values())
    wanted = {aliases.name(contact): aliases.renamed(contact) for contact in fresh.contacts}
    order = [aliases.name(contacts[key]) for key in order]
    lacking = collections.Counter(aliases.name(contact) for contact in fresh.contacts)
    lacking.subtract(order)
    contacts = {aliases.name(contact): aliases.renamed(contact) for contact in contacts.values()}
    fresh_order = [aliases.name(contact) for contact in fresh.contacts]
    found = []
    missing = sorted(key for key, count in lacking.items() if count > 0)
    ghosts = sorted(key for key, count in lacking.items() if count < 0)
    different = [key for key in wanted if key in contacts and contacts[key] != wanted[key]]
    if missing:
        found.append(Violation(f"{kind}-missing", f"{name} lacks {len(missing)} of {len(wanted)}: {missing[:5]}"))
    if ghosts:
        found.append(Violation(f"{kind}-ghost", f"{name} has {len(ghosts)} too many: {ghosts[:5]}"))
    if different:
        found.append(Violation(f"{kind}-differs", f"{name}, {len(different)} of {len(wanted)}: {different[0]} is "
                               f"{json.dumps(contacts[different[0]])[:160]}, fresh {json.dumps(wanted[different[0]])[:160]}"))
    if not found and ordered and order != fresh_order:
        found.append(Violation(f"{kind}-order", f"{name}: {order[:8]}, fresh: {fresh_order[:8]}"))
    return found


def compare_replay(fresh: Fresh, replay: Replay, placeholder: str) -> list[Violation]:
    """A subscriber against the fresh load: contacts, their order, and the last avatar of each."""
    found = list(replay.violations)
    found += compare_contacts("replay", replay.name, fresh, replay.order, replay.contacts, replay.knows_order)
    aliases = Aliases(fresh.contacts, replay.contacts.values())
    ids = {aliases.name(contact): key for key, contact in replay.contacts.items()}
    known = {contact["id"]: ids[aliases.name(contact)] for contact in fresh.contacts if aliases.name(contact) in ids}
    copies = {contact["id"] for contact in fresh.contacts if aliases.name(contact) in aliases.repeated}
    last = {key: replay.avatars.get(known[key]) for key in fresh.keys if key in known and key not in copies}
    wrong = {key: avatar for key, avatar in last.items()
             if avatar != fresh.keys[key] and (replay.knows_avatars or avatar is not None)}
    kinds = collections.defaultdict(list)
    for key, seen in wrong.items():
        is_placeholder = seen == placeholder
        kinds["beside" if key in fresh.beside else "placeholder" if is_placeholder else "stale" if seen else "none"].append(key)
    for kind, keys in kinds.items():
        found.append(Violation(f"avatar-event-{kind}", f"{replay.name}: the last avatar event of {len(keys)} of "
                               f"{len(fresh.keys)} contacts is {kind}, {keys[0]} for one: {wrong[keys[0]]}, fresh "
                               f"{fresh.keys[keys[0]]}"))
    return found


def compare_service(fresh: Fresh, service: Service) -> list[Violation]:
    """The service's list and every avatar against a fresh service's."""
    client = service.client()
    listed = contact_list(client)
    order = [contact["id"] for contact in listed]
    found = compare_contacts("list", f"service {service.name}", fresh, order,
                             {contact["id"]: words(contact) for contact in listed}, ordered=True)
    if len(set(order)) != len(order):
        found.append(Violation("list-duplicate", f"service {service.name} lists an id twice"))
    ready = client.ask("/readyz").json().get("contacts")
    if not found and ready != len(order):
        found.append(Violation("ready-count", f"/readyz counts {ready}, the list holds {len(order)}"))
    wrong = collections.defaultdict(list)
    counts = collections.Counter(path.split("?")[0] for contact in fresh.listed for path in avatar_paths(contact))
    aliases = Aliases(fresh.listed, listed)
    ids = {aliases.name(contact): contact["id"] for contact in listed}
    own = {contact["id"]: ids.get(aliases.name(contact), contact["id"]) for contact in fresh.listed}
    copies = {contact["id"] for contact in fresh.listed if aliases.name(contact) in aliases.repeated}
    for path, wanted in fresh.answers.items():
        if fresh.owners[path] in copies:
            continue
        asked = path
        if path.startswith("/v1"):
            owner = fresh.owners[path]
            asked = path.replace(quote(owner, safe=""), quote(own[owner], safe=""), 1)
        answer = client.ask(asked)
        if (answer.status, answer.etag, answer.digest) != (wanted.status, wanted.etag, wanted.digest):
            kind = "avatar-served" if path.startswith("/v1") else "gravatar-served"
            if fresh.owners[path] in fresh.beside and answer.status == wanted.status:
                kind += "-beside"
            elif counts[path.split("?")[0]] > 1:
                kind = "gravatar-owner"
            wrong[kind].append((path, answer, wanted))
    for kind, items in wrong.items():
        path, answer, wanted = items[0]
        found.append(Violation(kind, f"service {service.name}, {len(items)} of {len(fresh.answers)} addresses; {path}: "
                               f"{_shown(answer)}, fresh {_shown(wanted)}"))
    return found


def _shown(answer: Answer) -> str:
    return f"{answer.status} {answer.etag[1:11]} colour {photos.centre(answer.body)}"


def until_equal(compare, progress, patience: float = PATIENCE) -> list[Violation]:
    """Compares over and over, until nothing differs, or nothing happened for `patience` seconds. `progress`: a value
    that changes while something happens."""
    start = changed = time.monotonic()
    before, pause = None, 0.03
    while True:
        try:
            violations, now = compare(), progress()
        except (OSError, Hung, Died) as error:
            return [Violation("service-hang" if isinstance(error, Hung) else "service-died", str(error))]
        if not violations:
            return []
        moment = time.monotonic()
        if now != before:
            before, changed = now, moment
        if moment - changed > patience or moment - start > LONGEST:
            return violations
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)
