"""Faults that are planted into a good trial: the judge has to find each of them."""
import cards
from proxy import Change
from trial import Command, Trial

OPERATIONS = [{"op": "set", "pick": 0}, {"op": "sync", "pick": 0}, {"op": "vdirsyncer", "pick": 0}]
OTHER = cards.photo(1_000)


def _card(trial: Trial) -> tuple[str, bytes]:
    return next(iter(sorted(trial.proxy.cards.items())))


def differs(trial: Trial) -> None:
    path = next((trial.mirror / "cards").glob("*.vcf"))
    path.write_bytes(cards.changed(path.read_bytes(), note="another"))


def differs_in_the_folder(trial: Trial) -> None:
    path = next(iter(trial.folder.files().values()))
    path.write_bytes(cards.changed(path.read_bytes(), note="another"))


def unknown(trial: Trial) -> None:
    href, card = _card(trial)
    trial.proxy.cards[href] = cards.changed(card, picture=OTHER)


def overwritten(trial: Trial) -> None:
    href, card = _card(trial)
    seen = cards.changed(card, picture=cards.photo(1_001))
    trial.proxy.history.append(Change("tondo", href, seen, cards.changed(card, picture=OTHER)))


def more_than_photo(trial: Trial) -> None:
    href, card = _card(trial)
    trial.proxy.history.append(Change("tondo", href, card, cards.changed(card, note="another")))


def unseen_removal(trial: Trial) -> None:
    href, card = _card(trial)
    trial.proxy.history.append(Change("tondo", href, card, None))


def lost(trial: Trial) -> None:
    _, card = _card(trial)
    uid = cards.content(card).value("UID")
    after = cards.changed(card, picture=OTHER)
    trial.commands.append(Command("set", uid, "Ada", card, after, len(trial.proxy.history)))


def unkept(trial: Trial) -> None:
    lost(trial)
    trial.reports.add("Ada")


def twice(trial: Trial) -> None:
    mine = next(change for change in trial.proxy.history if change.writer == "tondo")
    trial.proxy.history += [mine, mine]


def waiting(trial: Trial) -> None:
    (trial.mirror / "pending").mkdir(exist_ok=True)
    (trial.mirror / "pending" / "planted.json").write_text("{}")


EXPECTED = {
    differs: "sides", differs_in_the_folder: "sides", unknown: "photo",
    overwritten: "overwritten", more_than_photo: "overwritten", unseen_removal: "overwritten", lost: "lost", unkept: "lost", twice: "twice", waiting: "waiting",
}


def check(trials) -> int:
    """Exit status."""
    found, log = trials.run(OPERATIONS)
    if found or not any("sent" in line for line in log):
        print("\n".join(["a good trial fails:", *found, *log]))
        return 1
    status = 0
    for spoil, kind in EXPECTED.items():
        found, _ = trials.run(OPERATIONS, spoil)
        if not any(fault.startswith(kind) for fault in found):
            print(f"not found: {spoil.__name__}: {found}")
            status = 1
    print(f"{len(EXPECTED)} planted faults" + (" are found" if status == 0 else ""))
    return status
