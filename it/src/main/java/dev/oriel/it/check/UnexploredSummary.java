package dev.oriel.it.check;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.PassedWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.NearWraps;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.AnyLaunches;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a search did not explore, according to its options and the program; what may hide most comes
 * first.
 *
 * @param plan what the model of a plan leaves out; empty for other programs
 * @param other a world with as many ranks and with the links that were not covered; empty if none
 *     are missing or the program cannot be bound there
 * @param replayed whether launches have the numbers of a replayed graph, which do not wrap
 */
record UnexploredSummary(
    CheckCoverage coverage,
    ExecutionSettings settings,
    List<String> plan,
    Optional<String> other,
    boolean replayed) {
  private static final int NAMED = 3;

  /** What a search does not look for if it lacks the detector of that kind. */
  private static final Map<Finding.Kind, String> UNSOUGHT =
      new EnumMap<>(
          Map.of(
              Finding.Kind.RACE, "races and some of their results",
              Finding.Kind.SCOPE, "narrow scopes",
              Finding.Kind.SUM, "sums that lack a rank",
              Finding.Kind.RESET, "early resets",
              Finding.Kind.OVERWRITE, "overwritten values",
              Finding.Kind.WRITERS, "unordered writers",
              Finding.Kind.ATOMICITY, "mixed atomics",
              Finding.Kind.LEAK, "held locks"));

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.addAll(coverage.unchecked());
    words.addAll(unsought());
    words.addAll(plan);
    links().ifPresent(words::add);
    boolean likely = !replayed && NearWraps.likely(combination().program().form());
    if (likely) {
      wraps().ifPresent(words::add);
    }
    further().ifPresent(words::add);
    inputs().ifPresent(words::add);
    sizes().ifPresent(words::add);
    if (plan.isEmpty()) {
      words.add("worlds other than " + (worlds() == 1 ? combination().world() : "these"));
    }
    varied().ifPresent(words::add);
    if (!likely) {
      wraps().ifPresent(words::add);
    }
    if (settings.faults().equals(FaultPlan.NONE)) {
      words.add("faults (--faults)");
    }
    if (settings.timeouts() == TimeoutPolicy.NEVER) {
      words.add("waits that give up (--timeouts)");
    }
    if (!settings.profile().name().startsWith(Profile.L3.name())) {
      words.add("weaker memory than " + settings.profile().name());
    }
    residency().ifPresent(words::add);
    return words;
  }

  private Optional<String> residency() {
    if (ExplorationSummary.fewer(coverage, settings).isPresent()) {
      return Optional.of(
          "GPUs that run all lanes of a rank at once"
              + (settings.profile().anyStart() ? "" : ", lanes that begin in another order"));
    }
    return ResidencyNeed.blocks(coverage) > 1
        ? Optional.of("GPUs that cannot run all lanes of a rank at once")
        : Optional.empty();
  }

  private List<String> unsought() {
    boolean ordered = settings.profile().ordered();
    String kinds =
        UNSOUGHT.entrySet().stream()
            .filter(kind -> !settings.detectors().finds(kind.getKey()))
            .filter(kind -> !(ordered && kind.getKey() == Finding.Kind.RACE))
            .map(Map.Entry::getValue)
            .collect(Collectors.joining(", "));
    List<String> unsought = new ArrayList<>();
    if (ordered) {
      unsought.add("races (%s has one order)".formatted(settings.profile().name()));
    }
    if (!kinds.isEmpty()) {
      unsought.add(kinds + " (--no-races)");
    }
    return unsought;
  }

  private Optional<String> links() {
    Set<PeerKind> kinds = coverage.links();
    String lacking =
        coverage.ranks() == 1
            ? "other ranks"
            : !kinds.contains(PeerKind.RDMA)
                ? "RDMA"
                : kinds.contains(PeerKind.NVLINK) ? "" : "NVLink";
    if (lacking.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        lacking
            + other
                .map(world -> " (try --world %s)".formatted(world))
                .orElse(" (not for this program)"));
  }

  /** Later launches, unless they are covered everywhere. */
  private Optional<String> further() {
    if (coverage.closed() == coverage.checked().size()) {
      return Optional.empty();
    }
    String launches = settings.launches() == 1 ? "1 launch" : settings.launches() + " launches";
    int drawn = coverage.drawnLaunches();
    String most =
        drawn > 0
            ? "launches after %s, most orders of more than %s".formatted(last(drawn), launches)
            : "bugs that need more than " + launches;
    if (coverage.closed() > 0) {
      most += " in " + (coverage.checked().size() - coverage.closed()) + " of the combinations";
    }
    return Optional.of(most);
  }

  /** The last launch of drawn executions, and the combination with the fewest. */
  private String last(int most) {
    return coverage
        .leastDrawn()
        .filter(least -> least.drawnLaunches() < most)
        .map(least ->
            "%d (%s) or up to %d (others)"
                .formatted(
                    Math.max(settings.launches(), least.drawnLaunches()),
                    least.combination().place(),
                    most))
        .orElse(Integer.toString(most));
  }

  /** Words of inputs influence the lanes, and only few values of each are drawn. */
  private Optional<String> inputs() {
    Program program = combination().program();
    Set<String> buffers = new TreeSet<>(InputWords.tooMany(program));
    buffers.addAll(PassedWords.of(program.form()).keySet());
    boolean left =
        coverage.checked().stream()
            .map(CheckCoverage.CheckedCombination::report)
            .anyMatch(report ->
                report.drawsLeft() > 0
                    && report.anyLaunches().filter(AnyLaunches::closed).isEmpty());
    if (!buffers.isEmpty()) {
      return Optional.of(
          "other words of %s, most values of three together%s"
              .formatted(String.join(", ", buffers), left ? " or of three launches" : ""));
    }
    return left
        ? Optional.of(
            "most sequences of words of "
                + String.join(", ", new TreeSet<>(InputWords.buffers(program))))
        : Optional.empty();
  }

  private Optional<String> sizes() {
    Map<String, Long> params = combination().program().params();
    if (params.isEmpty()) {
      return Optional.empty();
    }
    long sizes =
        coverage.checked().stream()
            .map(one -> one.combination().program().params())
            .distinct()
            .count();
    if (sizes > 1) {
      return Optional.of("other values of " + String.join(", ", params.keySet()));
    }
    return Optional.of(
        "values other than "
            + params.entrySet().stream()
                .limit(NAMED)
                .map(param -> param.getKey() + "=" + param.getValue())
                .collect(Collectors.joining(", "))
            + (params.size() > NAMED ? ", ..." : ""));
  }

  /** Values grow from launch to launch, and few launches are looked at. */
  private Optional<String> wraps() {
    return settings.past() == 0 && !replayed && NearWraps.counts(combination().program().form())
        ? Optional.of("counters that wrap (--start-epoch 2^32-2)")
        : Optional.empty();
  }

  /** Parameters have one value in all launches. */
  private Optional<String> varied() {
    List<String> params =
        combination().program().params().keySet().stream()
            .filter(param -> !param.equals(WorldParams.DOMAIN))
            .toList();
    return settings.launches() == 1 || params.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "values of %s that differ between launches (--vary)"
                .formatted(String.join(", ", params)));
  }

  private Combination combination() {
    return coverage.shown().combination();
  }

  private long worlds() {
    return coverage.checked().stream().map(one -> one.combination().world()).distinct().count();
  }
}
