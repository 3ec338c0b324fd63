"""The page state of the visitor without a browser equals what a browser would show."""

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element

from tests.forged.visitor import Run


def text_element(text: str) -> Element:
    element = Element()
    element.text.body = text
    return element


def test_runs_that_end_the_same_are_the_same_whatever_was_shown_on_the_way() -> None:
    quick, slow = Run(), Run()
    quick.draw((0, 1), "text", text_element("the page"))
    quick.draw((0, 0), "empty", Element())
    slow.draw((0, 0), "empty", Element())
    slow.draw((0, 0), "container", Element())
    slow.draw((0, 0, 0), "text", text_element("42 %"))
    slow.draw((0, 0, 1), "button", BackMsg())
    slow.draw((0, 1), "text", text_element("the page"))
    slow.draw((0, 0), "empty", Element())
    assert slow.text() == quick.text()
    assert slow.of("button") == []
