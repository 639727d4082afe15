"""The style sheets take every size and colour from tokens.css."""
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "assets/viewer"
SHEETS = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in FOLDER.glob("*.css")}
TOKENS = SHEETS.pop("tokens.css")
# Sizes in other units follow from the text, the window or a container.
SIZE = re.compile(r"(?<![\w.#-])\d*\.?\d+(?:rem|px|pt|ms|s)\b")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(")


def strays(sheet):
    """Sizes and colours that are no tokens. Conditions of @media and @container cannot use tokens."""
    rules = re.sub(r"@(?:media|container)[^{]*", "", sheet)
    values = re.findall(r":\s*([^;{}]+)[;}]", rules)
    return [found for value in values for found in SIZE.findall(value) + COLOUR.findall(value)]


def test_check_finds_what_it_should():
    assert strays("a { padding: 3px .5rem; color: #fff; transition: rotate .2s; }") == ["3px", ".5rem", "#fff", ".2s"]
    assert strays("@media (min-width: 900px) { a { width: 50%; height: 1em; inset: 0; margin: var(--space-1); } }") == []


def test_sizes_and_colours_are_tokens():
    assert {name: strays(sheet) for name, sheet in SHEETS.items() if strays(sheet)} == {}


def test_every_token_exists_and_is_used():
    defined, used = (set(re.findall(pattern, text)) for pattern, text in [
        (r"(--[\w-]+):", TOKENS), (r"var\((--[\w-]+)", "".join(SHEETS.values()) + TOKENS)])
    # Set by the page for single elements.
    own = set(re.findall(r"(--[\w-]+):", "".join(SHEETS.values()))) | {"--ratio"}
    assert used - defined - own == set()
    assert defined - used == set()


def test_what_moves_has_one_curve_and_one_scale_of_durations():
    moves = [part for sheet in SHEETS.values() for value in re.findall(r"\b(?:transition|animation):\s*([^;{}]+)", sheet) for part in re.split(r",(?![^(]*\))", value)]
    stray = [part for part in moves if "none" not in part and "allow-discrete" not in part and not re.search(r"var\(--(?:quick|calm)\) var\(--ease\)", part)]
    assert len(moves) > 10 and stray == []


# The elements that a rule with :has() looks into. A browser computes the style of all that lies in such an element whenever something in
# it changes: above recycled rows that is the whole page, in each frame of scrolling.
ANCHORS = r"""const parts = text => {
      const found = [""];
      let depth = 0;
      for (const letter of text) {
        depth += { "(": 1, ")": -1 }[letter] ?? 0;
        if (letter === "," && depth === 0) found.push("");
        else found[found.length - 1] += letter;
      }
      return found;
    };
    const anchors = selector => {
      const found = [];
      let before = "", isMeant = false, at = 0;
      const end = () => { if (isMeant) found.push(/[\s>+~]$|^$/.test(before) ? `${before}*` : before); isMeant = false; };
      while (at < selector.length) {
        const [piece] = /^:{1,2}[\w-]+|^\s*[>+~]\s*|^\s+|^\[[^\]]*\]|^[^]/.exec(selector.slice(at));
        let whole = piece;
        if (selector[at + piece.length] === "(") {
          let to = at + piece.length, depth = 0;
          do depth += { "(": 1, ")": -1 }[selector[to++]] ?? 0; while (depth > 0);
          whole = selector.slice(at, to);
        }
        if (/^\s*[>+~]|^\s/.test(piece)) end();
        if (whole.includes(":has(")) isMeant = true;
        else before += whole;
        at += whole.length;
      }
      end();
      return found;
    };
    const rules = list => [...list].flatMap(rule => [...rule.selectorText ? [rule.selectorText] : [], ...rule.cssRules ? rules(rule.cssRules) : []]);
    const above = row => [...document.styleSheets].flatMap(({ cssRules }) => rules(cssRules)).filter(text => text.includes(":has(")).flatMap(parts)
      .filter(selector => anchors(selector.trim()).some(anchor => row.parentElement.closest(anchor)));
"""


@pytest.mark.parametrize("place, row", [("#/", ".rows .row"), ("#/cards", ".person"), ("#/groups", ".friend")])
def test_no_rule_looks_for_what_changes_with_each_row(desktop, sample, place, row):
    desktop.resize(1280, 900)
    desktop.open(sample.url, place)
    desktop.wait(f"document.querySelector('{row}:not([hidden])')")
    desktop.js(ANCHORS + """const row = document.querySelector(`${args[0]}:not([hidden])`), sheet = new CSSStyleSheet();
        equal(above(row), []);
        equal(anchors('.a > .b:not(.c, :has(> .d)) + e:has(f)'), ['.a > .b', '.a > .b + e']);
        // It finds what it should.
        sheet.replaceSync('body:has(.x:empty) .y, .a { color: red; } @media screen { main:not(.b):has(> .c), .none:has(d) { color: red; } }');
        const found = rules(sheet.cssRules).flatMap(parts).filter(selector => anchors(selector.trim()).some(anchor => row.parentElement.closest(anchor)));
        equal(found.map(each => each.trim()), ['body:has(.x:empty) .y', 'main:not(.b):has(> .c)']);""", row)
