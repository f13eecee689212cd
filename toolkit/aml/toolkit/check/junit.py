"""A report as JUnit XML, which every build server shows. A warning is a passed case that says something."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from aml.contracts.doctor import CheckReport, DoctorReport


def junit_xml(report: DoctorReport, name: str) -> bytes:
    suite = Element(
        "testsuite",
        name=f"aml check {name}",
        tests=str(len(report.checks)),
        failures=str(sum(check.outcome == "failed" for check in report.checks)),
        errors="0",
        skipped=str(sum(check.outcome == "skipped" for check in report.checks)),
        time=f"{report.took / 1_000_000:.3f}",
    )
    for check in report.checks:
        _add_case(suite, check)
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    text: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _add_case(suite: Element, check: CheckReport) -> None:
    case = SubElement(suite, "testcase", classname="contract", name=check.name, time=f"{check.took / 1_000_000:.3f}")
    story = "\n".join(
        (f"found: {check.finding}", f"sent: {check.sent}", f"received: {check.received}", f"why: {check.why}",
         f"mend: {check.mend}")
    )  # fmt: skip
    match check.outcome:
        case "failed":
            SubElement(case, "failure", type=check.code, message=check.finding).text = story
        case "skipped":
            SubElement(case, "skipped", message=check.finding)
        case "warning":
            SubElement(case, "system-out").text = f"warning ({check.code})\n{story}"
        case "passed":
            pass
