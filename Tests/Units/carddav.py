#!/usr/bin/env python3
"""A CardDAV account with one address book, for the trial of the units: two cards, the user `ada` with the password `pw`.

usage: carddav.py PORT
"""
import base64
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

BOOK = "/ada/book/"
CARDS = {f"{BOOK}{name}.vcf": f"BEGIN:VCARD\nVERSION:3.0\nUID:{name}\nFN:{name.title()} Remote\nEND:VCARD\n"
         for name in ("grace", "alan")}
LOGIN = "Basic " + base64.b64encode(b"ada:pw").decode()


def response(href, properties):
    return (f"<response><href>{href}</href><propstat><prop>{properties}</prop><status>HTTP/1.1 200 OK</status></propstat>"
            "</response>")


class Account(BaseHTTPRequestHandler):
    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()

    def answer(self, status, text="", **headers):
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def multistatus(self, inner):
        if self.headers.get("Authorization") != LOGIN:
            return self.answer(401, WWW_Authenticate='Basic realm="trial"')
        self.answer(207, '<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">'
                         f"{inner}</multistatus>")

    def do_PROPFIND(self):
        self.body()
        self.multistatus(response(BOOK, "<resourcetype><collection/><C:addressbook/></resourcetype>"))

    def do_REPORT(self):
        body = self.body()
        if "multiget" in body:
            wanted = re.findall("<href>([^<]*)</href>", body)
            return self.multistatus("".join(
                response(href, f'<getetag>"1"</getetag><C:address-data>{CARDS[href]}</C:address-data>')
                for href in wanted if href in CARDS))
        known = "<sync-token>1<" in body
        cards = "" if known else "".join(response(href, '<getetag>"1"</getetag>') for href in CARDS)
        self.multistatus(cards + "<sync-token>1</sync-token>")

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Account).serve_forever()
