from datetime import UTC, datetime

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.agents.history_form import PlainHistory

ASKED = datetime(2025, 5, 2, 18, tzinfo=UTC)


def a_turn(content: str, session: str = "s1", role: str = "user", day: int = 4) -> HistoryTurn:
    return HistoryTurn(role=role, content=content, session=session, at=datetime(2025, 3, day, 9, tzinfo=UTC))


TURNS = (a_turn("My bike is blue."), a_turn("Nice.", role="assistant"), a_turn("It is red now.", "s2", day=9))


def test_a_blob_tells_each_session_under_its_day_and_ends_with_the_question() -> None:
    blob = PlainHistory().blob(TURNS, "What colour is my bike?", ASKED)

    assert "Session 1, 2025-03-04\nUser: My bike is blue.\nAssistant: Nice." in blob
    assert "Session 2, 2025-03-09\nUser: It is red now." in blob
    assert blob.endswith("(Today is 2025-05-02.) What colour is my bike?")


def test_without_dates_no_day_is_told_anywhere() -> None:
    form = PlainHistory(dates=False)

    assert "2025" not in form.blob(TURNS, "What colour is my bike?", ASKED)
    assert form.chat(TURNS) == TURNS
    assert form.question("What?", ASKED) == "What?"


def test_a_chat_tells_the_day_with_each_sessions_first_turn() -> None:
    told = PlainHistory().chat(TURNS)

    assert [turn.content for turn in told] == ["[2025-03-04] My bike is blue.", "Nice.", "[2025-03-09] It is red now."]


def test_a_history_without_times_is_told_without_them() -> None:
    turn = HistoryTurn(role="user", content="Hi.", session="s1")

    assert "Session 1\nUser: Hi." in PlainHistory().blob([turn], "What?", None)
    assert PlainHistory().chat([turn]) == (turn,)


def test_chinese_is_told_in_chinese() -> None:
    blob = PlainHistory(language="zh").blob([a_turn("我的车是蓝色的。")], "我的车是什么颜色？", ASKED)

    assert "第 1 次会话，2025-03-04\n用户：我的车是蓝色的。" in blob
    assert "Session" not in blob
