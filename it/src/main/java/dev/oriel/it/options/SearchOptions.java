package dev.oriel.it.options;

import dev.oriel.domain.rewrite.GraphReplay;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.WindowDelta;
import dev.oriel.sim.search.WindowTiming;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The choice and number of executions, and the assumptions about them. */
public final class SearchOptions {
  /**
   * Executions of each sampling strategy in a smaller search, and the divisor of all other work.
   */
  private static final long FEW = 4;

  /** Later launches have so many times the steps. */
  private static final long LONGER = 15;

  private static final long PART = 50;

  /** The launches of an execution in worlds and sizes that are not searched. */
  private static final int BRIEF = 2;

  /** States of a search with fewer resident lanes. */
  private static final long RESIDENT = 2_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      defaultValue = "portfolio",
      converter = OptionSpellings.OfStrategy.class,
      description =
          "portfolio, fifo, random, pct, pos, window, synchronisation or full"
              + " (default: ${DEFAULT-VALUE})")
  private Strategy strategy = Strategy.PORTFOLIO;

  @Option(
      names = "--delta",
      paramLabel = "TIME",
      defaultValue = "500ns",
      converter = OptionSpellings.OfDelta.class,
      description =
          "with --strategy window: how far a step may overtake the earliest pending one. It doubles"
              + " with every execution and every 64 steps; 0ns is the order of time, any is no bound"
              + " (default: ${DEFAULT-VALUE})")
  private WindowDelta delta = WindowDelta.DEFAULT;

  @Mixin private LinkOptions links = new LinkOptions();

  @Mixin private ProfileOption hardware = new ProfileOption();

  @Option(
      names = "--timeouts",
      paramLabel = "WHEN",
      defaultValue = "never",
      converter = OptionSpellings.OfTimeouts.class,
      description =
          "when waits give up: never, quiescence (nothing else can happen) or any (default: ${DEFAULT-VALUE})")
  private TimeoutPolicy timeouts = TimeoutPolicy.NEVER;

  @Option(
      names = "--faults",
      paramLabel = "PLAN",
      defaultValue = "none",
      converter = OptionSpellings.OfFaults.class,
      description =
          "faults that happen: abort, crash, degrade, delay, flap, lose-completion, lose-request,"
              + " proxy-crash, proxy-straggle, queue-error, straggle, such as 'crash rank=1 after=17; straggle rank=2 by=50'"
              + " (default: ${DEFAULT-VALUE})")
  private FaultPlan faults = FaultPlan.NONE;

  @Option(
      names = "--no-races",
      description = "report wrong results alone, not races; unordered accesses return either value")
  private boolean values;

  @Option(
      names = "--symmetry",
      description =
          "explore one of all states that differ in the names of ranks alone; the verdict lists the"
              + " renamings that change nothing, or says why there is none")
  private boolean symmetry;

  @Option(
      names = "--executions",
      defaultValue = "20",
      description = "executions of each strategy that draws them (default: ${DEFAULT-VALUE})")
  private long executions;

  @Mixin private LimitOptions limits = new LimitOptions();

  @Mixin private LaunchesOption launches = new LaunchesOption();

  @Option(
      names = "--start-epoch",
      paramLabel = "N",
      defaultValue = "0",
      converter = OptionSpellings.OfEpoch.class,
      description =
          "begin after N launches: a number, or 2^32-2 for two before 32 bits wrap"
              + " (default: ${DEFAULT-VALUE})")
  private long past;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of all that is drawn at random (default: ${DEFAULT-VALUE})")
  private long seed;

  private CampaignShard shard = CampaignShard.WHOLE;

  /** Refuses numbers out of range. */
  public void validate() {
    OptionNumbers.atLeast(spec, "--executions", 1, executions);
    limits.validate();
    oneThread().ifPresent(limits::oneThread);
  }

  /** Refuses many workers for a search that only one core makes, and several threads of it. */
  void manyWorkers() {
    oneThread()
        .ifPresent(why -> {
          throw new ParameterException(
              spec.commandLine(),
              "one core only: option=--on; leave it out, since %s".formatted(why));
        });
    limits.oneThread("--on says how many cores search");
  }

  /** Why only one thread can search, if so. */
  private Optional<String> oneThread() {
    if (strategy != Strategy.FULL) {
      return Optional.of("only --strategy full uses several");
    }
    boolean whole = symmetry || timeouts != TimeoutPolicy.NEVER || !faults.equals(FaultPlan.NONE);
    return whole
        ? Optional.of("no search with --symmetry, --timeouts or --faults uses several")
        : Optional.empty();
  }

  /**
   * From now on only that part of the executions is asked for.
   *
   * @param option asked for it
   */
  public void part(CampaignShard one, String option) {
    if (strategy.visitsAll() && !one.equals(CampaignShard.WHOLE)) {
      throw new ParameterException(
          spec.commandLine(),
          "an exhaustive search cannot be divided: option=%s, strategy=%s; search with --strategy full on several cores or hosts with --on, or in one process with --memory and --time as its limits; or divide drawn executions with --strategy portfolio, random, pct, pos or window"
              .formatted(option, strategy.spelling()));
    }
    shard = one;
  }

  /** The file with the costs of links; empty if they have a name. */
  public Optional<Path> linkFile() {
    return links.file();
  }

  /** Takes the conditions of an exhibit in place of the defaults. */
  public void prefer(CaseStudyPrograms exhibit) {
    ParseResult given = spec.commandLine().getParseResult();
    hardware.prefer(exhibit.profile());
    launches.prefer(exhibit.launches());
    timeouts = given.hasMatchedOption("--timeouts") ? timeouts : exhibit.timeouts();
    faults = given.hasMatchedOption("--faults") ? faults : exhibit.faults();
  }

  /** Explores a replayed graph at least into its second replay. */
  public void replay(GraphReplay replay) {
    int graph = replay.launches();
    int least = graph == 0 ? 0 : graph + (replay.eager() ? 2 : 1);
    if (launches.count() < least && launches.given()) {
      throw new ParameterException(
          spec.commandLine(),
          "no replay: option=--launches, launches=%d, graph=%d; give at least %d launches"
              .formatted(launches.count(), graph, least));
    }
    int all = replay.eager() ? 2 * graph + 1 : 2 * graph;
    if (all > launches.count()) {
      launches.prefer(all);
    }
  }

  /** The assumptions about every execution. */
  public ExecutionSettings settings() {
    return settings(hardware.or(Profile.L2));
  }

  private ExecutionSettings settings(Profile profile) {
    DetectorSet detectors = values ? DetectorSet.RESULTS : DetectorSet.ALL;
    return new ExecutionSettings(profile, launches.count(), detectors, timeouts)
        .after(past)
        .with(faults);
  }

  /** The limits of an exhaustive search. */
  public LimitOptions limits() {
    return limits;
  }

  public Checker checker() {
    return checker(limits.budget(executions)).drawing().on(limits.threads());
  }

  /** A checker with at most a small part of the default work. */
  public Checker smaller() {
    return checker(small(Math.min(executions, FEW)));
  }

  private Budget small(long most) {
    return new Budget(
        most,
        Math.min(limits.states(), Budget.DEFAULT.states() / PART),
        Budget.DEFAULT.steps() / PART,
        Budget.DEFAULT.work() / PART);
  }

  /** The same by all orders of synchronisation alone; empty if options ask for another strategy. */
  public Optional<Checker> exhaustive() {
    return exhaustive(1);
  }

  /** The same with longer executions of later launches. */
  public Optional<Checker> longer() {
    return exhaustive(LONGER);
  }

  private Optional<Checker> exhaustive(long executions) {
    return strategy == Strategy.PORTFOLIO
        ? Optional.of(checker(Strategy.SYNCHRONISATION, small(executions), true))
        : Optional.empty();
  }

  /** One short execution; none if options ask for another strategy. */
  public Optional<Checker> brief() {
    return strategy == Strategy.PORTFOLIO
        ? Optional.of(repeating(Strategy.FIFO, Math.min(BRIEF, launches.count())))
        : Optional.empty();
  }

  /**
   * A checker that stops where more than one order has to be tried. A program whose waits are each
   * ended by one agent has a single order. Empty if options ask for something else.
   *
   * @param further whether it then looks at any number of launches
   */
  public Optional<Checker> deciding(boolean further) {
    boolean other =
        spec.commandLine().getParseResult().hasMatchedOption("--strategy")
            || symmetry
            || values
            || timeouts != TimeoutPolicy.NEVER
            || !faults.equals(FaultPlan.NONE)
            || !shard.equals(CampaignShard.WHOLE);
    return other
        ? Optional.empty()
        : Optional.of(
            checker(
                Strategy.SYNCHRONISATION,
                new Budget(1, 1, Budget.DEFAULT.steps(), Budget.DEFAULT.work()),
                further));
  }

  /** A checker by that strategy in so many launches, with a part of the work. */
  public Checker repeating(Strategy by, int count) {
    Budget budget =
        new Budget(
            1,
            Math.min(limits.states(), Budget.DEFAULT.states() / PART),
            Budget.DEFAULT.steps(),
            Budget.DEFAULT.work() / PART);
    return new Checker(by, budget, seed, settings().launches(count), faults, CampaignShard.WHOLE);
  }

  /**
   * A short search of synchronisation in which at most so many lanes of a rank run at once; empty
   * if the profile says how many.
   */
  public Optional<Checker> resident(int lanes) {
    Budget budget =
        new Budget(
            1,
            Math.min(limits.states(), RESIDENT),
            Budget.DEFAULT.steps() / PART,
            Budget.DEFAULT.work() / PART);
    return residentProfile(lanes)
        .map(profile ->
            new Checker(
                Strategy.SYNCHRONISATION,
                budget,
                seed,
                settings(Profile.parse(profile)),
                faults,
                CampaignShard.WHOLE));
  }

  /** The name of its profile. */
  public Optional<String> residentProfile(int lanes) {
    String name = hardware.or(Profile.L2).name();
    return name.contains(",resident=")
        ? Optional.empty()
        : Optional.of(name + ",resident=" + lanes);
  }

  private Checker checker(Budget budget) {
    return checker(strategy, budget, true);
  }

  private Checker checker(Strategy by, Budget budget, boolean further) {
    Checker checker =
        new Checker(by, budget, seed, settings(), faults, shard)
            .at(new WindowTiming(links.model(), delta));
    Checker covering = launches.given() || !further ? checker : checker.anyLaunches();
    return symmetry ? covering.symmetric() : covering;
  }

  public CampaignShard shard() {
    return shard;
  }

  /** Summary of remaining work, and the options that reduce it. */
  public String work() {
    return "strategy=%s; limits: executions=%d, %s, launches=%d; lower limits, or a smaller world or size, end sooner"
        .formatted(strategy.spelling(), executions, limits, launches.count());
  }

  /** Eight digits that distinguish texts. */
  private static String digest(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  /** The settings besides the program that identify a campaign, in one line. */
  public String campaign() {
    return "strategy=%s, executions=%d, states=%d, seed=%d, launches=%d, symmetry=%s, delta=%s, links=%s-%s%s"
        .formatted(
            strategy.spelling(),
            executions,
            limits.states(),
            seed,
            launches.count(),
            symmetry,
            delta,
            links.model().name(),
            digest(links.model().toString()),
            past == 0 ? "" : ", start-epoch=" + Long.toUnsignedString(past));
  }
}
