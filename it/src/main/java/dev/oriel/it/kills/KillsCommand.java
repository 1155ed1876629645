package dev.oriel.it.kills;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.measure.ResourceMeter;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.ranks.RankCommandLine;
import dev.oriel.it.run.LaunchedProcesses;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel kills}: kills ranks one after another; the world continues without them. */
@Command(
    name = "kills",
    description =
        "Kill random ranks at random moments, with one process for each GPU. The others must end in time with one cause. They form a new world, first without the killed rank, then with another in its place.",
    mixinStandardHelpOptions = true)
public final class KillsCommand implements Callable<Integer> {
  private static final int NONE = -1;

  /** Ranks are started often, and need little memory. */
  private static final List<String> JAVA =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m");

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(names = "--kills", defaultValue = "50", description = "number of kills (default: 50)")
  private int kills;

  @Option(
      names = "--within",
      defaultValue = "400",
      description =
          "a rank is killed within so many milliseconds after the world has formed (default: 400)")
  private int within;

  @Option(
      names = "--deadline",
      defaultValue = "5",
      description = "seconds that a launch may last (default: 5)")
  private int seconds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of all that is drawn at random (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = RankCommandLine.AS_RANK, defaultValue = "-1", hidden = true)
  private int localRank;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionNumbers.atLeast(spec, "--kills", 1, kills);
    OptionNumbers.atLeast(spec, "--within", 1, within);
    OptionNumbers.atLeast(spec, "--deadline", 1, seconds);
    if (options.topology().kinds().contains(PeerKind.RDMA)) {
      throw new ParameterException(
          spec.commandLine(),
          "ranks of several hosts: world=%s; kills is for one, such as 1x4"
              .formatted(options.world()));
    }
    Program program = options.fit();
    requireWorldOfSurvivors(program);
    Duration deadline = Duration.ofSeconds(seconds);
    if (localRank != NONE) {
      RankCommandLine.endWithParent();
      new KilledRank(this::bind, localRank, deadline).run();
      return ExitCodes.FINE;
    }
    LaunchedProcesses.requireAlone("kills");
    PrintWriter out = spec.commandLine().getOut();
    out.printf("machine  %s%n", ResourceMeter.machine());
    out.printf(
        "program  %s, %d ranks, one process each, %s, deadline=%d s, seed=%d%n",
        program.form().name(), program.world(), program.params(), seconds, seed);
    try (KillCampaign campaign =
        new KillCampaign(
            new RankCommandLine(spec, JAVA)::as,
            program.world(),
            deadline,
            within,
            new SplittableRandom(seed))) {
      KillTally tally = campaign.run(kills);
      tally.lines().forEach(out::println);
      return tally.problems().isEmpty() ? ExitCodes.FINE : ExitCodes.VIOLATION;
    }
  }

  private Program bind(Topology world) {
    return options.fit(world);
  }

  /** Refuses a program that the survivors could not run. */
  private void requireWorldOfSurvivors(Program program) {
    int survivors = program.world() - 1;
    if (survivors < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "nobody survives: world=%s; kills wants two ranks at least".formatted(options.world()));
    }
    try {
      Program ignored = bind(KilledRank.topology(survivors));
    } catch (ProgramException e) {
      throw new ParameterException(
          spec.commandLine(),
          "survivors cannot run it: program=%s, ranks=%d; %s"
              .formatted(program.form().name(), survivors, e.getMessage()),
          e);
    }
  }
}
