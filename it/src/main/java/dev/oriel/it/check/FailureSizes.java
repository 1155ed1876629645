package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.msccl.SizeClass;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.PlanPrograms;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * For which sizes of calls a plan fails, and in how many launches.
 *
 * <p>A finer split of transfers only adds waits. So if a size deadlocks, every larger one does, and
 * if a size has a race, every smaller one has. Both ends of the window and the sizes around the
 * border are explored, and the border is found by halving.
 *
 * @param sizes in words
 * @param launches the fewest launches that fail
 */
record FailureSizes(String sizes, int launches) {

  /** The sizes of the failing combination's mistake; empty if options changed the program. */
  static Optional<FailureSizes> of(
      PlanPrograms plan, CheckCoverage coverage, SearchOptions search) {
    CheckCoverage.CheckedCombination shown = coverage.shown();
    return plan.translated(shown.combination().program().form())
        .map(failing -> new Probe(plan, shown, search).sizes(failing));
  }

  /** Explores a plan in other sizes. */
  private static final class Probe {
    private final PlanPrograms plan;
    private final Topology topology;
    private final String kind;
    private final SearchOptions search;
    private final int most;
    private int launches;
    private boolean bounded;

    Probe(PlanPrograms plan, CheckCoverage.CheckedCombination shown, SearchOptions search) {
      this.plan = plan;
      this.topology = shown.combination().topology();
      this.kind = shown.report().verdict().violation().orElseThrow().kind();
      this.search = search;
      this.most = shown.report().verdict().launches();
    }

    FailureSizes sizes(TranslatedPlan failing) {
      launches = 1;
      while (launches < most && !fails(failing)) {
        launches++;
      }
      List<SizeClass> sizes = plan.sizes(failing);
      int at = 0;
      while (sizes.get(at).least() != failing.leastBytes()) {
        at++;
      }
      bounded = false;
      boolean first = at == 0 || fails(sizes.getFirst());
      int last = sizes.size() - 1;
      boolean end = at == last || fails(sizes.getLast());
      return new FailureSizes(words(sizes, at, first, end), launches);
    }

    private String words(List<SizeClass> sizes, int at, boolean first, boolean end) {
      if (first && end) {
        return kind + " at every size";
      }
      if (first) {
        int border = border(at, sizes.size() - 1, k -> !fails(sizes.get(k)));
        return "%s up to %s; %s from %s on"
            .formatted(
                kind,
                bytes(sizes.get(border - 1).most()),
                free(),
                bytes(sizes.get(border).least()));
      }
      int border = end ? border(0, at, k -> fails(sizes.get(k))) : at;
      String free = "%s up to %s".formatted(free(), bytes(sizes.get(border - 1).most()));
      return end
          ? "%s from %s on; %s".formatted(kind, bytes(sizes.get(border).least()), free)
          : "%s with %s; %s, and with the largest size"
              .formatted(kind, bytes(sizes.get(border).least()), free);
    }

    /** The first that fulfils the condition, which the last does and the first does not. */
    private static int border(int first, int last, Predicate<Integer> condition) {
      int before = first;
      int after = last;
      while (after - before > 1) {
        int middle = (before + after) >>> 1;
        if (condition.test(middle)) {
          after = middle;
        } else {
          before = middle;
        }
      }
      return after;
    }

    /** Searches that reached a bound prove nothing. */
    private String free() {
      return bounded ? "nothing found" : "safe";
    }

    private boolean fails(SizeClass size) {
      return fails(size.program().get());
    }

    private boolean fails(TranslatedPlan of) {
      Program program = Program.bind(of.form(), topology.world(), Map.of());
      Checker checker = search.repeating(launches);
      CheckReport report = checker.explore(program, topology);
      bounded |= report.found().isEmpty() && !ExplorationSummary.complete(report);
      return report.verdict().violation().filter(found -> found.kind().equals(kind)).isPresent();
    }

    private static String bytes(long bytes) {
      return bytes + (bytes == 1 ? " byte" : " bytes");
    }
  }

  /** Sizes and launches, for a person. */
  String words() {
    return "%s; %s"
        .formatted(
            sizes, launches == 1 ? "1 launch shows it" : "%d launches show it".formatted(launches));
  }
}
