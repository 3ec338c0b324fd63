"""The chat of Pipeline: a table of messages, and the chat template of an uploaded tokenizer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from bpe_core.formats import to_bytes
from tests.app.pages import has, opened, payload
from tests.app.sending import send_action
from tests.app.test_compare import button, find, selectbox
from tests.app.test_compare_files import add
from tests.app.test_pipeline import texts
from ui.session.tokenizer_files import TokenizerFile, read_together

GPT2 = to_bytes(
    load_pretrained("gpt2").with_special_tokens({"<|im_start|>": 50257, "<|im_end|>": 50258}), format="tokenizers"
)
NAMED = """{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('No tools here') }}{% endif %}
{{ '<|im_start|>' + m.role + ': ' + m.content | trim + '<|im_end|>' }}{% endfor %}
{% if add_generation_prompt %}{{ '<|im_start|>assistant: ' }}{% endif %}"""
CONFIG = {
    "chat_template": [
        {"name": "default", "template": NAMED},
        {"name": "loud", "template": "{{ messages[0].content | upper }}"},
    ]
}


def with_files(**state: Any) -> AppTest:
    """Pipeline with a chat and an uploaded tokenizer; `files`: those uploaded with it."""
    files = state.pop("files", {"tokenizer_config.json": json.dumps(CONFIG).encode()})
    file = TokenizerFile("mine", (("tokenizer.json", GPT2), *files.items()))
    page = opened("pipeline", tokenizer_files=(file,), pipeline_input="chat")
    find(page, "pipeline with", file.name)
    for key, value in state.items():
        page.session_state[f"pipeline {key.replace('_', ' ')}"] = value
    page.run()
    assert not page.exception
    return page


def drawn(page: AppTest) -> dict[str, Any]:
    [passage] = payload(page, "stages of the text")["passages"]
    return dict(passage)


def test_the_template_of_an_own_tokenizer_writes_the_chat() -> None:
    page = with_files(system_message=" Be brief. ", user_message="Hi", assistant_message="")
    passage = drawn(page)
    assert passage["text"] == "<|im_start|>system: Be brief.<|im_end|><|im_start|>user: Hi<|im_end|>"
    assert [passage["text"][start:end] for start, end in passage["said"]] == ["Be brief.", "Hi"]
    assert len(passage["tokens"]["special"]) == 4
    assert passage["tokens"]["by"] == [0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 2, 0]
    assert any(
        "12 tokens in all · 2 of the messages (underlined) · 8 of the template · 2 across the boundary" in line
        for line in texts(page)
    )
    page.toggle(key="pipeline generation prompt").set_value(True).run()
    assert drawn(page)["text"].endswith("<|im_end|><|im_start|>assistant: ")


def test_another_template_or_chatml_can_be_chosen() -> None:
    page = with_files(system_message="Be brief.")
    selectbox(page, "Chat template").set_value("loud").run()
    assert drawn(page)["text"] == "BE BRIEF."
    selectbox(page, "Chat template").set_value("chatml, built in").run()
    assert drawn(page)["text"].startswith("<|im_start|>system\nBe brief.<|im_end|>\n")


def test_what_a_template_refuses_is_told_and_the_messages_are_kept() -> None:
    page = with_files(role_2="tool")
    assert not has(page, "stages of the text")
    assert any("The template refuses these messages: No tools here." in line for line in texts(page))
    selectbox(page, "Role of message 2").set_value("user").run()
    assert has(page, "stages of the text")


def test_a_damaged_config_is_told_and_chatml_is_used() -> None:
    page = with_files(files={"tokenizer_config.json": b"{"})
    assert any("tokenizer_config.json" in line for line in texts(page))
    assert drawn(page)["text"].startswith("<|im_start|>system\n")


def test_messages_are_added_removed_and_get_other_roles() -> None:
    page = opened("pipeline", pipeline_input="chat")
    button(page, "Add a message").click().run()
    send_action(
        page, "typed", [payload(page, "pipeline message 4 area")["push"], "And nine?"], "pipeline message 4 area"
    )
    assert drawn(page)["text"].endswith("<|im_start|>user\nAnd nine?<|im_end|>\n")
    selectbox(page, "Role of message 4").set_value("developer").run()
    assert drawn(page)["text"].endswith("<|im_start|>developer\nAnd nine?<|im_end|>\n")
    page.button(key="remove message 1").click().run()
    assert drawn(page)["text"].startswith("<|im_start|>user\nIs seven a prime number?")
    assert drawn(page)["text"].endswith("<|im_start|>developer\nAnd nine?<|im_end|>\n")
    for _ in range(2):
        page.button(key="remove message 1").click().run()
    assert drawn(page)["text"] == "<|im_start|>developer\nAnd nine?<|im_end|>\n"
    assert page.button(key="remove message 1").disabled
    for _ in range(9):
        button(page, "Add a message").click().run()
    assert button(page, "Add a message").disabled


def test_a_link_carries_the_messages_and_their_roles() -> None:
    page = opened("pipeline", "input=chat&with=gpt2&messages=4&role_1=user&system=One&message_4=Four&role_4=tool")
    assert drawn(page)["text"].startswith("<|im_start|>user\nOne<|im_end|>")
    assert drawn(page)["text"].endswith("<|im_start|>tool\nFour<|im_end|>\n")


def test_uploaded_files_of_one_model_become_one_tokenizer() -> None:
    page = opened("compare")
    config = json.dumps(CONFIG).encode()
    add(page, ("my model.json", GPT2), ("tokenizer_config.json", config), ("rag.jinja", b"rag"), ("config.json", b"{}"))
    [file] = page.session_state["tokenizer files"]
    assert list(file.contents()) == ["my model.json", "tokenizer_config.json", "rag.jinja", "config.json"]
    assert file.title == "my model"


def test_files_beside_two_tokenizers_belong_to_neither() -> None:
    two = [("a.json", GPT2), ("b.json", GPT2), ("config.json", b"{}")]
    assert [file.title for file in read_together(two, split=None, taken=())] == ["a", "b", "config"]


@pytest.mark.parametrize("template", ["{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"])
def test_a_hostile_template_is_stopped(template: str) -> None:
    page = with_files(files={"chat_template.jinja": template.encode()})
    assert any("was stopped" in line for line in texts(page))
