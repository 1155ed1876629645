package dev.oriel.sim.trace;

import static dev.oriel.sim.trace.JsonReader.array;
import static dev.oriel.sim.trace.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // a missing member fails the test
class HtmlPageTest {
  /** A look-up of an element by the page's code. */
  private static final Pattern USED = Pattern.compile("\\$\\(\"(\\w+)\"\\)");

  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"recording\">([^<]*)</script>");

  private static Map<String, Object> data(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return object(JsonReader.read(data.group(1)));
  }

  @Test
  void holdsTheRecording() {
    TraceRecording race = SampleTraces.race();
    Map<String, Object> data = data(new HtmlPage().text(race));
    assertThat(data)
        .containsEntry("program", "handshake")
        .containsEntry("world", "1x2")
        .containsEntry("token", "oriel2:k3v9x2")
        .containsEntry("note", "")
        .containsEntry("total", 21.0);
    assertThat(array(data.get("actors"))).contains(List.of(1.0, "caller", "CALLER"));
    assertThat(array(data.get("events"))).hasSize(21);
    TraceEvent event = race.events().get(12);
    assertThat(array(data.get("events")).get(12))
        .isEqualTo(
            List.of(
                12.0,
                12.0,
                (double) event.actor(),
                0.0,
                "OBSERVE",
                event.text(),
                (double) event.cause(),
                0.0,
                "",
                List.of(),
                List.of(),
                List.of()));
    assertThat(object(data.get("failure"))).containsEntry("events", List.of(14.0, 20.0));
  }

  /** The panel beside the diagram has the text, and each event its line, names and read words. */
  @Test
  void holdsTheProgramAndTheValuesOfEachStep() {
    Map<String, Object> data = data(new HtmlPage().text(SampleTraces.values()));
    assertThat(data).containsEntry("file", "ring.oriel");
    assertThat(array(data.get("source")))
        .containsExactly("form ring", "  move out@next[8 * i] <- in[0] bytes 8", "  await <b>");
    List<Object> events = array(data.get("events"));
    assertThat(array(events.get(1)).subList(5, 12))
        .isEqualTo(
            List.of(
                "move out@1[24] <- in[0] bytes 8",
                -1.0,
                2.0,
                "move out@next[8 * i] <- in[0] bytes 8",
                List.of("i", "3"),
                List.of("next", "1"),
                List.of()));
    assertThat(array(events.get(2)).get(7)).isEqualTo(3.0);
    assertThat(array(events.get(2)).get(11)).isEqualTo(List.of("DATA[0]@0", "7"));
  }

  /** Every element that the page's code looks up exists once, the program's text among them. */
  @Test
  void hasEveryElementThatItsCodeUses() {
    String page = new HtmlPage().text(SampleTraces.values());
    Set<String> used =
        USED.matcher(page)
            .results()
            .map(use -> use.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(used).contains("details", "source", "scroll", "recording");
    for (String id : used) {
      assertThat(page.split("id=\"" + id + "\"", -1)).as(id).hasSize(2);
    }
  }

  /** A read is a hollow square and a write a filled one. */
  @Test
  void drawsReadsAndWritesDifferently() {
    String page = new HtmlPage().text(SampleTraces.race());
    assertThat(page)
        .containsPattern("case \"READ\": case \"FETCH\": [^\n]*}, true\\); break;")
        .containsPattern("case \"WRITE\": case \"PLACE\": [^\n]*10}\\); break;");
  }

  @Test
  void countsEventsFromOneAsTheTableDoes() {
    String page = new HtmlPage().text(SampleTraces.race());
    assertThat(page)
        .contains(
            "const nth = e => e.n + 1;",
            "\"Event \" + nth(e) + \" of \" + R.total",
            "\"#\" + nth(e)",
            "\"end\"}, nth(e));",
            "(e.causeNumber + 1) + \", is left out")
        .doesNotContain("\" + e.n", "}, e.n)");
  }

  @Test
  void loadsNothingFromElsewhere() {
    String page = new HtmlPage().text(SampleTraces.race());
    assertThat(page).contains("Content-Security-Policy\" content=\"default-src 'none';");
    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "src=", "url(//", "@import", "<link");
  }

  @Test
  void textsAreNoMarkup() {
    assertThat(new HtmlPage().text(SampleTraces.race()))
        .doesNotContain(
            ".innerHTML", ".outerHTML", "insertAdjacentHTML", "document.write", "eval(");
  }

  @Test
  void aTextCannotEndTheScript() {
    String page = new HtmlPage().text(SampleTraces.hostile());
    String plain = new HtmlPage().text(SampleTraces.race());
    assertThat(page.split("<script", -1)).hasSameSizeAs(plain.split("<script", -1));
    assertThat(page).doesNotContain("<img", "\u2028", "\u202e");
    assertThat(data(page).get("program").toString())
        .startsWith("</script><script>window.hacked=1</script><img src=x onerror=\"")
        .contains("@RECORDING@");
  }

  @Test
  void reportsOmittedEventsAndKeepsTheFailure() {
    TraceRecording ring = SampleTraces.ring(16, true);
    Map<String, Object> data = data(new HtmlPage(60).text(ring));
    assertThat(data.get("note").toString()).startsWith("left out: 554 of 614 events");
    assertThat(array(data.get("events"))).hasSize(60);
    assertThat(array(data.get("events")))
        .extracting(event -> array(event).get(0))
        .containsAll(array(object(data.get("failure")).get("events")));
  }

  @Test
  void aRecordingMayBeEmpty() {
    TraceRecording nothing =
        new TraceRecording("p", "1x1", List.of(), List.of(), Optional.empty(), "");
    assertThat(data(new HtmlPage().text(nothing))).doesNotContainKey("failure");
  }
}
