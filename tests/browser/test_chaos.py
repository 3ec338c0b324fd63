"""A short run of random user actions; `python -m tests.browser.chaos` is the long one."""

from random import Random

from playwright.sync_api import Page

from tests.browser.chaos import run
from tests.draws import RUN, examples


def test_of_random_actions_in_two_tabs_none_is_lost(page: Page, rng: Random) -> None:
    result = run([page, page.context.new_page()], examples(160) if RUN != "short" else 12, rng.randrange(2**32))
    assert not result.lost, "\n".join(result.lost)
