"""Browsers for the tests: Debian's Chromium by Selenium, and firefox-esr by its own Marionette protocol, since Debian
packages no geckodriver."""
import base64
import contextlib
import itertools
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromeService

# Runs the body of an asynchronous function; `load(name)` imports a module of the page.
WRAPPER = """
const done = arguments[arguments.length - 1], values = [...arguments].slice(0, -1);
const load = name => import(new URL(name, document.querySelector('script[type=module]').src).href);
const until = async (check, ms = 50000) => {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const value = await check();
    if (value) return value;
    await new Promise(next => setTimeout(next, 10));
  }
  throw new Error(`never: ${check}`);
};
const equal = (found, expected, about = "") => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${about} ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
};
const frame = () => new Promise(next => requestAnimationFrame(next));
(async (...args) => { %s })(...values).then(value => done({ value }), error => done({ error: `${error}\\n${error?.stack ?? ""}` }));
"""


class Page:
    """What all browsers can do; subclasses have `get`, `go` from another page, `execute` and `execute_async`."""

    def open(self, base, route="#/", show="yes", **settings):
        """Opens a route with the given settings, in a browser that knows nothing else of the service."""
        self.base = base
        self.go(base + "/healthz")
        values = {"tondo." + name: value for name, value in ({"show": show} | settings).items() if value is not None}
        self.execute("sessionStorage.clear(); localStorage.clear(); for (const [k, v] of Object.entries(arguments[0])) localStorage.setItem(k, v);"
                     "globalThis.caches?.delete('tondo-avatars')", values)
        self.go(base + "/" + route)
        return self

    def js(self, body, *values):
        """The result of an asynchronous function's body."""
        answer = self.execute_async(WRAPPER % body, *values)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer.get("value")

    def wait(self, expression, ms=50000):
        """Returns once the expression is true."""
        return self.js(f"await until(() => {expression}, {ms})")

    def reload(self, expression):
        """Loads the page again, and returns once the expression is true in the new one. No script may wait meanwhile: it would end
        with the old page, without an answer."""
        self.execute("window.isOld = true; setTimeout(() => location.reload())")
        for _ in range(500):
            try:
                if self.execute(f"return !window.isOld && Boolean({expression})"):
                    return
            except Exception:
                # Between two pages there is none.
                pass
            time.sleep(0.1)
        raise AssertionError(f"never: {expression}")

    def text(self, selector):
        return self.js("return document.querySelector(args[0])?.innerText ?? null", selector)

    def click(self, selector):
        self.js("const found = await until(() => document.querySelector(args[0])); found.click();", selector)


