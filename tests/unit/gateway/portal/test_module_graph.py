"""A page asks for all modules of its script at once."""

from aml.gateway.portal.module_graph import modules_of
from aml.gateway.portal.portal import Portal


def test_a_scripts_imports_and_theirs() -> None:
    assert modules_of("confirm_step.js") == ("confirm_step.js", "slots.js", "texts.js")


def test_a_page_preloads_what_it_needs(portal: Portal) -> None:
    page = portal.page("/zh/evaluation")

    assert page is not None
    for name in (*modules_of("evaluation.js"), "texts_zh.js"):
        assert f'<link rel="modulepreload" href="/assets/{name}">' in page.body.decode()
