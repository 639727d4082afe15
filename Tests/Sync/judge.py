"""What has to hold at the end of a trial."""
from cards import Content, content
from proxy import Change, uid_of
from trial import Command, Trial


def faults(trial: Trial) -> list[str]:
    """All that is wrong; each begins with a word of its kind."""
    found = [f"program: {fault}" for fault in trial.faults] + _sides(trial)
    for change in trial.proxy.history:
        if change.writer == "tondo" and (fault := _overwriting(trial, change)):
            found.append(fault)
    found += [fault for index in range(len(trial.commands)) if (fault := _lost(trial, index))]
    return found + _twice(trial)


def _sides(trial: Trial) -> list[str]:
    server, mirror, folder = trial.sides()
    folder |= {uid: server[uid] for uid in _differences(server, folder) if _is_back(trial, uid, server, folder)}
    found = [f"sides: the {name} differs from the server in {sorted(_differences(server, side))}"
             for name, side in (("mirror", mirror), ("folder of vdirsyncer", folder)) if side != server]
    for uid, card in server.items():
        if card.photo not in trial.photos:
            found.append(f"photo: {uid} has a photo that no writer set: {card.photo}")
    if list(trial.mirror.glob("pending/*.json")):
        found.append("waiting: a change waits for ever")
    return found


def _is_back(trial: Trial, uid: str, server: dict, folder: dict) -> bool:
    """Whether vdirsyncer cannot see that the server differs from its folder: it keeps the digest of the card that its own upload
    replaced, so a server that goes back to that card looks unchanged to it, whoever brought it back (`Update` in its
    `sync/__init__.py`, 0.21)."""
    own = [change for change in trial.proxy.history if change.writer == "vdirsyncer" and uid_of(change.card or change.former) == uid]
    if uid not in server or not own or own[-1].former is None or own[-1].card is None:
        return False
    return (content(own[-1].former), content(own[-1].card)) == (server[uid], folder.get(uid))


def _differences(one: dict, other: dict) -> set[str]:
    return {uid for uid in one.keys() | other.keys() if one.get(uid) != other.get(uid)}


def _seen(trial: Trial, index: int) -> list[Content | None]:
    """What the user of this command had seen of the card: what it was before, and before the commands that led there."""
    command = trial.commands[index]
    seen = [content(command.before)]
    for earlier in range(index):
        former = trial.commands[earlier]
        if former.uid == command.uid and former.before != former.after and content(former.after) == seen[0]:
            seen += _seen(trial, earlier)
    return seen


def _commands(trial: Trial, uid: str) -> list[tuple[Command, list[Content | None]]]:
    return [(command, _seen(trial, index)) for index, command in enumerate(trial.commands) if command.uid == uid]


def _overwriting(trial: Trial, change: Change) -> str | None:
    """What is wrong with a change that Tondo made at the server."""
    uid = uid_of(change.card or change.former)
    former, card = content(change.former), content(change.card)
    mine = _commands(trial, uid)
    if card is None:
        if any((one.after is None or one.is_killed) and former in seen for one, seen in mine):
            return None
        return f"overwritten: Tondo deletes {uid}, and did not see its last state"
    if former is None:
        if any(None in seen and _could_make(one, card) for one, seen in mine):
            return None
        return f"overwritten: Tondo makes {uid} again, which was deleted"
    if card.rest != former.rest:
        return f"overwritten: Tondo changes more than the photo of {uid}: {sorted(card.rest ^ former.rest)}"
    for one, seen in mine:
        if _could_make(one, card) and any(state and state.photo == former.photo for state in seen):
            return None
    return f"overwritten: Tondo replaces the photo {former.photo} of {uid} by {card.photo}, and did not see it"


def _could_make(command: Command, card: Content) -> bool:
    after = content(command.after)
    return command.is_killed or after is not None and after.photo == card.photo


def _lost(trial: Trial, index: int) -> str | None:
    """A command that had no effect at the server, is not followed by another one, and is not reported."""
    command = trial.commands[index]
    if command.is_killed or command.before == command.after:
        return None
    # Several changes of one card that wait are one.
    later = [one for one in trial.commands[index + 1:] if one.uid == command.uid]
    if any(one.before == command.after or one.is_killed or command.after in one.waiting for one in later):
        return None
    wanted = content(command.after)
    # Undone before it was sent: nothing has to be sent.
    if wanted in _seen(trial, index)[1:]:
        return None
    states = _states(trial, command)
    if wanted is None and None in states or wanted and any(state and state.photo == wanted.photo for state in states):
        return None
    what = f"'{command.kind}' of {command.name}"
    if command.name not in trial.reports:
        return f"lost: {what} had no effect, and is not reported"
    if wanted and not any(uid_of(card) == command.uid and content(card).photo == wanted.photo for card in trial.kept()):
        return f"lost: {what} is reported, and not in the trash"
    return None


def _states(trial: Trial, command: Command) -> list[Content | None]:
    """What the server had of the card since the command."""
    states: list[Content | None] = [None]
    for number, change in enumerate(trial.proxy.history):
        if uid_of(change.card or change.former) == command.uid:
            states = [*(states if number >= command.at else []), content(change.card)]
    return states


def _twice(trial: Trial) -> list[str]:
    """Photos that Tondo sent more often than it was told."""
    found = []
    sent = [(uid_of(change.card), content(change.card).photo) for change in trial.proxy.history
            if change.writer == "tondo" and change.card
            and (change.former is None or content(change.former).photo != content(change.card).photo)]
    for uid, photo in sorted(set(sent)):
        told = sum(1 for one in trial.commands if one.uid == uid and _could_make(one, Content(photo, frozenset())))
        if photo and sent.count((uid, photo)) > told:
            found.append(f"twice: {uid} got {photo} {sent.count((uid, photo))} times, for {told} commands")
    return found
