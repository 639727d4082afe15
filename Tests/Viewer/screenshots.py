#!/usr/bin/env python3
"""Draws the pictures of docs/viewer.md from the sample book, and a sheet of all views in all widths for each theme.

usage: screenshots.py     TONDO=PROGRAM
"""
import base64

import pictures
from browser import Chromium
from service import ROOT, Service

DESKTOP, PHONE = (1280, 900, 1, False), (390, 844, 1, True)
ROWS, CARDS = "document.querySelectorAll('.row .drawn').length > 5", "document.querySelectorAll('.circle .drawn').length > 2"
DETAIL = "document.querySelectorAll('.card').length > 2 && document.querySelector('.head .drawn')"
# name, size, route, what is waited for, settings, script
PICTURES = [
    ("desktop", DESKTOP, "#/c/sample-ada", DETAIL + " && " + ROWS, {}, ""),
    ("desktop-dark", DESKTOP, "#/cards", CARDS, {"theme": "dark"}, "tondo.views.cards.circleScroller.jump(4); await until(() => !tondo.views.cards.circleScroller.isMoving);"),
    ("desktop-rtl", DESKTOP, "#/groups/Rowing%20club", "document.querySelectorAll('.friend .drawn').length === 3", {"direction": "rtl", "language": "ru"}, ""),
    ("phone", PHONE, "#/", ROWS, {}, ""),
    ("phone-cards", PHONE, "#/cards", CARDS, {}, "tondo.views.cards.circleScroller.jump(2); await until(() => !tondo.views.cards.circleScroller.isMoving);"),
    ("phone-dark", PHONE, "#/c/2~sample-kira", DETAIL, {"theme": "dark"}, ""),
    ("phone-chat", PHONE, "#/chat/2~sample-kira", "document.querySelectorAll('.message').length >= 5", {}, ""),
    ("phone-filter", PHONE, "#/", ROWS, {"language": "zh"}, "document.querySelector('.tools [aria-haspopup]').click(); (await until(() => document.querySelector('dialog input[value=telegram]'))).click();"),
    ("phone-rtl", PHONE, "#/", ROWS, {"direction": "rtl", "theme": "dark"}, ""),
]


# Views by route, and windows as width and height, of the sheets.
VIEWS = [
    ("#/", ROWS), ("#/c/sample-ada", DETAIL), ("#/cards", CARDS), ("#/groups/Friends", "document.querySelector('.friend .drawn')"),
    ("#/chat/2~sample-kira", "document.querySelectorAll('.message').length >= 5"), ("#/book", "document.querySelectorAll('.card').length > 1"),
    ("#/settings", "document.querySelector('select')"),
]
WINDOWS = [(320, 640), (390, 844), (768, 1024), (1280, 800), (1920, 1080)]
CELL = 220


def settle(browser, script=""):
    """Waits until nothing moves and every avatar is there."""
    browser.js(script + """await Promise.all(document.getAnimations().map(each => each.finished));
        await until(() => tondo.avatars.running === 0 && tondo.avatars.pending.size === 0); document.activeElement?.blur();""")


def capture(browser, width, height, scale):
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
    return base64.b64decode(browser.cdp("Page.captureScreenshot", format="png", clip=clip)["data"])


def save(name, data, most):
    data = pictures.stamped(data)
    path = ROOT / f"docs/viewer-{name}.png"
    path.write_bytes(data)
    print(path.name, len(data))
    if len(data) > most:
        raise SystemExit(f"{path.name}: more than {most // 1000} kB")


def draw_sheet(browser, service, theme):
    """A row for each view, a column for each width, all of one height."""
    rows = []
    for route, ready in VIEWS:
        row = []
        for width, height in WINDOWS:
            browser.resize(width, height, 1, width < 700)
            browser.open(service.url, route, theme=theme)
            browser.wait(ready)
            settle(browser)
            picture = base64.b64encode(capture(browser, width, height, CELL / height)).decode()
            row.append(f'<img src="data:image/png;base64,{picture}">')
        rows.append("<div>" + "".join(row) + "</div>")
    style = "body{margin:0;padding:6px;background:#808080;width:max-content}div{display:flex;gap:6px;margin-bottom:6px}"
    browser.get("about:blank")
    browser.execute("document.documentElement.innerHTML = arguments[0]", f"<style>{style}</style><body>{''.join(rows)}")
    width, height = browser.execute("return [document.body.offsetWidth, document.body.offsetHeight]")
    browser.resize(width, height, 1, False)
    save(f"sheet-{theme}", capture(browser, width, height, 1), 1_000_000)


def main():
    service, browser = Service(), Chromium(arguments=["--hide-scrollbars"])
    try:
        for name, (width, height, *more), route, ready, settings, script in PICTURES:
            browser.resize(width, height, *more)
            browser.open(service.url, route, **settings)
            browser.wait(ready)
            settle(browser, script)
            # Reduced, so that the repository stays small.
            save(name, capture(browser, width, height, 0.625 if width > 1000 else 0.8), 160_000)
        for theme in ("light", "dark"):
            draw_sheet(browser, service, theme)
    finally:
        browser.close()
        service.close()


if __name__ == "__main__":
    main()
