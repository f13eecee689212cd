from xml.etree.ElementTree import fromstring

from tests.factories.doctor_reports import a_check_report, a_report

from aml.toolkit.check.junit import junit_xml


def test_every_check_is_a_case_and_only_a_failure_fails() -> None:
    report = a_report(
        a_check_report("one"),
        a_check_report("two", "failed", finding="<\"&'> 狐"),
        a_check_report("three", "warning"),
        a_check_report("four", "skipped"),
    )
    suite = fromstring(junit_xml(report, "https://memory.example"))[0]

    assert suite.attrib == {
        "name": "aml check https://memory.example",
        "tests": "4",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
        "time": "1.230",
    }
    assert [case.get("name") for case in suite] == ["one", "two", "three", "four"]
    one, two, three, four = suite
    assert list(one) == []
    failure = two[0]
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "schema", "<\"&'> 狐")
    assert "sent: sent by two" in (failure.text or "")
    assert "mend: mend two" in (failure.text or "")
    assert three[0].tag == "system-out"
    assert four[0].tag == "skipped"
