"""How lines of a vCard end, fold and break."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


@report("https://github.com/nextcloud/contacts/issues/1277", "An empty line stands behind each line.",
        right="All fields: an empty line means nothing.", before="wrong")
def empty_line_behind_each_line(trial):
    card = contacts.vcard("N:Hagen;Gesa;;;", "FN:Gesa Hagen", "TEL:+49 1", "NOTE:a long note that is folded because it", "  goes on",
                          end="\r\n\r\n")
    book = contacts.write(trial, "a.vcf", card)
    contacts.expect_contacts(trial, book, [{"name": "Gesa Hagen", "family": "Hagen", "phones": ["+49 1"],
                                            "note": "a long note that is folded because it goes on"}])


@report(GITHUB + "SimpleSoftwareIO/simple-qrcode/issues/15", GITHUB + "x-hw/amazing-qr/issues/30", GITHUB + "l0b0/vcard/issues/2",
        "Lines end with the escapes of a programming language, with a blank behind them or none, or with a line separator of Unicode.",
        right="The contacts with all fields; one of them is removed and restored as in any file.", before="wrong")
def line_ends_as_escapes(trial):
    lines = ["VERSION:3.0", "N:Moe;Ada;;;", "FN:Ada Moe", "TEL;TYPE=voice,work:+4722550101", "ADR:;;Weg 1;Kiel;;24103;DE", "EMAIL:ada@example.org"]
    fields = {"name": "Ada Moe", "family": "Moe", "phones": ["+4722550101"], "addresses": ["Weg 1\n24103 Kiel\nDE"], "emails": ["ada@example.org"]}
    for number, end in enumerate([" \\r\\n ", "\\r\\n", "\\n", "\\n ", "\\r", "\u2028", "\u2029", "\u0085"]):
        ada = end.join(["BEGIN:VCARD", *lines, "END:VCARD"])
        contacts.expect_contacts(trial, contacts.write(trial, f"{number}.vcf", ada), [fields])
        both = ada + end + end.join(["BEGIN:VCARD", "VERSION:3.0", "FN:Bo Lie", "NOTE:x", "END:VCARD"]) + end
        path = contacts.write(trial, f"two/{number}.vcf", both)
        contacts.expect_contacts(trial, path, [fields, {"name": "Bo Lie", "note": "x"}])
        out = trial.folder / f"{number}.out.vcf"
        trial.run("contacts", "export", path, "--output", out)
        contacts.expect_contacts(trial, out, [fields, {"name": "Bo Lie", "note": "x"}])
        trial.expect(f"{number}: removed", trial.run("contacts", "rm", path, "Bo Lie", "--yes").returncode, 0)
        contacts.expect_contacts(trial, path, [fields])
        restored = trial.run("contacts", "restore", path, "Bo Lie").returncode
        trial.expect(f"{number}: restored", (restored, path.read_bytes()), (0, both.encode()))
