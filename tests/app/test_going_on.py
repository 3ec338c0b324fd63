"""Training that continues from a tokenizer on Train, tokens added by hand and smaller tokenizers on Vocabulary."""

import tokenizers

from bpe_core import load_pretrained, train_sentencepiece
from bpe_core.formats import to_bytes
from tests.app.pages import column, has, opened, params, texts
from tests.app.sending import address
from ui.cache import training
from ui.session.tokenizer_files import TokenizerFile
from ui.session.training import GrownConfig

GPT2 = 50_257
QUERY = f"corpus=lanterns+lanterns+widened+widened+lanternlights&base=gpt2&vocab_size={GPT2 + 8}"
SMALL = TokenizerFile("small", (("tokenizer.json", to_bytes(load_pretrained("gpt2"), format="tokenizers")),))
PIECES = train_sentencepiece(
    "lanterns hugs lanterns", 300, model_type="bpe", normalization="identity", byte_fallback=True
)
MODEL = TokenizerFile("pieces", (("hugs.model", PIECES.model),))
WORDS = TokenizerFile("words", (("vocab.txt", b"[UNK]\nlow\n##er\n"),))


def test_a_link_opens_a_training_that_goes_on_and_the_page_says_what_is_gained() -> None:
    app = opened("train", QUERY)
    config = app.session_state["config"]
    assert isinstance(config, GrownConfig)
    assert config.base == "gpt2"
    grown = training(app.session_state["source"], config)
    assert grown.base is load_pretrained("gpt2")
    before, after = grown.token_count(0), grown.token_count(len(grown.merges))
    [gained] = [text for text in texts(app) if text.startswith("Continues from GPT-2")]
    assert f"{before:,} tokens with it, {after:,} with {len(grown.merges)} new merges" in gained
    assert params(address(app)["query"])["base"] == ["gpt2"]
    assert not has(app, "costs view")
    labels = [each.proto.popover.label for each in app.get("popover")]
    assert "Settings: on from GPT-2" in labels


def test_the_settings_go_on_from_a_published_tokenizer_and_begin_anew_again() -> None:
    app = opened("train")
    app.selectbox(key="draft base").set_value("cl100k_base").run()
    size = load_pretrained("cl100k_base").vocab_size
    assert app.session_state["draft vocab size"] == size + 256
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert not app.exception
    config = app.session_state["config"]
    assert (config.base, config.split, config.vocab_size) == ("cl100k_base", "cl100k", size + 256)
    app.selectbox(key="draft base").set_value("").run()
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert app.session_state["config"].vocab_size == 512
    assert not isinstance(app.session_state["config"], GrownConfig)


def test_an_opened_tokenizer_is_offered_and_one_without_bytes_is_refused_with_a_sentence() -> None:
    app = opened("train", tokenizer_files=(SMALL, MODEL, WORDS))
    app.selectbox(key="draft base").set_value(SMALL.name).run()
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert app.session_state["config"].base == SMALL.name
    app.selectbox(key="draft base").set_value(MODEL.name).run()
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert app.session_state["config"].base == MODEL.name
    app.selectbox(key="draft base").set_value(WORDS.name).run()
    assert "words has no list of merges to continue from." in texts(app)
    assert not app.exception


def test_links_that_cannot_go_on_say_why_and_keep_what_was_here() -> None:
    for query, says in (
        ("base=bert-base-uncased&vocab_size=60000", "bert-base-uncased has no list of merges to continue from."),
        ("base=gpt2&vocab_size=300", "gpt2 has ids up to 50,256 already."),
        ("base=gpt2&vocab_size=900000", "gpt2 would get 849,743 merges."),
        ("base=gtp2&vocab_size=60000", "'gtp2' is not a pretrained tokenizer."),
        ("base=file:ab:mine&vocab_size=60000", "The training continues from the tokenizer mine."),
        ("base=file:&vocab_size=60000", "The training continues from the tokenizer ."),
    ):
        app = opened("train", query)
        assert says in texts(app), texts(app)
        assert app.session_state["config"].vocab_size == 512 if "config" in app.session_state else True


def test_tokens_of_a_training_that_goes_on_have_their_origin_on_every_page() -> None:
    app = opened("train", QUERY + f"&step=2&token={GPT2}&shown=vocabulary")
    assert has(app, "token story")
    app = opened("encode", QUERY + "&with=trained&text=lanterns")
    assert not app.exception
    app = opened("vocabulary", QUERY + f"&of=trained&token={GPT2}")
    assert max(filter(None, column(app, "vocabulary table", "Created"))) == 4
    assert app.button(key="to its step")
    app = opened("vocabulary", QUERY + "&of=trained&token=1169")
    assert not app.exception
    app = opened("compare", QUERY + "&with=trained&with=gpt2&text=lanterns")
    assert not app.exception


# -- on Vocabulary ---------------------------------------------------------------------------------------------------


def test_a_token_added_by_hand_lists_the_words_that_change() -> None:
    app = opened("vocabulary", "corpus=my+lanterns+and+a+lantern&of=gpt2&add=1&added=lantern")
    assert column(app, "words of added", "Word") == ["·lanterns", "·lantern"]
    assert any("2 words of the training text are segmented differently" in text for text in texts(app))
    app = opened("vocabulary", "corpus=my+lanterns+lanternlight&of=gpt2&add=1&added=+lanternlight&added_as=merges")
    assert column(app, "words of added", "Word") == ["·lanternlight"]
    app = opened("vocabulary", "corpus=low&of=gpt2&add=1&added=two+words&added_as=merges")
    assert "'two words' is 2 words of the split." in texts(app)


def test_a_smaller_tokenizer_is_opened_here_with_the_ids_of_the_library() -> None:
    app = opened("vocabulary", "corpus=my+lanterns&of=gpt2&smaller=1&smaller_by=used")
    assert any(text.startswith("265 ids stay, 49,992 are gone. No word") for text in texts(app)), texts(app)
    app.button(key="open smaller").click().run()
    assert not app.exception
    assert [each.value for each in app.toast] == ["It is open on every page, under “More tokenizers”."]
    [file] = app.session_state["tokenizer files"]
    library = tokenizers.Tokenizer.from_str(file.contents()["tokenizer.json"].decode())
    assert library.encode("my lanterns").ids == file.tokenizer().encode("my lanterns").ids.tolist()
    assert library.get_vocab_size() == 265


def test_a_tokenizer_that_finds_its_words_itself_goes_on_and_the_form_shows_these_words() -> None:
    library = tokenizers.Tokenizer.from_str(to_bytes(load_pretrained("gpt2"), format="tokenizers").decode())
    steps = [tokenizers.pre_tokenizers.Digits(individual_digits=True), library.pre_tokenizer]
    library.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(steps)
    digits = TokenizerFile("digits", (("tokenizer.json", library.to_str().encode()),))
    app = opened("train", "corpus=lanterns+2026+lanterns", tokenizer_files=(digits,))
    app.selectbox(key="draft base").set_value(digits.name).run()
    [said] = [each.value for each in app.caption if each.value.startswith("The tokenizer finds the words by rules")]
    assert said.endswith(" 7 words in the text; no merge crosses a word boundary.")
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert not app.exception
    assert any(text.startswith("Continues from digits, whose ids are kept") for text in texts(app))
    config = app.session_state["config"]
    assert [merge.left for merge in training(app.session_state["source"], config).merges][:1]
