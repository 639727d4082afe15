"""The log of the reports: the table of README.md, made of the cases themselves."""
import sys

START, END = "<!-- cases: written by `run --log` -->\n", "<!-- end of cases -->\n"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def links(case):
    return " ".join(f"[{number}]({address})" for number, address in enumerate(case.sources, 1))


def table(cases):
    lines = []
    for family in sorted({case.family for case in cases}):
        own = [case for case in cases if case.family == family]
        wrong = sum(case.before == "wrong" for case in own)
        lines += [f"### {family}", "", f"{len(own)} cases; {wrong} of them were read wrong when they were written.", "",
                  "| case | reports | property | right value | before |", "|---|---|---|---|---|"]
        lines += [f"| `{case.name}` | {links(case)} | {cell(case.said)} | {cell(case.right)} | {case.before} |" for case in own]
        lines.append("")
    return "\n".join(lines)


def check(path, cases):
    text = path.read_text()
    if START not in text or END not in text:
        print(f"{path.name} has no place for the table")
        return 1
    written = text.split(START)[1].split(END)[0].strip("\n")
    if written == table(cases).strip("\n"):
        return 0
    print(f"{path.name} differs from the cases: put the output of Tests/Reports/run --log between its two marks",
          file=sys.stderr)
    return 1
