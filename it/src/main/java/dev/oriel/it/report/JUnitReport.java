package dev.oriel.it.report;

import dev.oriel.it.report.CheckedCase.CaseFinding;
import dev.oriel.it.report.CheckedCase.CasePlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cases in the XML that JUnit made usual: a suite for each file or program and a test case for each
 * combination of it. A violation is a failure, a mistake in a text an error, and a combination in
 * which the program cannot run is skipped. No time is written, so equal checks have equal reports.
 */
final class JUnitReport {
  private final StringBuilder out = new StringBuilder();

  private JUnitReport() {}

  static String print(List<CheckedCase> cases) {
    return new JUnitReport().all(cases);
  }

  private String all(List<CheckedCase> cases) {
    Map<String, List<CheckedCase>> suites = new LinkedHashMap<>();
    cases.forEach(one -> suites.computeIfAbsent(suite(one), _ -> new ArrayList<>()).add(one));
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.append("<testsuites name=\"oriel check\"").append(counts(cases)).append(">\n");
    suites.forEach(this::suite);
    return out.append("</testsuites>\n").toString();
  }

  /** Two files may have programs of one name, and a plan is several programs. */
  private static String suite(CheckedCase one) {
    return one.file().orElse(one.program());
  }

  private void suite(String name, List<CheckedCase> cases) {
    out.append("  <testsuite").append(attribute("name", name)).append(counts(cases)).append(">\n");
    cases.forEach(this::testCase);
    out.append("  </testsuite>\n");
  }

  private void testCase(CheckedCase one) {
    out.append("    <testcase")
        .append(attribute("name", one.name().isEmpty() ? one.program() : one.name()))
        .append(attribute("classname", one.program()));
    one.file().ifPresent(file -> out.append(attribute("file", file)));
    out.append(">\n");
    one.findings().forEach(finding -> finding(one, finding));
    one.refused()
        .ifPresent(
            why -> out.append("      <skipped").append(attribute("message", why)).append("/>\n"));
    if (!one.bounds().isEmpty()) {
      out.append("      <system-out>")
          .append(escaped("bounded: " + String.join("; ", one.bounds())))
          .append("</system-out>\n");
    }
    out.append("    </testcase>\n");
  }

  private void finding(CheckedCase one, CaseFinding finding) {
    String element = finding.mistake() ? "error" : "failure";
    List<String> lines = new ArrayList<>(List.of(finding.message()));
    finding
        .places()
        .forEach(place -> lines.add((position(one, place) + " " + place.words()).strip()));
    lines.addAll(finding.details());
    out.append("      <")
        .append(element)
        .append(attribute("type", finding.kind()))
        .append(attribute("message", finding.message().lines().findFirst().orElse("")))
        .append(">")
        .append(escaped(String.join("\n", lines)))
        .append("</")
        .append(element)
        .append(">\n");
  }

  private static String position(CheckedCase one, CasePlace place) {
    return one.file()
        .filter(_ -> place.line() > 0)
        .map(file -> file + ":" + place.line() + ":" + place.column() + ":")
        .orElse("");
  }

  private static String counts(List<CheckedCase> cases) {
    long errors = cases.stream().filter(one -> has(one, true)).count();
    long failures = cases.stream().filter(one -> !has(one, true) && has(one, false)).count();
    return attribute("tests", Integer.toString(cases.size()))
        + attribute("failures", Long.toString(failures))
        + attribute("errors", Long.toString(errors))
        + attribute(
            "skipped",
            Long.toString(cases.stream().filter(one -> one.refused().isPresent()).count()));
  }

  private static boolean has(CheckedCase one, boolean mistake) {
    return one.findings().stream().anyMatch(finding -> finding.mistake() == mistake);
  }

  private static String attribute(String name, String value) {
    return " " + name + "=\"" + escaped(value) + "\"";
  }

  /** A text may repeat any input; characters that XML cannot contain become question marks. */
  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\n' -> out.append("&#10;");
            default -> out.appendCodePoint(allowed(c) ? c : '?');
          }
        });
    return out.toString();
  }

  private static boolean allowed(int c) {
    return c == '\t'
        || (c >= ' ' && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
  }
}
