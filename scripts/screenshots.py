"""Retake the screenshots of the README and of docs/ from the running app: every page, light and dark, some in Japanese
and Chinese, and the stage.

    python -m scripts.screenshots

Needs the packages of requirements-dev.txt and a Chromium (scripts/test installs both).
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.helpers import open_page, wait_until_idle
from tests.browser.serving import PROJECT, launched_chromium, served_app

FOLDER = PROJECT / "docs"
PATHS = {
    "train": "/",
    "encode": "/encode",
    "compare": "/compare",
    "vocabulary": "/vocabulary",
    "algorithms": "/algorithms?model=unigram&at_step=8",
    "pipeline": "/pipeline",
    "lessons": "/lessons",
}
MORE = {
    "train-ja": ("/?lang=ja", "light"),
    "encode-zh": ("/encode?lang=zh", "light"),
    "stage": ("/?stage=1", "dark"),
    "asked": ("/lessons?lesson=hug_pug", "light"),
    "forest": ("/vocabulary?of=gpt2&forest=1", "light"),
    "use": ("/vocabulary?frequencies=1", "dark"),
    "lines": ("/compare?lines=1", "light"),
}
CHARTS = {
    "forest": "Tokens and what they are made of",
    "use": "Tokens of the text by frequency",
    "lines": "Tokens of each line",
}
"""Charts to scroll to, by their accessible names."""

SIZE = {"width": 1280, "height": 900}
TALLEST = 1400


def main() -> None:
    """Write docs/<page>-<theme>.png, and the screenshots listed in MORE."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as server, launched_chromium() as browser:
        for theme in ("light", "dark"):
            context = browser.new_context(base_url=server.url, color_scheme=theme, viewport=SIZE)
            page = context.new_page()
            for name, path in PATHS.items():
                open_page(page, path)
                _prepare(page, name)
                _shoot(page, FOLDER / f"{name}-{theme}.png")
            context.close()
        for name, (path, theme) in MORE.items():
            context = browser.new_context(base_url=server.url, color_scheme=theme, viewport=SIZE)
            page = context.new_page()
            open_page(page, path)
            _prepare(page, name)
            if name in CHARTS:
                page.get_by_role("slider", name=CHARTS[name]).evaluate(
                    "chart => chart.scrollIntoView({ block: 'end' })"
                )
                page.locator(".js-plotly-plot").last.wait_for()
                page.wait_for_timeout(2_000)
            page.screenshot(path=FOLDER / f"{name}.png")
            print(f"docs/{name}.png")
            context.close()


def _prepare(page: Page, name: str) -> None:
    """Show a typical state: a merge in the middle of the training."""
    if name.startswith("train") or name == "stage":
        field = page.locator(".st-key-player").get_by_role("spinbutton")
        field.fill("42")
        field.press("Enter")
        wait_until_idle(page, quiet=600)
    page.wait_for_timeout(3_000)


def _shoot(page: Page, file: Path) -> None:
    height = page.locator('[data-testid="stMain"]').first.evaluate("element => element.scrollHeight")
    page.set_viewport_size({**SIZE, "height": min(max(height, SIZE["height"]), TALLEST)})
    page.wait_for_timeout(800)
    page.screenshot(path=file)
    page.set_viewport_size(SIZE)
    print(file.relative_to(PROJECT))


if __name__ == "__main__":
    main()
