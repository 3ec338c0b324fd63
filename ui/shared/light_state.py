"""What a component's state looks like to a script, without a class of its own for every look.

Whenever Streamlit reads the state of a component, and it reads all of them in each run, it defines a class that writes
changes through, a seventh of the computing of a step on Train, and leaves it to the garbage collection. A state that
nothing was triggered in, which nobody here ever changes, needs none of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.components.v2.bidi_component import main as mounting

Presenter = Callable[[Any, Any], Any]


def light(present: Presenter, triggers: str) -> Presenter:
    """Streamlit's `present`, only where something was triggered; `triggers` is the widget that says so."""

    def presented(state: Any, session: Any) -> Any:
        triggered = session._new_widget_state.states.get(triggers)
        if isinstance(state, dict) and not getattr(triggered, "value", None):
            return state
        return present(state, session)

    return presented


def lighten_states() -> None:
    """From now on in this process."""
    module: Any = mounting
    make = module.make_bidi_component_presenter
    module.make_bidi_component_presenter = lambda triggers, *rest: light(make(triggers, *rest), triggers)
