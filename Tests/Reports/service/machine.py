"""What the service meets on the machine that it runs on: users, limits, signals and the service manager."""
import os
import pathlib
import signal
import socket
import subprocess

from support.report import report
from support.service import Service, avatar, card, expect_photo, md5

GITHUB = "https://github.com/"
RED = (200, 30, 40)
ADA = md5("ada@example.org")


def started(trial, *before, **variables):
    """A service that is ready, started by the program `before`, with these variables; None takes one away."""
    wrapper = trial.folder / "wrapper"
    words = " ".join(f"'{word}'" for word in before)
    wrapper.write_text(f'#!/bin/sh\nexec {words} "{trial.tondo}" "$@"\n')
    wrapper.chmod(0o755)
    tondo, environment = trial.tondo, trial.environment
    trial.tondo = wrapper
    trial.environment = {key: value for key, value in {**environment, **variables}.items() if value is not None}
    try:
        return Service(trial)
    finally:
        trial.tondo, trial.environment = tondo, environment


def expect_service(trial, what, *before, **variables):
    """It starts so, shows a photo, and ends well by SIGTERM; the log is returned."""
    served = started(trial, *before, **variables)
    expect_photo(trial, served, avatar(ADA), RED, what)
    served.process.terminate()
    trial.expect(f"{what}: end", served.process.wait(60), 0)
    return served.text()


@report(GITHUB + "openshift/origin/issues/23369", GITHUB + "eclipse-che/che/issues/13454", GITHUB + "OpenShift-Fleet/rehor/pull/52",
        "A container runs the service as a user with a number alone: no name, no home, or / as its home.",
        right="It starts and shows the photos; the log says what cannot be kept, and where it would be.", before="right")
def users_without_a_name(trial):
    card(trial, "ada", "ada@example.org", RED)
    os.chmod(trial.folder, 0o755)
    places = [*trial.folder.parents, *pathlib.Path(trial.tondo).resolve().parents]
    if os.geteuid() != 0 or not all(place.stat().st_mode & 1 for place in places):
        trial.skip("only root can be another user, and where that one reaches the program")
    nothing = dict.fromkeys(["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"])
    for home in (None, "/", "/nothing"):
        log = expect_service(trial, f"home {home}", "setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", HOME=home, **nothing)
        trial.require(f"home {home}: {log[:300]}", "cache" in log)


@report(GITHUB + "faljse/SDNotify/issues/7", GITHUB + "canonical/pebble/issues/1046", GITHUB + "geldata/gel/pull/3278",
        "The service manager listens at an abstract socket (@...), or at one in a file, or at none any more.",
        right="It hears that the service is ready, reloads and ends; without a listener the service runs all the same.", before="right")
def sockets_of_service_managers(trial):
    card(trial, "ada", "ada@example.org", RED)
    for name in ("@tondo-" + trial.folder.name, str(trial.folder / "notify")):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind("\0" + name[1:] if name[0] == "@" else name)
        listener.settimeout(30)
        trial.at_end(listener.close)
        served = started(trial, "env", NOTIFY_SOCKET=name, WATCHDOG_USEC="2000000")
        heard = b""

        def hear(word):
            nonlocal heard
            while word not in heard:
                heard += listener.recv(4096)
            heard = heard.split(word, 1)[1]
            return True
        trial.require("ready", hear(b"READY=1"))
        trial.require("the watchdog", hear(b"WATCHDOG=1"))
        served.process.send_signal(signal.SIGHUP)
        trial.require("reloads", hear(b"RELOADING=1\nMONOTONIC_USEC=") and hear(b"READY=1"))
        served.process.terminate()
        trial.require("ends", hear(b"STOPPING=1"))
        trial.expect("status", served.process.wait(60), 0)
    for name in ("/nothing/notify", "@nothing", "relative", ""):
        expect_service(trial, f"without a listener: {name}", "env", NOTIFY_SOCKET=name, WATCHDOG_USEC="no number", WATCHDOG_PID="1")


@report(GITHUB + "util-linux/util-linux/pull/4014", GITHUB + "jeroennijhof/pam_script/pull/4", GITHUB + "baskerville/bspwm/pull/1534",
        "The program that starts the service ignores the ends of its children and other signals, or blocks them; the service inherits that.",
        right="It starts, its decoders too, and it ends by SIGTERM.", before="right")
def signals_of_a_parent(trial):
    card(trial, "ada", "ada@example.org", RED)
    python = "import os, signal, sys; {}; os.execv(sys.argv[1], sys.argv[1:])"
    block = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD])"
    ignore = "[signal.signal(number, signal.SIG_IGN) for number in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGHUP, signal.SIGINT)]"
    for what in (block, ignore):
        expect_service(trial, what[:30], "python3", "-c", python.format(what))