class Chromium(Page):
    """is_shell: the same engine without the window of a browser around the page, where that is installed; it takes a third less of the
    processor time. is_watched: `requests()` is there, which costs time in all pages."""

    def __init__(self, width=1280, height=900, scale=1, is_touch=False, language="en-GB", arguments=(), is_shell=False, is_watched=False):
        options = webdriver.ChromeOptions()
        shell = shutil.which("chromium-headless-shell") if is_shell else None
        options.binary_location = shell or shutil.which("chromium")
        for argument in ["--headless" if shell else "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}",
                         f"--window-size={width},{height}", *arguments]:
            options.add_argument(argument)
        if shell:
            # It does not read the preferences.
            options.add_argument(f"--accept-lang={language}")
        options.add_experimental_option("prefs", {"intl.accept_languages": language, "intl.selected_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"} | ({"performance": "ALL"} if is_watched else {}))
        self.driver = webdriver.Chrome(options=options, service=ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(120)
        self.is_old, self.size = False, None
        self.resize(width, height, scale, is_touch)
        self.execute, self.execute_async = self.driver.execute_script, self.driver.execute_async_script

    def cdp(self, command, **values):
        return self.driver.execute_cdp_cmd(command, values)

    def get(self, url):
        self.is_old = False
        self.driver.get(url)

    go = get

    def begin(self, width, height, scale=1, is_touch=False):
        """Begins a test in a window of this size; the page that is shown is that of the test before."""
        self.is_old = True
        self.resize(width, height, scale, is_touch)
        self.media()
        self.messages()

    def resize(self, width, height, scale=1, is_touch=False):
        size = (width, height, scale, is_touch)
        # No test looks at the page of another one, so that page is not laid out and drawn once more.
        if self.is_old and size != self.size:
            self.get("about:blank")
        self.size = size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=is_touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=is_touch)

    @contextlib.contextmanager
    def before_page(self, source):
        """Runs a script in each page that is loaded meanwhile, before the scripts of that page."""
        script = self.cdp("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
        try:
            yield
        finally:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def counting(self):
        """In pages that are loaded meanwhile, `underWay` is the number of requests that are not answered yet."""
        return self.before_page("{ const send = window.fetch; window.underWay = 0; window.fetch = async (...all) => {"
                                "underWay += 1; try { return await send(...all); } finally { underWay -= 1; } }; }")

    @contextlib.contextmanager
    def behind_proxy(self):
        """All requests come as a proxy on this machine passes them on for another machine."""
        self.cdp("Network.enable")
        self.cdp("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": "192.0.2.1"})
        try:
            yield
        finally:
            self.cdp("Network.setExtraHTTPHeaders", headers={})

    def media(self, **features):
        """Such as prefers_color_scheme="dark"."""
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def touch(self, *points):
        """A finger that goes down at the first (x, y), over the others, and up."""
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": points[0][0], "y": points[0][1]}])
        for x, y in points[1:]:
            self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def swipe(self, start, end, steps=6):
        (x, y), (to_x, to_y) = start, end
        self.touch(*[(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps) for step in range(steps + 1)])

    def wheel(self, x, y, delta_x=0, delta_y=0):
        self.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=delta_x, deltaY=delta_y)

    def key(self, name, code=0, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.cdp("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, modifiers=modifiers)

    def messages(self):
        """What the console reports, without the icon of pages that have none."""
        return [entry["message"] for entry in self.driver.get_log("browser") if "favicon.ico" not in entry["message"]]

    def requests(self):
        """The URLs that were requested since the last call, of a browser that is watched."""
        # The driver hands over 100,000 entries at a time, and those of all earlier tests wait, too.
        batches = itertools.takewhile(bool, iter(lambda: self.driver.get_log("performance"), None))
        entries = (json.loads(entry["message"])["message"] for batch in batches for entry in batch)
        return [entry["params"]["request"]["url"] for entry in entries if entry["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.driver.quit()


class Firefox(Page):
    """Marionette: length-prefixed JSON over a socket, [0, number, command, parameters] and [1, number, error, result]."""

    def __init__(self, width=1280, height=900, language="en-GB"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tondo-firefox-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # One process for pages, which stays, and less of what a browser does beside them.
        quiet = {"dom.ipc.processCount": 1, "dom.ipc.processPrelaunch.enabled": False, "browser.sessionstore.interval": 600_000,
                 "browser.pagethumbnails.capturing_disabled": True, "places.history.enabled": False, "toolkit.telemetry.enabled": False,
                 "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False}
        preferences = quiet | {"marionette.port": port, "intl.accept_languages": language, "app.update.enabled": False,
                       "browser.shell.checkDefaultBrowser": False, "devtools.jsonview.enabled": False, "datareporting.policy.dataSubmissionEnabled": False}
        (self.folder / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in preferences.items()))
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.folder, f"--width={width}", f"--height={height}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # Reads until the browser reports that it listens.
        for line in self.process.stdout:
            if "Listening on port" in line:
                break
        threading.Thread(target=lambda stream: [None for _ in stream], args=[self.process.stdout], daemon=True).start()
        self.number = 0
        self.socket = socket.create_connection(("127.0.0.1", port), 120)
        self.stream = self.socket.makefile("rb")
        self.read()
        self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"timeouts": {"script": 120000}}}})
        self.send("WebDriver:SetWindowRect", {"width": width, "height": height})

    def read(self):
        length = b""
        while (byte := self.stream.read(1)) != b":":
            length += byte
        return json.loads(self.stream.read(int(length)))

    def send(self, command, values):
        self.number += 1
        data = json.dumps([0, self.number, command, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self.read()
        if error:
            raise RuntimeError(error)
        return result

    def go(self, url):
        self.send("WebDriver:Navigate", {"url": url})

    def get(self, url):
        # A route alone loads nothing, so the page is left first.
        self.go("about:blank")
        self.go(url)

    def execute(self, script, *values):
        return self.send("WebDriver:ExecuteScript", {"script": script, "args": list(values), "sandbox": None})["value"]

    def execute_async(self, script, *values):
        return self.send("WebDriver:ExecuteAsyncScript", {"script": script, "args": list(values), "sandbox": None})["value"]

    def wheel(self, x, y, delta_x=0, delta_y=0):
        scroll = {"type": "scroll", "x": x, "y": y, "deltaX": delta_x, "deltaY": delta_y, "duration": 0, "origin": "viewport"}
        self.send("WebDriver:PerformActions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [scroll]}]})

    def key(self, name, *_):
        keys = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Escape": "\ue00c",
                "Delete": "\ue017", "End": "\ue010", "Home": "\ue011", "Enter": "\ue007", "Tab": "\ue004", "PageDown": "\ue00f"}
        actions = [{"type": kind, "value": keys.get(name, name)} for kind in ("keyDown", "keyUp")]
        self.send("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def has_firefox():
    return shutil.which("firefox-esr") is not None
