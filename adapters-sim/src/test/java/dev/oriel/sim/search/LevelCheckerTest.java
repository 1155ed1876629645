package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.levels.KeepFolder;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.levels.SearchCuts;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts of levels are those of one core, and what is kept is continued or refused. */
@Timeout(300)
class LevelCheckerTest {
  private static final Budget BUDGET = new Budget(1, 3_000, 100_000, 10_000_000);

  @TempDir private Path temp;

  private static Checker checker(Budget budget) {
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1));
  }

  private static SearchCluster parts(int count) {
    return LocalLevels.cluster(count, Optional.empty(), 1);
  }

  private static Program ring(int ranks, long bytes) {
    Form form = ShippedPrograms.form("ring_all_gather");
    return Program.bind(form, ranks, ShippedPrograms.params(form, bytes, 0));
  }

  private static CheckReport ring(Budget budget, Optional<SearchCluster> cluster) {
    Checker one = checker(budget);
    return cluster.map(one::on).orElse(one).explore(ring(3, 8), Topology.parse("1x3"));
  }

  private static String shown(CheckReport report) {
    return LevelSearchComparison.shown(report);
  }

  /** One core has no time to find it; the levels' own violation is reported, and replays. */
  @Test
  void aViolationIsNotLostWhereOneCoreIsStoppedBeforeIt() {
    StackWalker stack = StackWalker.getInstance();
    BooleanSupplier oneCore =
        () ->
            stack.walk(
                frames -> frames.anyMatch(f -> f.getClassName().endsWith("SystematicSearch")));
    Form late = FormParser.parse(ThreadedCheckerTest.LATE);
    CheckReport report =
        new Checker(Strategy.FULL, BUDGET.within(() -> oneCore), 1, ThreadedCheckerTest.VALUES)
            .on(parts(2))
            .explore(Program.bind(late, 1, Map.of()), Topology.parse("1x1"));
    assertThat(report.verdict().bounds()).singleElement().asString().contains("limit of time");
    assertThat(report.verdict().violation()).isPresent();
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(TokenReplay.play(token, late).finding()).isPresent();
  }

  @Test
  void limitsAreSaid() {
    CheckReport all = ring(BUDGET, Optional.empty());
    long states = all.verdict().states();
    Map<Budget, String> limits =
        Map.of(
            new Budget(1, states - 1, 100_000, 2_000_000_000),
            "limit of states",
            new Budget(1, 1, 100_000, 2_000_000_000),
            "limit of states",
            new Budget(1, 3_000, 10, 2_000_000_000),
            "limit of work",
            new Budget(1, 3_000, 100_000, 5_000),
            "limit of work",
            new Budget(1, 3_000, 100_000, 2_000_000_000, 1 << 10),
            "limit of memory",
            BUDGET.within(() -> () -> true),
            "limit of time");
    limits.forEach((budget, limit) ->
        assertThat(ring(budget, Optional.of(parts(2))).verdict().bounds())
            .as(budget.toString())
            .singleElement()
            .asString()
            .startsWith("full: stopped at states=")
            .contains(limit));
    assertThat(
            ring(new Budget(1, states + 1, 100_000, 10_000_000), Optional.of(parts(2))).verdict())
        .isEqualTo(all.verdict());
  }

  /** A time that is over after so many looks at the clock. */
  private static Budget stopping(int after) {
    AtomicInteger looks = new AtomicInteger();
    return BUDGET.within(() -> () -> looks.incrementAndGet() > after);
  }

  @Test
  void keptLevelsAreContinuedWithTheSameCounts() throws IOException {
    String one = shown(ring(BUDGET, Optional.empty()));
    for (int every : List.of(1, 3, 1000)) {
      Path folder = temp.resolve("every" + every);
      SearchCluster kept = LocalLevels.cluster(3, Optional.of(new KeepFolder(folder)), every);
      CheckReport report = ring(stopping(50), Optional.of(kept));
      int cuts = 0;
      while (!report.verdict().bounds().isEmpty()) {
        assertThat(report.verdict().bounds()).singleElement().asString().contains("limit of time");
        cuts++;
        assertThat(cuts).as("it goes on").isLessThan(60);
        report = ring(stopping(50), Optional.of(kept));
      }
      assertThat(cuts).isGreaterThan(1);
      assertThat(shown(report)).isEqualTo(one);
      // Other numbers of parts than were kept make no difference.
      SearchCluster other = LocalLevels.cluster(7, Optional.of(new KeepFolder(folder)), every);
      assertThat(shown(ring(BUDGET, Optional.of(other)))).isEqualTo(one);
      try (Stream<Path> files = Files.walk(folder)) {
        assertThat(
                files
                    .filter(Files::isDirectory)
                    .filter(f -> f.getFileName().toString().startsWith("level")))
            .hasSize(1);
      }
    }
  }

  private Path kept() {
    Path folder = temp.resolve("kept");
    SearchCluster cluster = LocalLevels.cluster(2, Optional.of(new KeepFolder(folder)), 1);
    CheckReport cut = ring(stopping(20), Optional.of(cluster));
    assertThat(cut.verdict().bounds()).singleElement().asString().contains("limit of time");
    return folder;
  }

  @Test
  void whatAnotherSearchKeptIsRefusedByName() throws IOException {
    Path folder = kept();
    SearchCluster cluster = LocalLevels.cluster(2, Optional.of(new KeepFolder(folder)), 1);
    assertThatThrownBy(
            () -> checker(BUDGET).on(cluster).explore(ring(3, 16), Topology.parse("1x3")))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("levels of another search")
        .hasMessageContaining("different=program")
        .hasMessageContaining("kept=ring_all_gather");
    assertThatThrownBy(() -> checker(BUDGET).on(cluster).explore(ring(2, 8), Topology.parse("1x2")))
        .hasMessageContaining("levels of another search");
    Checker longer = new Checker(Strategy.FULL, BUDGET, 1, Checker.strict(Profile.L2, 2));
    assertThatThrownBy(() -> longer.on(cluster).explore(ring(3, 8), Topology.parse("1x3")))
        .hasMessageContaining("different=launches, kept=1, given=2");
    Checker weaker = new Checker(Strategy.FULL, BUDGET, 1, Checker.strict(Profile.L3, 1));
    assertThatThrownBy(() -> weaker.on(cluster).explore(ring(3, 8), Topology.parse("1x3")))
        .hasMessageContaining("different=profile, kept=L2, given=L3");
    Path facts = folder.resolve("search.txt");
    Files.writeString(
        facts, Files.readString(facts).replaceAll("release=oriel [^\\n]*", "release=oriel 0.0.1"));
    assertThatThrownBy(() -> ring(BUDGET, Optional.of(cluster)))
        .hasMessageContaining("different=release, kept=oriel 0.0.1");
    Path foreign = Files.createDirectory(temp.resolve("foreign"));
    Files.writeString(foreign.resolve("note.txt"), "mine");
    SearchCluster there = LocalLevels.cluster(2, Optional.of(new KeepFolder(foreign)), 1);
    assertThatThrownBy(() -> ring(BUDGET, Optional.of(there)))
        .hasMessageContaining("not a folder of kept levels");
  }

  /** Each byte that changes, and each file that ends early or is missing, is noticed. */
  @Test
  void whatIsDamagedIsRefused() throws IOException {
    Path folder = kept();
    SearchCluster cluster = LocalLevels.cluster(2, Optional.of(new KeepFolder(folder)), 1);
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files =
          all.filter(Files::isRegularFile).filter(f -> !f.endsWith("search.txt")).sorted().toList();
    }
    assertThat(files).hasSize(3);
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      int step = Math.max(1, content.length / 16);
      for (int at = 0; at < content.length; at += step) {
        content[at] ^= 1;
        Files.write(file, content);
        assertThatThrownBy(() -> ring(BUDGET, Optional.of(cluster)))
            .as("%s, byte %d", file.getFileName(), at)
            .isInstanceOf(MachineException.class)
            .hasMessageContaining("kept level damaged: file=");
        content[at] ^= 1;
      }
      Files.write(file, Arrays.copyOf(content, content.length - 1));
      assertThatThrownBy(() -> ring(BUDGET, Optional.of(cluster)))
          .hasMessageContaining("kept level damaged: file=");
      Files.write(file, content);
    }
    Files.delete(files.getLast());
    assertThatThrownBy(() -> ring(BUDGET, Optional.of(cluster)))
        .hasMessageContaining("kept level damaged: file=");
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "text");
    SearchCluster cluster =
        LocalLevels.cluster(2, Optional.of(new KeepFolder(file.resolve("under"))), 1);
    assertThatThrownBy(() -> ring(BUDGET, Optional.of(cluster)))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("no folder for kept levels: folder=");
  }

  /** A worker that has another version ends the search, whatever else it says. */
  @Test
  void aWorkerWithAnotherVersionIsNamed() {
    List<SearchJob> jobs = new ArrayList<>();
    SearchCluster noting =
        changing(job -> {
          jobs.add(job);
          return job;
        });
    assertThat(ring(BUDGET, Optional.of(noting)).verdict().violation()).isEmpty();
    SearchJob job = jobs.getLast();
    assertThatThrownBy(() ->
            LevelExpansion.of(
                new SearchJob(
                    job.form(), job.token(), job.lowered(), "oriel 9", job.facts(), Map.of()),
                1))
        .hasMessageContaining("worker with another version: release=oriel 9, worker=oriel");
    assertThatThrownBy(() ->
            LevelExpansion.of(
                new SearchJob(job.form(), job.token(), "0", job.release(), job.facts(), Map.of()),
                1))
        .hasMessageContaining("worker with another version: lowered=0");
    assertThatThrownBy(() ->
            LevelExpansion.of(
                new SearchJob(
                    job.form().replace("output", "window output"),
                    job.token(),
                    job.lowered(),
                    job.release(),
                    job.facts(),
                    Map.of()),
                1))
        .isInstanceOf(RuntimeException.class);
    assertThat(LevelExpansion.of(job, 1)).isNotNull();
  }

  private static SearchCluster changing(UnaryOperator<SearchJob> change) {
    SearchCluster real = parts(2);
    return new SearchCluster() {
      @Override
      public Levels levels(SearchJob job) {
        return real.levels(change.apply(job));
      }

      @Override
      public void close() {
        real.close();
      }
    };
  }

  /**
   * A step that did not end leaves the search to one core, which says so or explores everything.
   */
  @Test
  void aStepWithoutAnEndLeavesTheSearchToOneCore() {
    Levels endless =
        new Levels() {
          @Override
          public int depth() {
            return 1;
          }

          @Override
          public LevelCount total() {
            return new LevelCount(1, 1, 0, 1, SearchCuts.NONE, true, null, Map.of());
          }

          @Override
          public long frontier() {
            return 0;
          }

          @Override
          public long bytes() {
            return 0;
          }

          @Override
          public Optional<LevelCount> next(BooleanSupplier over) {
            throw new AssertionError("nothing follows");
          }

          @Override
          public void keep() {}

          @Override
          public void close() {}
        };
    SearchCluster cluster =
        new SearchCluster() {
          @Override
          public Levels levels(SearchJob job) {
            return endless;
          }

          @Override
          public void close() {}
        };
    assertThat(shown(ring(BUDGET, Optional.of(cluster))))
        .isEqualTo(shown(ring(BUDGET, Optional.empty())));
  }

  @Test
  void symmetryAndWholeStatesNeedOneCore() {
    CheckReport symmetric =
        checker(BUDGET).symmetric().on(parts(2)).explore(ring(3, 8), Topology.parse("1x3"));
    CheckReport alone = checker(BUDGET).symmetric().explore(ring(3, 8), Topology.parse("1x3"));
    assertThat(symmetric.verdict()).isEqualTo(alone.verdict());
    assertThat(symmetric.parts().toString()).contains("on one core");
  }

  /** What one of two parts found counts, and of two violations the least path. */
  @Test
  void countsAddUp() {
    LevelCount one =
        new LevelCount(1, 2, 3, 4, SearchCuts.NONE, false, new byte[] {2}, Map.of("a", 4));
    LevelCount other =
        new LevelCount(
            10,
            20,
            30,
            40,
            new SearchCuts(false, true, false, false, 5),
            true,
            new byte[] {1, 7},
            Map.of("a", 1, "b", 2));
    LevelCount both = one.and(other);
    assertThat(both.states()).isEqualTo(11);
    assertThat(both.steps()).isEqualTo(22);
    assertThat(both.executions()).isEqualTo(33);
    assertThat(both.work()).isEqualTo(44);
    assertThat(both.cuts().overtaking()).isTrue();
    assertThat(both.endless()).isTrue();
    assertThat(both.violation()).containsExactly(1, 7);
    assertThat(other.and(one).violation()).containsExactly(1, 7);
    assertThat(both.rooms()).isEqualTo(Map.of("a", 4, "b", 2));
    assertThat(both.goesOn()).isFalse();
    assertThat(LevelCount.of(3).goesOn()).isTrue();
  }
}
