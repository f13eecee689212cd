from aml.judge.language.words import all_terms, content_terms, fold, has_cjk, tokens_of


def test_content_terms_are_stemmed_and_without_function_words() -> None:
    assert content_terms("She has been visiting Caroline's gardens") == ("visit", "carolin", "garden")


def test_chinese_is_read_as_pairs_of_characters() -> None:
    assert tokens_of("喝咖啡") == ["喝咖", "咖啡"]
    assert tokens_of("茶") == ["茶"]


def test_mixed_scripts_are_split_at_the_border() -> None:
    assert tokens_of("我在Berlin工作") == ["我在", "berlin", "工作"]


def test_full_width_digits_and_curly_apostrophes_are_folded() -> None:
    assert fold("１２ Don’t") == "12 don't"


def test_a_text_of_function_words_has_no_content_but_still_has_terms() -> None:
    assert content_terms("it was the") == ()
    assert all_terms("it was") == ("it", "was")


def test_korean_words_are_kept_whole() -> None:
    assert not has_cjk("커피")
    assert tokens_of("커피 좋아") == ["커피", "좋아"]
