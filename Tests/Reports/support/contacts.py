"""Address books: what the program makes of them, compared with what a user sees in them."""
import base64
import hashlib
import json


def write(trial, name, content):
    """A file of the trial's book; text is written as UTF-8 with the line ends it has."""
    path = trial.folder / "book" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def vcard(*lines, end="\r\n", version="3.0"):
    """A card of these lines."""
    return end.join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def load(trial, book):
    """Contacts in order, each with `avatar` (photo, initials, silhouette) and `photoBytes`; failures; exit status."""
    out = trial.run("load", book, "--json", "--quiet", "--size", "48")
    events = [json.loads(line) for line in out.stdout.decode("utf-8", "replace").splitlines()]
    contacts = [event["contact"] for event in events if event["event"] == "contact"]
    kinds = {event["contact"]: event["kind"] for event in events if event["event"] == "avatar"}
    problems = {event["contact"]: event.get("message") for event in events if event["event"] == "avatarFailed"}
    export = trial.run("contacts", "export", book).stdout if contacts else b""
    photos = {item["id"]: item.get("photo") for item in json.loads(export)["contacts"]} if export else {}
    for contact in contacts:
        photo = photos.get(contact["id"]) or {}
        contact["avatar"] = kinds.get(contact["id"])
        contact["photoBytes"] = base64.b64decode(photo["data"]) if "data" in photo else photo or None
        contact["photoProblem"] = problems.get(contact["id"])
    return {"contacts": contacts, "failures": [event for event in events if event["event"] == "contactFailed"],
            "status": out.returncode, "stderr": out.stderr.decode("utf-8", "replace").strip()}


def values(contact, key):
    return [point["value"] for point in contact.get(key, [])]


def view(contact):
    """The fields that cases compare."""
    name = contact.get("name") or {}
    photo = contact["photoBytes"]
    seen = {"name": contact.get("displayName", ""), "initials": contact.get("initials", ""), "id": contact["id"],
            "nicknames": name.get("nicknames", []), "organisation": contact.get("organisation", []),
            "title": contact.get("title"), "note": contact.get("introduction"), "birthday": contact.get("birthday"),
            "anniversary": contact.get("anniversary"),
            "groups": [group["name"] for group in contact.get("groups", [])], "kind": contact.get("kind", "individual"),
            "avatar": contact["avatar"], "photo problem": contact["photoProblem"],
            "photo": hashlib.sha256(photo).hexdigest()[:16] if isinstance(photo, bytes) else photo}
    for key in ("phones", "emails", "addresses", "websites", "social", "related"):
        seen[key] = values(contact, key)
        seen[f"{key} labels"] = [point.get("label") for point in contact.get(key, [])]
        seen[f"{key} types"] = [point.get("types", []) for point in contact.get(key, [])]
    for part in ("given", "family", "additional", "prefix", "suffix", "formatted"):
        seen[part] = name.get(part, "")
    return seen


def digest(data):
    """How cases name the bytes of a photo."""
    return hashlib.sha256(data).hexdigest()[:16]


def expect_contacts(trial, book, wanted, failures=0):
    """The book has just these contacts, in this order, with these fields (the others are not compared)."""
    result = load(trial, book)
    names = [contact.get("displayName") for contact in result["contacts"]]
    label = book.name
    if len(names) != len(wanted):
        trial.expect(f"{label}: contacts ({result['stderr'][:200]})", names, [fields.get("name") for fields in wanted])
    for contact, fields in zip(result["contacts"], wanted):
        seen = view(contact)
        for key, value in fields.items():
            trial.expect(f"{label}: {fields.get('name', seen['name'])!r}: {key}", seen[key], value)
    trial.expect(f"{label}: failures", len(result["failures"]), failures)
    return result
