"""Books of names, and what searches find in them."""
import json

from support import contacts


def book(trial, *cards):
    """A book of these cards: lines, or the name alone."""
    lines = [[f"FN:{card}"] if isinstance(card, str) else card for card in cards]
    return contacts.write(trial, "a.vcf", "".join(contacts.vcard(*card) for card in lines))


def found(trial, path, query):
    out = trial.run("contacts", "ls", path, "--json", "--search", query).stdout.decode()
    return [json.loads(line)["displayName"] for line in out.splitlines()]


def expect(trial, path, right):
    """`right`: names by queries, several of which may stand in a tuple."""
    for queries, names in right.items():
        for query in (queries if isinstance(queries, tuple) else (queries,)):
            trial.expect(query, found(trial, path, query), names)
