#!/usr/bin/env python3
"""Draws the pictures of docs/viewer.md from the sample book.

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
    ("phone-filter", PHONE, "#/", ROWS, {"language": "zh"}, "document.querySelector('.tools .icon-button').click(); document.querySelector('dialog input[value=telegram]').click();"),
    ("phone-rtl", PHONE, "#/", ROWS, {"direction": "rtl", "theme": "dark"}, ""),
]


def main():
    service, browser = Service(), Chromium(arguments=["--hide-scrollbars"])
    try:
        for name, (width, height, *more), route, ready, settings, script in PICTURES:
            browser.resize(width, height, *more)
            browser.open(service.url, route, **settings)
            browser.wait(ready)
            browser.js(script + """await Promise.all(document.getAnimations().map(each => each.finished));
                await until(() => tondo.avatars.running === 0 && tondo.avatars.pending.size === 0); document.activeElement?.blur();""")
            # Reduced, so that the repository stays small.
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 0.625 if width > 1000 else 0.8}
            data = pictures.stamped(base64.b64decode(browser.cdp("Page.captureScreenshot", format="png", clip=clip)["data"]))
            path = ROOT / f"docs/viewer-{name}.png"
            path.write_bytes(data)
            print(path.name, len(data))
            if len(data) > 120_000:
                raise SystemExit(f"{path.name}: more than 120 kB")
    finally:
        browser.close()
        service.close()


if __name__ == "__main__":
    main()
