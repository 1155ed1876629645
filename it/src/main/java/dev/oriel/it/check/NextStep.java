package dev.oriel.it.check;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.words.Facts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Shard;
import dev.oriel.sim.search.Report;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** One command that is worth trying after a verdict. */
final class NextStep {
  /** More than the periods of slots and parities that are usual. */
  private static final int LAUNCHES = 6;

  private final CommandSpec spec;
  private final ProgramOptions options;
  private final SearchOptions search;

  NextStep(CommandSpec spec, ProgramOptions options, SearchOptions search) {
    this.spec = spec;
    this.options = options;
    this.search = search;
  }

  String after(Report report, Optional<String> otherWorld) {
    if (report.found().isPresent()) {
      return replay(report.found().get());
    }
    if (!search.shard().equals(Shard.WHOLE)) {
      return "oriel merge FILE... with the files of all parts";
    }
    if (report.parts().stream().noneMatch(part -> part.strategy().visitsAll())) {
      return same("--strategy", "synchronisation");
    }
    if (otherWorld.isPresent()) {
      return same("--world", otherWorld.get());
    }
    int launches = search.terms().launches();
    if (!Explored.complete(report)) {
      return launches > 1
          ? same("--launches", "1")
          : same("--states", Long.toString(10 * search.states()));
    }
    if (launches < LAUNCHES) {
      return same("--launches", Integer.toString(LAUNCHES));
    }
    if (search.terms().profile().name().equals(Profile.L2.name())
        && options.topology().kinds().contains(PeerKind.RDMA)) {
      return same("--profile", Profile.L3.name());
    }
    return Facts.fitting(
        NextCommand.bound("mutate", spec).toString(),
        "oriel mutate with the same program and world");
  }

  private String replay(Report.Found found) {
    Optional<String> program = options.replayed();
    if (found.token().isEmpty() || program.isEmpty()) {
      return same("--picture", "failure.html");
    }
    // Tokens may be of any length; theirs is a line of its own.
    return Facts.fitting(
        replay(found.token().get().toString(), program.get()),
        Facts.fitting(replay("TOKEN", program.get()), "oriel replay with the token below"));
  }

  private String replay(String token, String program) {
    return NextCommand.named("replay")
        .with(token, program)
        .options(spec, "--type", "--op", "--in-place", "--offset")
        .toString();
  }

  private String same(String option, String value) {
    return Facts.fitting(
        NextCommand.same(spec, option).with(option, value).toString(),
        "the same command with %s %s".formatted(option, value));
  }
}
