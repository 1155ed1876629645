package dev.oriel.sim.trace;

import static dev.oriel.sim.trace.JsonReader.array;
import static dev.oriel.sim.trace.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // a missing member fails the test
class HtmlPageTest {
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
