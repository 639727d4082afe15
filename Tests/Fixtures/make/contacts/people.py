"""Who it is: names, ids, groups."""
from .card import card, lines, one


def bare(*content, version="3.0"):
    return lines("BEGIN:VCARD", f"VERSION:{version}", *content, "END:VCARD")


def names():
    yield "parts", bare("N:Example;Ada;Bea;Dr.;Jr."), \
        {"name": "Dr. Ada Bea Example, Jr.", "given": "Ada", "family": "Example", "additional": "Bea", "prefix": "Dr.", "suffix": "Jr."}
    yield "lists", bare("N:Example;Ada;Bea,Cleo;Dr.,Prof.;Jr.,M.D."), \
        {"additional": "Bea Cleo", "prefix": "Dr. Prof.", "suffix": "Jr., M.D."}
    yield "2.1-commas", bare("N:Example;Ada, B", version="2.1"), {"given": "Ada, B", "family": "Example"}
    yield "formatted-wins", bare("N:Example;Ada;;;", "FN:Ada the Great"), {"name": "Ada the Great", "given": "Ada"}
    yield "formatted-empty", bare("FN:", "N:Example;Ada;;;"), {"name": "Ada Example"}
    yield "family-alone", bare("N:Example"), {"name": "Example", "family": "Example", "given": ""}
    yield "too-many-parts", bare("N:Example;Ada;;;;x;y"), {"name": "Ada Example"}
    yield "first-that-says-anything", bare("N:;;;;", "N:Example;Ada;;;"), {"family": "Example"}
    yield "nickname", bare("N:;;;;", "NICKNAME:Addy,The Great"), {"name": "Addy", "nicknames": ["Addy", "The Great"]}
    yield "organisation", bare("N:;;;;", "FN:", "ORG:Northwind;Sales"), {"name": "Northwind"}
    yield "email", bare("N:", "EMAIL:ada@example.org"), {"name": "ada@example.org"}
    yield "phone", bare("TEL:+15550100"), {"name": "+15550100"}
    yield "han", bare("N:山田;太郎;;;"), {"name": "山田太郎", "given": "太郎"}
    yield "cyrillic", bare("N:Тестова;Грета;Ивановна;;"), {"name": "Грета Ивановна Тестова"}
    yield "sort-as", bare('N;SORT-AS="Example,Ada":van Example;Ada;;;', version="4.0"), {"family": "van Example"}
    yield "blanks", bare("N: Example ; Ada ;;;"), {"name": "Ada Example", "given": "Ada", "family": "Example"}


def ids():
    yield "uid", bare("FN:Ada", "UID:ab-12"), ["ab-12"]
    yield "urn", bare("FN:Ada", "UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"), ["4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"]
    yield "uri", bare("FN:Ada", "UID:https://example.org/ada"), ["https://example.org/ada"]
    yield "repeated", bare("FN:Ada", "UID:a") * 3 + bare("FN:Bea", "UID:a-2"), ["a", "a-bee37a9d5120", "a-bee37a9d5120-2", "a-2"]


def groups():
    both = {"groups": ["Family", "Friends"]}
    yield "categories", card("CATEGORIES:Family,Friends"), one(**both)
    yield "categories-twice", card("CATEGORIES:Family", "CATEGORIES:Friends,Family"), one(**both)
    yield "categories-empty", card("CATEGORIES:,"), one(groups=[])
    ada, bea = card("UID:ada", "EMAIL:ada@example.org", name="Ada"), card("UID:urn:uuid:bea", name="Bea")
    people = {"contacts": [{"name": "Ada", "groups": ["Family"]}, {"name": "Bea", "groups": ["Family"]}]}

    def group(*members, kind="KIND", member="MEMBER", name="Family"):
        return card("UID:g", f"{kind}:group", *(f"{member}:{m}" for m in members), name=name)

    yield "kind-group", group("urn:uuid:ada", "urn:uuid:bea") + ada + bea, people
    yield "kind-group-last", ada + bea + group("urn:uuid:ada", "urn:uuid:bea"), people
    yield "kind-group-bare-ids", ada + bea + group("ada", "BEA"), people
    yield "kind-group-mailto", ada + bea + group("mailto:ada@example.org", "urn:uuid:bea"), people
    yield "kind-group-unknown-member", ada + bea + group("urn:uuid:ada", "urn:uuid:bea", "urn:uuid:none"), people
    apple = {"kind": "X-ADDRESSBOOKSERVER-KIND", "member": "X-ADDRESSBOOKSERVER-MEMBER"}
    yield "apple", ada + bea + group("urn:uuid:ada", "urn:uuid:bea", **apple), people
    named = card("UID:ada", "CATEGORIES:Family", name="Ada")
    yield "both-ways", named + bea + group("urn:uuid:ada", "urn:uuid:bea"), people
    two = group("ada", name="Family") + card("UID:h", "KIND:group", "MEMBER:ada", name="Choir")
    yield "two-groups", ada + two, one(name="Ada", groups=["Family", "Choir"])


def fixtures():
    for name, data, expected in names():
        yield "names", name, data.encode(), one(**expected)
    for name, data, found in ids():
        yield "ids", name, data.encode(), {"contacts": [{"id": i} for i in found]}
    for name, data, expected in groups():
        yield "groups", name, data.encode(), expected
