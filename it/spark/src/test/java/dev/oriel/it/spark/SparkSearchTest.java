package dev.oriel.it.spark;

import static dev.oriel.it.spark.SearchCase.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.TokenReplay;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A search on cores of this host has the verdict, the counts and the token of one core. */
@Timeout(300)
class SparkSearchTest {
  private static final String CORES = "local[2]";

  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource({"ring_all_gather, 1x3, 8", "bruck_all_gather, 1x3, 8", "signal_barrier, 1x3, 0"})
  void countsAreThoseOfOneCore(String name, String world, long bytes) {
    SearchCase search = SearchCase.of(name, world, bytes);
    CheckReport one = search.alone();
    assertThat(one.verdict().bounds()).isEmpty();
    assertThat(shown(search.on(CORES, Optional.empty(), _ -> {}))).isEqualTo(shown(one));
  }

  /** The value is wrong only in an order that comes late in the search. */
  @Test
  void aViolationAtADeepLevelHasTheTokenOfOneCoreAndReplays() {
    String name = "ring_all_gather";
    SearchCase right = SearchCase.of(name, "1x3", 8);
    String text = FormPrinter.print(right.form());
    int last = text.lastIndexOf("await ");
    assertThat(last).isPositive();
    int end = text.indexOf('\n', last);
    // Without its last wait a rank reads what may not have come.
    Form broken = FormParser.parse(text.substring(0, last) + text.substring(end + 1));
    SearchCase search = SearchCase.of(broken, "1x3", 8);
    AtomicInteger deepest = new AtomicInteger();
    CheckReport report =
        search.on(CORES, Optional.empty(), depth -> deepest.set(Math.max(depth, deepest.get())));
    assertThat(shown(report)).isEqualTo(shown(search.alone()));
    assertThat(deepest.get()).isGreaterThan(5);
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(TokenReplay.play(token, broken).finding()).isPresent();
  }

  @Test
  void aStoppedSearchGoesOnFromItsFolder() {
    SearchCase search = SearchCase.of("ring_all_gather", "1x3", 8);
    AtomicInteger now = new AtomicInteger();
    CheckReport cut = search.until(() -> now.get() >= 15, CORES, temp, now::set);
    assertThat(cut.verdict().bounds()).singleElement().asString().contains("limit of time");
    AtomicInteger first = new AtomicInteger(-1);
    CheckReport whole =
        search.on("local[1]", Optional.of(temp), depth -> first.compareAndSet(-1, depth));
    // The time is over while a level is explored, which may end before that is looked at.
    assertThat(first.get()).isBetween(15, 16);
    assertThat(shown(whole)).isEqualTo(shown(search.alone()));
    SearchCase other = SearchCase.of("ring_all_gather", "1x3", 16);
    assertThatThrownBy(() -> other.on(CORES, Optional.of(temp), _ -> {}))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("levels of another search")
        .hasMessageContaining("different=program");
  }

  @Test
  void addressesAreKnownOrRefused() {
    SparkProvider provider = new SparkProvider();
    for (String known :
        new String[] {
          "local",
          "local[*]",
          "local[12]",
          "local-cluster[2,1,700]",
          "spark://a:7077",
          "spark://a:1,b:2"
        }) {
      assertThat(provider.knows(known)).as(known).isTrue();
    }
    for (String unknown :
        new String[] {
          "", "local[0]", "local[x]", "yarn", "spark://", "http://a", "spark://a b", "k8s://a"
        }) {
      assertThat(provider.knows(unknown)).as(unknown).isFalse();
    }
    assertThatThrownBy(() -> provider.connect("spark://127.0.0.1:1", Optional.empty()))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("give --keep a folder that all of them share");
  }
}
