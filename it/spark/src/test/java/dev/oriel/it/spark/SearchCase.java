package dev.oriel.it.spark;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** One program, searched on one core or on a cluster. */
record SearchCase(Form form, Topology topology, Program program) {
  private static final Budget BUDGET = new Budget(1, 2_000_000, 100_000, Long.MAX_VALUE);

  static SearchCase of(String name, String world, long bytes) {
    return of(ShippedPrograms.form(name), world, bytes);
  }

  /** A case of three words: program, world and bytes. */
  @SuppressWarnings("StringSplitter")
  static SearchCase parse(String text) {
    String[] words = text.split(" ");
    return of(words[0], words[1], Long.parseLong(words[2]));
  }

  static SearchCase of(Form form, String world, long bytes) {
    Topology topology = Topology.parse(world);
    return new SearchCase(
        form,
        topology,
        Program.bind(form, topology.world(), ShippedPrograms.params(form, bytes, 0)));
  }

  private Checker checker(Budget budget) {
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1));
  }

  CheckReport alone() {
    return checker(BUDGET).explore(program, topology);
  }

  /** The search on workers; the hook is called before each level, with the steps to its states. */
  CheckReport on(String workers, Optional<Path> folder, IntConsumer hook) {
    return on(workers, folder, BUDGET, hook);
  }

  /** The same until the time is over. */
  CheckReport until(BooleanSupplier over, String workers, Path folder, IntConsumer hook) {
    return on(workers, Optional.of(folder), BUDGET.within(() -> over), hook);
  }

  private CheckReport on(String workers, Optional<Path> folder, Budget budget, IntConsumer hook) {
    try (SearchCluster cluster = new SparkProvider().connect(workers, folder)) {
      return checker(budget).on(hooked(cluster, hook)).explore(program, topology);
    }
  }

  /** What a user sees of a report. */
  static String shown(CheckReport report) {
    return "%s%n%s%n%s%n%s"
        .formatted(
            report.verdict().violation(),
            report.verdict().bounds(),
            report.parts(),
            report.found().flatMap(found -> found.token()));
  }

  private static SearchCluster hooked(SearchCluster cluster, IntConsumer hook) {
    return new SearchCluster() {
      @Override
      public Levels levels(SearchJob job) {
        return new HookedLevels(cluster.levels(job), hook);
      }

      @Override
      public void close() {
        cluster.close();
      }
    };
  }

  private record HookedLevels(Levels levels, IntConsumer hook) implements Levels {
    @Override
    public int depth() {
      return levels.depth();
    }

    @Override
    public LevelCount total() {
      return levels.total();
    }

    @Override
    public long frontier() {
      return levels.frontier();
    }

    @Override
    public long bytes() {
      return levels.bytes();
    }

    @Override
    public Optional<LevelCount> next(BooleanSupplier over) {
      hook.accept(levels.depth());
      return levels.next(over);
    }

    @Override
    public void keep() {
      levels.keep();
    }

    @Override
    public void close() {
      levels.close();
    }
  }
}
