package dev.oriel.it.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.report.CheckedCase.CaseFinding;
import dev.oriel.it.report.CheckedCase.CasePlace;
import dev.oriel.it.report.SarifStructure.Result;
import dev.oriel.it.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** SARIF and JUnit XML of {@code check}. */
class ReportsTest {
  private static final String GOOD =
      """
      form handshake
      param B <= 64
      input in[B]
      output out[B]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B
      lane main: sm(128) {
        signal READY[0]@((r - 1) % n) set epoch release
        await READY[0]@((r + 1) % n) reached epoch acquire
        move out@((r + 1) % n)[0] <- in[0] bytes B
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r - 1) % n) reached epoch acquire
        flush @((r + 1) % n) local
      }
      """;

  private static final String RACE =
      GOOD.replace(
          "DATA[0]@((r + 1) % n) set epoch release", "DATA[0]@((r + 1) % n) set epoch relaxed");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String input, String... arguments) {
    Terminal terminal =
        Terminal.of(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), Map.of(), false);
    return Main.run(arguments, terminal, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int check(String... arguments) {
    List<String> all = new ArrayList<>(List.of("check"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--sarif", path("r.sarif"), "--junit", path("r-junit.xml")));
    return oriel("", all.toArray(String[]::new));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private List<Result> sarif() throws IOException {
    return SarifStructure.results(Files.readString(folder.resolve("r.sarif")));
  }

  private Element junit() throws Exception {
    return junit(Files.readString(folder.resolve("r-junit.xml")));
  }

  /** The required structure: names and counts everywhere, and counts that are right. */
  private static Element junit(String text) throws Exception {
    Element all =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(text)))
            .getDocumentElement();
    assertThat(all.getTagName()).isEqualTo("testsuites");
    counts(all);
    for (Element suite : elements(all, "testsuite")) {
      assertThat(suite.getParentNode()).isEqualTo(all);
      assertThat(suite.getAttribute("name")).isNotBlank();
      counts(suite);
    }
    for (Element one : elements(all, "testcase")) {
      assertThat(((Element) one.getParentNode()).getTagName()).isEqualTo("testsuite");
      assertThat(one.getAttribute("name")).isNotBlank();
      assertThat(one.getAttribute("classname")).isNotBlank();
    }
    for (String outcome : List.of("failure", "error")) {
      for (Element found : elements(all, outcome)) {
        assertThat(found.getAttribute("type")).isNotBlank();
        assertThat(found.getAttribute("message")).isNotBlank();
        assertThat(found.getTextContent()).contains(found.getAttribute("message"));
      }
    }
    return all;
  }

  private static void counts(Element suite) {
    assertThat(suite.getAttribute("tests")).isEqualTo("" + elements(suite, "testcase").size());
    assertThat(suite.getAttribute("skipped")).isEqualTo("" + elements(suite, "skipped").size());
    for (String outcome : List.of("failure", "error")) {
      long cases = elements(suite, outcome).stream().map(Element::getParentNode).distinct().count();
      assertThat(suite.getAttribute(outcome + "s")).isEqualTo("" + cases);
    }
  }

  private static List<Element> elements(Element of, String name) {
    NodeList nodes = of.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int at = 0; at < nodes.getLength(); at++) {
      elements.add((Element) nodes.item(at));
    }
    return elements;
  }

  @Test
  void aViolationHasItsPlace() throws Exception {
    String path = file("race.oriel", RACE);
    assertThat(check(path, "--world", "1x2", "--set", "B=8")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif())
        .singleElement()
        .satisfies(result -> {
          assertThat(result.kind()).isEqualTo("race");
          assertThat(result.message())
              .contains("handshake 1x2 B=8", "race: buffer=out", "token: oriel");
          assertThat(result.uri()).endsWith("race.oriel");
          assertThat(result.line()).isEqualTo(11);
          assertThat(result.column()).isEqualTo(3);
        });
    Element failure = elements(junit(), "failure").getFirst();
    assertThat(failure.getAttribute("type")).isEqualTo("race");
    assertThat(failure.getTextContent()).contains(path + ":11:3: rank=", "token: oriel");
    assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo("1x2 B=8");
  }

  @Test
  void everyCombinationIsACase() throws Exception {
    String path = file("good.oriel", GOOD);
    assertThat(check(path, "--world", "1x2", "--set", "B=0..3")).isZero();
    assertThat(sarif()).isEmpty();
    assertThat(elements(junit(), "testcase").stream().map(one -> one.getAttribute("name")))
        .containsExactly("1x2 B=0", "1x2 B=1", "1x2 B=2", "1x2 B=3");
    assertThat(check(path)).isZero();
    assertThat(elements(junit(), "testcase")).hasSizeGreaterThan(10);
  }

  /** A deadlock concerns the waits of several lanes. */
  @Test
  void furtherPlacesAreRelated() throws Exception {
    String path = file("stuck.oriel", GOOD.replaceAll("reached epoch", "reached epoch + 1"));
    assertThat(check(path, "--world", "1x2", "--set", "B=8")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif())
        .singleElement()
        .satisfies(result -> {
          assertThat(result.kind()).isEqualTo("deadlock");
          assertThat(result.line()).isEqualTo(10);
        });
    String race =
        file(
            "two.oriel",
            "form two scratch a[8] lane m: host { store a[0] <- 1 }\nlane o: host { store a[0] <- 2 }");
    assertThat(check(race, "--world", "1x1")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif()).singleElement().satisfies(r -> assertThat(r.related()).isEqualTo(1));
  }

  @Test
  void mistakesOfATextAreResults() throws Exception {
    String path = file("typo.oriel", GOOD.replace("set epoch release", "set epoch releas"));
    assertThat(check(path)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(sarif().stream().map(Result::line)).containsExactly(9L, 12L);
    assertThat(sarif()).allSatisfy(r -> assertThat(r.kind()).isEqualTo("mistake"));
    assertThat(elements(junit(), "error").getFirst().getTextContent())
        .contains("did you mean release?", path + ":9:");
    assertThat(err.toString()).contains("typo.oriel:9:");
  }

  @Test
  void aProgramThatCannotBeBoundIsAResult() throws Exception {
    String path = file("far.oriel", GOOD.replace("move out@((r + 1) % n)[0]", "move out@9[0]"));
    assertThat(check(path, "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(sarif()).singleElement().satisfies(r -> assertThat(r.line()).isEqualTo(11));
    junit();
  }

  @Test
  void standardInputHasAName() throws Exception {
    assertThat(oriel(RACE, "check", "-", "--world", "1x2", "--sarif", path("r.sarif")))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif()).singleElement().satisfies(r -> assertThat(r.uri()).contains("stdin"));
  }

  @Test
  void aShippedProgramHasNoFile() throws Exception {
    assertThat(check("allgather", "--world", "1x2", "--set", "B=8")).isZero();
    assertThat(elements(junit(), "testsuite").getFirst().getAttribute("name"))
        .isEqualTo("ll_all_gather");
    assertThat(check("museum:B28", "--world", "3x1", "--profile", "rdma-multirail"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif()).singleElement().satisfies(r -> assertThat(r.uri()).isEmpty());
    junit();
  }

  @Test
  void bytesThatNothingPromisesAreAResult() throws Exception {
    String path = file("silent.oriel", GOOD.replaceAll("ensure.*\n", ""));
    assertThat(check(path, "--world", "1x2", "--set", "B=8")).isZero();
    assertThat(sarif()).isEmpty();
    assertThat(check(path, "--world", "1x2", "--set", "B=8", "--strict"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif())
        .singleElement()
        .satisfies(r -> {
          assertThat(r.kind()).isEqualTo("unpromised");
          assertThat(r.line()).isEqualTo(1);
        });
    assertThat(elements(junit(), "failure")).hasSize(1);
  }

  /** What was cut short or left out is in the reports, too. */
  @Test
  void boundsAndLeftOutCombinationsAreNamed() throws Exception {
    assertThat(check("ring-allreduce", "--world", "1x3", "--set", "B=64", "--strategy", "random"))
        .isZero();
    assertThat(elements(junit(), "system-out").getFirst().getTextContent()).startsWith("bounded: ");
    assertThat(Files.readString(folder.resolve("r.sarif")))
        .contains("\"bounds\":[\"ring_all_reduce");
    assertThat(check("moe-dispatch")).isZero();
    assertThat(elements(junit(), "skipped")).isNotEmpty();
  }

  @Test
  void aPlanHasTheLinesOfItsFile() throws Exception {
    String path =
        file(
            "ends.xml",
            PlanXml.of("custom", 2, 1)
                .protocol("LL")
                .gpu(0, 1, 1, 0)
                .tb(1, -1, 0, "s i0")
                .gpu(1, 1, 1, 0)
                .text());
    assertThat(check(path)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(sarif()).isNotEmpty().allSatisfy(r -> assertThat(r.line()).isPositive());
    junit();
  }

  @Test
  void aFolderHasASuiteForEachFile() throws Exception {
    file("race.oriel", RACE);
    file("good.oriel", GOOD);
    file("typo.oriel", GOOD.replace("move", "mvoe"));
    file("ring.xml", PlanXml.ringAllGather(2).text());
    file("notes.txt", "nothing to check");
    // The second time, the reports of the first lie in the folder.
    for (int time = 0; time < 2; time++) {
      assertThat(check(folder.toString())).isEqualTo(ExitCodes.VIOLATION);
      assertThat(out.toString())
          .contains("holds      handshake", "VIOLATION  handshake", "typo.oriel:11:3: ")
          .contains("4 files: 2 holds, 1 VIOLATION, 1 refused");
      assertThat(sarif().stream().map(Result::kind)).containsExactly("race", "mistake");
      assertThat(sarif().stream().map(Result::uri).map(uri -> uri.replaceAll(".*/", "")))
          .containsExactly("race.oriel", "typo.oriel");
      assertThat(elements(junit(), "testsuite")).hasSize(4);
      out.getBuffer().setLength(0);
    }
  }

  @Test
  void oneFileForTwoReportsIsRefused() throws IOException {
    String path = file("good.oriel", GOOD);
    String one = path("one.txt");
    assertThat(oriel("", "check", path, "--sarif", one, "--junit", one))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("one file for two things");
    assertThat(oriel("", "check", path, "--sarif", path)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(oriel("", "check", path, "--junit", path("no/where.xml")))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(Path.of(path)).hasContent(GOOD);
  }

  /** A message may repeat any input. */
  @Test
  void anyTextIsWellFormed() throws Exception {
    String nasty = "]]> <&\"' \u0001\u0000\ud800 \ud83d\ude00 \ufffe\n\u2028é";
    CheckedCase one =
        new CheckedCase(
            nasty,
            nasty,
            Optional.of("a b<&\">é.oriel"),
            List.of(
                new CaseFinding(
                    "race", nasty, List.of(new CasePlace(0, 0, nasty)), List.of(nasty))),
            Optional.empty(),
            List.of(nasty));
    Element all = junit(JUnitReport.print(List.of(one)));
    assertThat(elements(all, "failure").getFirst().getTextContent()).contains("😀", "]]> <&\"'");
    assertThat(SarifStructure.results(SarifReport.print(List.of(one))))
        .singleElement()
        .satisfies(r -> assertThat(r.uri()).isEqualTo("a%20b%3C&%22%3E%C3%A9.oriel"));
  }

  @Test
  void aFileBelowTheFolderIsRelative() {
    assertThat(SarifReport.uri("protocols/./ring.oriel")).isEqualTo("protocols/ring.oriel");
    assertThat(SarifReport.uri("/elsewhere/ring.oriel")).isEqualTo("file:///elsewhere/ring.oriel");
  }
}
