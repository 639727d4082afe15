import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Chromium, Firefox, has_firefox
from service import ROOT, Service, generated_book


@pytest.fixture(scope="session")
def sample():
    """The service with the sample books. Tests leave it as it was."""
    service = Service(is_drawn=True)
    yield service
    service.close()


@pytest.fixture
def own():
    """The same for one test, which changes it."""
    service = Service(is_drawn=True)
    yield service
    service.close()


@pytest.fixture(scope="session")
def faces():
    """The sample books with the face model, which the build makes where no program finds it."""
    model = ROOT / ".build/face.model"
    if not model.exists():
        pytest.skip("there is no face model: assets/make_face_model .build/face.model makes it")
    service = Service(environment={"TONDO_FACE_MODEL": str(model)})
    yield service
    service.close()


@pytest.fixture(scope="session")
def many():
    """A service with 3,000 contacts."""
    # Without initials: drawing thousands in a debug build takes the browser's processor time for minutes.
    service = Service(lambda folder: generated_book(folder / "many.json", 3000), arguments=("--initials", "off"))
    # Reading so many takes longer than a test waits, where the machine has other work.
    service.finish()
    yield service
    service.close()


@pytest.fixture(scope="session")
def chromium_session():
    browser = Chromium(is_shell=True)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def watched_session():
    browser = Chromium(is_shell=True, is_watched=True)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox_session():
    if not has_firefox():
        pytest.skip("firefox-esr is not installed")
    browser = Firefox()
    yield browser
    browser.close()


@pytest.fixture
def desktop(chromium_session):
    """Chromium of 1280 x 900."""
    chromium_session.begin(1280, 900)
    return chromium_session


@pytest.fixture
def watched(watched_session):
    """The same, with `requests()`."""
    watched_session.begin(1280, 900)
    return watched_session


@pytest.fixture
def phone(chromium_session):
    """Chromium of 390 x 844 at 2x, with a touch screen."""
    chromium_session.begin(390, 844, 2, True)
    return chromium_session


@pytest.fixture(params=["chromium", "firefox"])
def page(request):
    """Each browser."""
    return request.getfixturevalue("desktop" if request.param == "chromium" else "firefox_session")


@pytest.fixture
def module(page, sample):
    if not getattr(page, "base", None) == sample.url or "settings" not in page.js("return location.hash"):
        page.open(sample.url, "#/settings")
        page.wait("document.querySelector('.settings-pane')")
    return page.js
