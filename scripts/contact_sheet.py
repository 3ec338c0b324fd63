"""Every page and its stage in one language, at two widths, as one picture, to check for clipped or broken text.

    python -m scripts.contact_sheet ja sheet.png

A folder of the same name next to the sheet has the single pictures. Same requirements as scripts/screenshots.py.
"""

import argparse
import tempfile
from base64 import b64encode
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, Page

from bpe_core.language import LANGUAGES
from tests.browser.helpers import open_page, wait_until_idle
from tests.browser.serving import launched_chromium, served_app

PATHS = ("/", "/encode", "/compare", "/vocabulary", "/algorithms", "/pipeline", "/lessons", "/lessons?lesson=hug_pug")
WIDTHS = (1280, 800)
HEIGHT, TALLEST = 900, 6000


def main() -> None:
    """Write the sheet of a language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("language", choices=[*LANGUAGES])
    parser.add_argument("file", type=Path)
    chosen = parser.parse_args()
    pictures = chosen.file.with_suffix("")
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as server, launched_chromium() as browser:
        taken = [
            _taken(browser, f"{server.url}{path}", chosen.language, width, pictures, on_stage=on_stage)
            for path in PATHS
            for on_stage in ((False, True) if "lesson=" not in path else (False,))
            for width in WIDTHS
        ]
        _write_sheet(browser, taken, chosen.file)


def _taken(browser: Browser, url: str, language: str, width: int, folder: Path, *, on_stage: bool) -> Path:
    """Take a full-page picture, light at the first width and dark at the other, and return its path."""
    scheme = "light" if width == WIDTHS[0] else "dark"
    page = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
    place = url + ("&" if "?" in url else "?") + f"lang={language}" + ("&stage=1" if on_stage else "")
    open_page(page, place)
    wait_until_idle(page, quiet=1_000)
    if not on_stage:
        height = page.locator('[data-testid="stMain"]').first.evaluate("element => element.scrollHeight")
        page.set_viewport_size({"width": width, "height": min(max(height, HEIGHT), TALLEST)})
    page.wait_for_timeout(2_000)  # charts
    name = url.rpartition("/")[2].partition("?")[0 if "=" not in url else 2] or "train"
    file = folder / f"{name}{'-stage' if on_stage else ''}-{width}.png"
    page.screenshot(path=file)
    page.close()
    print(file)
    return file


def _write_sheet(browser: Browser, pictures: list[Path], file: Path) -> None:
    page: Page = browser.new_page(viewport={"width": 1_600, "height": HEIGHT})
    shown = "".join(
        f'<figure><img width="250" src="data:image/png;base64,{b64encode(each.read_bytes()).decode()}">'
        f"<figcaption>{escape(each.stem)}</figcaption></figure>"
        for each in pictures
    )
    layout = (
        "display: grid; grid-template-columns: repeat(6, 250px); gap: 12px; align-items: start; font: 12px sans-serif"
    )
    page.set_content(f"<style>body {{{layout}}} figure {{margin: 0}}</style>{shown}")
    page.screenshot(path=file, full_page=True)
    print(file)


if __name__ == "__main__":
    main()
