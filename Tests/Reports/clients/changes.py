"""What a change of one contact costs, and when every client sees it."""
import json
import os
import signal

from support.opened import Opened
from support.report import report
from support.service import Service, card

LOCAL = {"Host": "localhost"}
NAMES = [f"person{number}" for number in range(40)]


def people(trial):
    for name in NAMES:
        card(trial, name, f"{name}@example.org")


def owner(trial):
    """What the owner of the book sends: the token is in the service's own folder."""
    state = trial.environment.get("XDG_STATE_HOME") or f"{trial.environment['HOME']}/.local/state"
    with open(f"{state}/tondo/token", encoding="ascii") as file:
        return LOCAL | {"Authorization": f"Bearer {file.read().strip()}"}


def listed(served):
    answer = served.get("/v1/contacts?limit=500", LOCAL)
    return answer.status == 200 and [item["id"] for item in json.loads(answer.body)["items"]]


@report("https://github.com/lucc/khard/issues/178",
        "One card is removed from a folder of many.",
        right="The other cards are not read: the program knows the file of this one.", before="wrong")
def removing_one_card_reads_no_other(trial):
    people(trial)
    served = Service(trial)
    served.wait("all are listed", lambda: listed(served) == sorted(NAMES))
    opened = Opened(trial, trial.folder / "book")
    trial.expect("removed", served.get("/v1/contacts/person7", owner(trial), "DELETE").status, 204)
    trial.expect("the next list has it", "person7" in listed(served), False)
    others = {name for name in opened.names() if name.endswith(".vcf")} - {"person7.vcf"}
    trial.expect("other cards that were opened", sorted(others), [])


@report("https://github.com/nextcloud/server/issues/4639",
        "One card of a folder of many changes, and a client asks for the list.",
        right="The list with the change; the other cards are not read again.", before="right")
def one_changed_card_is_read_alone(trial):
    people(trial)
    served = Service(trial)
    served.wait("all are listed", lambda: listed(served) == sorted(NAMES))
    opened = Opened(trial, trial.folder / "book")
    hidden = trial.folder / "book" / ".person7.tmp"
    hidden.write_bytes((trial.folder / "book" / "person7.vcf").read_bytes().replace(b"FN:Person7", b"FN:Somebody Else"))
    os.rename(hidden, trial.folder / "book" / "person7.vcf")
    served.wait("the change is listed", lambda: b"Somebody Else" in served.get("/v1/contacts?limit=500", LOCAL).body)
    others = {name for name in opened.names() if name.endswith(".vcf")} - {"person7.vcf"}
    trial.expect("other cards that were opened", sorted(others), [])


@report("https://github.com/CaliOpen/Caliopen/issues/1305", "https://github.com/intercom/intercom-ruby/issues/257",
        "A contact is removed while the service takes over its settings; the client asks for the list after the response.",
        right="After 204 no request shows the contact; a response that comes before that is 202.", before="right")
def removed_contact_is_not_listed_again(trial):
    people(trial)
    served = Service(trial)
    served.wait("all are listed", lambda: listed(served) == sorted(NAMES))
    for size, name in enumerate(NAMES[:12], start=20):
        path = trial.folder / "tondo.toml"
        path.write_text(path.read_text().split("[styles")[0] + f"[styles.list]\nsize = {size}\n")
        served.process.send_signal(signal.SIGHUP)
        status = served.get(f"/v1/contacts/{name}", owner(trial), "DELETE").status
        trial.require(f"204 or 202, not {status}", status in (202, 204))
        if status == 202:
            served.wait("the removal is listed", lambda: name not in (listed(served) or [name]))
        trial.expect(f"{name} after {status}", served.get(f"/v1/contacts/{name}", LOCAL).status, 404)
        trial.expect(f"{name} in the list", name in listed(served), False)
