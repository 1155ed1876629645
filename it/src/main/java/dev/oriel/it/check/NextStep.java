package dev.oriel.it.check;

import dev.oriel.domain.boundary.NearWraps;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.options.LimitOptions;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.words.NextCommand;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.CheckReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** One command that is worth trying after a verdict. */
final class NextStep {
  /** More than the usual periods of slots and parities. */
  private static final int LAUNCHES = 6;

  /** The largest size of a search that is proposed. */
  private static final long SEARCHED = 1L << 24;

  /** The longest command with a token. A script in a token has no bound, and a line of its own. */
  private static final int COPIED = 400;

  /** The options that select the combination. */
  private static final String[] PLACE = {"--world", "--set", "--bytes"};

  private final CommandSpec spec;
  private final ProgramOptions options;
  private final SearchOptions search;
  private final PartOptions part;

  NextStep(CommandSpec spec, ProgramOptions options, SearchOptions search, PartOptions part) {
    this.spec = spec;
    this.options = options;
    this.search = search;
    this.part = part;
  }

  String after(
      CheckCoverage coverage,
      CoverageStrictness strictness,
      UnreachedWords unreached,
      Optional<String> otherWorld) {
    CheckReport report = coverage.shown().report();
    if (report.found().isPresent()) {
      return replay(report.found().get());
    }
    List<CheckCoverage.RefusedCombination> wrong = strictness.wrong(coverage);
    if (!wrong.isEmpty()) {
      return refused(wrong.getFirst()) + ", or state with require what the program is meant for";
    }
    if (strictness.broken(coverage)) {
      return "write an ensure for the bytes above, or make the output shorter at those ranks";
    }
    if (part.divided()) {
      return part.folder()
          .map(folder -> NextCommand.named("merge").with(folder.toString()).toString())
          .orElse("oriel merge FILE... with the files of all parts");
    }
    if (report.parts().stream().noneMatch(part -> part.strategy().visitsAll())) {
      return same("--strategy", "synchronisation");
    }
    if (otherWorld.isPresent()) {
      return same("--world", otherWorld.get());
    }
    if (!coverage.doubtful().isEmpty()) {
      return refused(coverage.doubtful().getFirst());
    }
    int launches = search.settings().launches();
    if (ExplorationSummary.complete(report) && !ExplorationSummary.complete(coverage)) {
      return alone(coverage);
    }
    if (!ExplorationSummary.complete(report)) {
      return launches > 1 ? same("--launches", "1") : further(report);
    }
    Optional<Combination> shortest =
        coverage
            .leastDrawn()
            .filter(least -> least.drawnLaunches() < coverage.drawnLaunches())
            .map(CheckCoverage.CheckedCombination::combination);
    if (shortest.isPresent()) {
      return at(NextCommand.same(spec, PLACE), shortest.get()).toString();
    }
    Optional<NextCommand> large = large(coverage, unreached);
    if (large.isPresent()) {
      return large.get().toString();
    }
    if (strictness.broken(unreached).isPresent()) {
      return "give --world and --set values that lead into the lines above, or delete them";
    }
    Form form = coverage.shown().combination().program().form();
    if (search.settings().past() == 0
        && !options.planMode().graph().replayed()
        && NearWraps.likely(form)
        && NearWraps.counts(form)) {
      return same("--start-epoch", "2^32-2");
    }
    if (launches < LAUNCHES && coverage.closed() < coverage.checked().size()) {
      return same("--launches", Integer.toString(LAUNCHES));
    }
    if (search.settings().profile().name().equals(Profile.L2.name())
        && coverage.links().contains(PeerKind.RDMA)) {
      return same("--profile", Profile.L3.name());
    }
    if (!coverage.left().named().isEmpty()) {
      Candidate left = coverage.left().named().getFirst();
      return at(NextCommand.same(spec, PLACE), left.world(), left.params()).toString();
    }
    return at(NextCommand.bound("mutate", spec, PLACE), coverage.shown().combination()).toString();
  }

  /** A size that is too large for many searches, but not for one; best one that adds a block. */
  private Optional<NextCommand> large(CheckCoverage coverage, UnreachedWords unreached) {
    Combination shown = coverage.shown().combination();
    Form form = shown.program().form();
    int ranks = shown.topology().world();
    List<Map<String, Long>> sizes =
        coverage.unsearched().params().stream().filter(NextStep::isFeasible).toList();
    return sizes.stream()
        .filter(size -> unreached.isReached(form, ranks, size))
        .findFirst()
        .or(() -> sizes.stream().findFirst())
        .map(size -> at(NextCommand.same(spec, PLACE), shown.world(), size));
  }

  /** Whether one search may still fit the memory of a usual machine. */
  private static boolean isFeasible(Map<String, Long> params) {
    return params.values().stream().allMatch(value -> value <= SEARCHED);
  }

  /** The same with more of what stopped the search. */
  private String further(CheckReport report) {
    List<String> bounds = report.verdict().bounds();
    LimitOptions.Further more = search.limits().further(bounds);
    return same(more.option(), more.value());
  }

  /** The first incompletely explored combination, alone and with the whole budget. */
  private String alone(CheckCoverage coverage) {
    Combination combination =
        coverage.checked().stream()
            .filter(one -> !ExplorationSummary.complete(one.report()))
            .map(CheckCoverage.CheckedCombination::combination)
            .findFirst()
            .orElseThrow();
    return at(NextCommand.same(spec, PLACE), combination).toString();
  }

  /** The command that shows the mistake with its place. */
  private String refused(CheckCoverage.RefusedCombination one) {
    return at(NextCommand.same(spec, PLACE), one.world(), one.params()).toString();
  }

  private NextCommand at(NextCommand command, Combination combination) {
    return at(command, combination.world(), combination.program().params());
  }

  /** A value that the world determines is left out, unless the user gave one. */
  private NextCommand at(NextCommand command, String world, Map<String, Long> params) {
    command.with("--world", world);
    params.forEach((name, value) -> {
      if (!name.equals(WorldParams.DOMAIN) || options.given().containsKey(name)) {
        command.with("--set", name + "=" + value);
      }
    });
    return command;
  }

  private String replay(CheckReport.Found found) {
    Optional<String> program = options.replayed();
    if (found.token().isEmpty() || program.isEmpty()) {
      return same("--picture", "failure.html");
    }
    String command = replay(found.token().get().toString(), program.get());
    return command.length() <= COPIED ? command : replay("TOKEN", program.get());
  }

  private String replay(String token, String program) {
    return NextCommand.named("replay")
        .with(token, program)
        .options(
            spec,
            "--type",
            "--op",
            "--hook",
            "--hook-output",
            "--vary",
            "--in-place",
            "--offset",
            "--as-written",
            "--graph-replay")
        .toString();
  }

  private String same(String option, String value) {
    return NextCommand.same(spec, option).with(option, value).toString();
  }
}
