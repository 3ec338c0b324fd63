"""BPE Lab: the server app and the page script. Started by scripts/run, `bpe-lab run` or `streamlit run app.py`.

Streamlit imports this file once for the server's `app`, and executes it as __main__ for every script run.
"""

import streamlit as st


def show_page() -> None:
    """Set up the page and the navigation, and run the page named by the URL.

    Imports are local because Streamlit registers a component on import, with the server running at that time.
    """
    from ui.lessons.strip import show_strip
    from ui.widgets.address import open_link
    from ui.widgets.display import page_title
    from ui.widgets.fragments import problems_shown
    from ui.widgets.link_bar import show_link_bar
    from ui.widgets.pictures import show_pictures
    from ui.widgets.shell import LOGO, begin_run, end_run, show_shell

    st.set_page_config(page_title="BPE Lab", page_icon="🧩", layout="wide", menu_items={"About": "BPE Lab"})
    begin_run()
    st.logo(str(LOGO))

    by_path = {
        "train": st.Page("pages/train.py", title=page_title("train"), url_path="home", default=True),
        "encode": st.Page("pages/encode.py", title=page_title("encode"), url_path="encode"),
        "compare": st.Page("pages/compare.py", title=page_title("compare"), url_path="compare"),
        "vocabulary": st.Page("pages/vocabulary.py", title=page_title("vocabulary"), url_path="vocabulary"),
        "algorithms": st.Page("pages/algorithms.py", title=page_title("algorithms"), url_path="algorithms"),
        "pipeline": st.Page("pages/pipeline.py", title=page_title("pipeline"), url_path="pipeline"),
        "lessons": st.Page("pages/lessons.py", title=page_title("lessons"), url_path="lessons"),
    }
    # The first page has the root URL, but its name works as a path, like that of every other page.
    by_name = st.Page(
        lambda: st.switch_page(by_path["train"]), title=page_title("train"), url_path="train", visibility="hidden"
    )
    page = st.navigation([*by_path.values(), by_name], position="top")
    show_shell(page.title)
    open_link(page.url_path, by_path)
    show_link_bar()
    if not show_strip():
        with problems_shown(key="problem of the page"):
            page.run()
    show_pictures()
    end_run()


def load_first_page() -> None:
    """Load what the first page needs, before the first session begins."""
    import ui.lessons.strip
    import ui.train.page
    import ui.widgets.link_bar
    import ui.widgets.pictures
    import ui.widgets.shell  # noqa: F401
    from ui.serving.startup import load_for_first_page

    load_for_first_page()


if __name__ == "__main__":
    show_page()
else:
    from ui.serving import serve

    serve.set_up()
    app = st.App(__file__, lifespan=serve.lifespan(load_first_page), middleware=serve.middleware())
