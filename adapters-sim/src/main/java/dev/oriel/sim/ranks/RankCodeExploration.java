package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.DrivenProgram;
import dev.oriel.sim.search.ExecutionShrinker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * Rank code, over one given window or over windows that it makes, explored as programs are.
 * Immutable: each {@code with} method returns another exploration.
 *
 * @param name names the code in reports and tokens, as a form is named
 * @param threads runs each rank, and the machine, on a thread of its own; all threads have ended
 *     when a call of this class returns
 * @param judge runs after every execution in which all ranks completed; throws if their common
 *     result is wrong
 * @param rounds see {@link #withRounds}
 */
public record RankCodeExploration(
    String name,
    RankArena arena,
    Topology topology,
    Executor threads,
    MemberCode code,
    Runnable judge,
    Strategy strategy,
    ExecutionSettings settings,
    Budget budget,
    long seed,
    int rounds) {
  private static final int TRIALS = 100;
  private static final int ROUNDS = 100;
  private static final Budget STANDARD = new Budget(50, 20_000, 10_000, 50_000_000);

  public RankCodeExploration {
    if (code instanceof SingleWindowCode(var spec, var _) && !spec.data().fits(topology.world())) {
      throw new MachineException(
          "sizes for another world: window=%s, sizes=%s, world=%d; give one for each rank"
              .formatted(spec.name(), spec.data(), topology.world()));
    }
    if (settings.profile().anyStart()) {
      throw new MachineException(
          "lanes of rank code begin in order: profile=%s; leave anystart=1 out"
              .formatted(settings.profile().name()));
    }
    boolean meets = settings.faults().faults().stream().allMatch(f -> f.kind().meetsRankCode());
    if (settings.launches() != 1 || !meets) {
      throw new MachineException(
          "rank code runs once; its ranks and their proxies may crash, and registrations be refused: launches=%d, faults=%s; put the repetition into the code"
              .formatted(settings.launches(), settings.faults()));
    }
  }

  /**
   * Explores code over one window that exists from the beginning, with the same defaults as below.
   */
  public static RankCodeExploration of(
      String name, WindowSpec window, Topology topology, Executor threads, RankCode code) {
    SingleWindowCode given = new SingleWindowCode(window, code);
    boolean fits = window.data().fits(topology.world());
    RankArena arena =
        fits
            ? RankArena.of(topology.world(), List.of(window))
            : new RankArena(0, RankArena.Slots.NONE);
    return of(name, arena, topology, threads, given);
  }

  /**
   * Explores code that joins and makes its windows itself, within that arena. By default every
   * strategy runs for a short time, under the default profile, without timeouts.
   */
  public static RankCodeExploration of(
      String name, RankArena arena, Topology topology, Executor threads, MemberCode code) {
    ExecutionSettings settings = Checker.strict(Profile.L2, 1);
    return new RankCodeExploration(
        name,
        arena,
        topology,
        threads,
        code,
        () -> {},
        Strategy.PORTFOLIO,
        settings,
        STANDARD,
        1,
        ROUNDS);
  }

  /** Makes room for memory registered with interfaces; see {@link RankTransport}. */
  public RankCodeExploration withKeys(int keys, int interfaces) {
    return with(arena.withKeys(keys, interfaces));
  }

  /** Lets windows put and take packets; see {@link RankArena#packets}. */
  public RankCodeExploration withPackets(PacketFormat format) {
    return with(arena.withPackets(format));
  }

  private RankCodeExploration with(RankArena other) {
    return new RankCodeExploration(
        name, other, topology, threads, code, judge, strategy, settings, budget, seed, rounds);
  }

  public RankCodeExploration withStrategy(Strategy other) {
    return new RankCodeExploration(
        name, arena, topology, threads, code, judge, other, settings, budget, seed, rounds);
  }

  public RankCodeExploration withProfile(Profile other) {
    return withSettings(other, settings.timeouts(), settings.faults());
  }

  /** Sets when waits give up: the rank code then gets the port's timeout. */
  public RankCodeExploration withTimeouts(TimeoutPolicy other) {
    return withSettings(settings.profile(), other, settings.faults());
  }

  /**
   * Adds faults: ranks crash after a number of steps, and their code does not continue. Or a
   * registration of memory is refused, which takes keys.
   */
  public RankCodeExploration withFaults(FaultPlan other) {
    return withSettings(
        settings.profile(), settings.timeouts(), other.requireWorld(topology.world()));
  }

  private RankCodeExploration withSettings(
      Profile profile, TimeoutPolicy timeouts, FaultPlan faults) {
    ExecutionSettings other =
        new ExecutionSettings(profile, 1, DetectorSet.ALL, timeouts).with(faults);
    return new RankCodeExploration(
        name, arena, topology, threads, code, judge, strategy, other, budget, seed, rounds);
  }

  public RankCodeExploration withBudget(Budget other) {
    return new RankCodeExploration(
        name, arena, topology, threads, code, judge, strategy, settings, other, seed, rounds);
  }

  public RankCodeExploration withSeed(long other) {
    return new RankCodeExploration(
        name, arena, topology, threads, code, judge, strategy, settings, budget, other, rounds);
  }

  /**
   * Sets how many rounds without progress count as an endless execution. Give more where the code
   * counts its attempts. Rounds take steps, so the budget needs enough steps.
   */
  public RankCodeExploration withRounds(int other) {
    if (other < 2) {
      throw new MachineException(
          "too few rounds: rounds=%d; give 2 or more, and more than the code counts"
              .formatted(other));
    }
    return new RankCodeExploration(
        name, arena, topology, threads, code, judge, strategy, settings, budget, seed, other);
  }

  /** Judges every execution after its ranks have completed. */
  public RankCodeExploration afterEach(Runnable other) {
    return new RankCodeExploration(
        name, arena, topology, threads, code, other, strategy, settings, budget, seed, rounds);
  }

  /** Explores the code; the report holds the failing execution if there is one. */
  public CheckReport check() {
    return beside(() -> new Checker(strategy, budget, seed, settings).explore(guided(), topology));
  }

  /** The same failure with the fewest deviations from the first schedule that were found. */
  public ReplayToken shrink(ReplayToken failing) {
    return beside(() -> ExecutionShrinker.shrink(failing, guided(), TRIALS).token());
  }

  /**
   * Repeats exactly the execution that a token names.
   *
   * @throws dev.oriel.sim.replay.ReplayException if it is of other code, window or world
   */
  public TokenReplay.ReplayedExecution replay(ReplayToken token) {
    return beside(() -> TokenReplay.play(token, guided()));
  }

  DrivenProgram guided() {
    int world = topology.world();
    FaultPlan ignored = arena.keys() > 0 ? settings.faults() : settings.faults().requirePrograms();
    return new DrivenProgram(
        WindowForm.program(name, arena, code, world),
        WindowForm.lowered(name, arena, code, topology),
        simulation ->
            new RankCodeDriver(
                simulation,
                IntStream.range(0, world)
                    .mapToObj(rank ->
                        new RankThread(
                            code,
                            arena,
                            topology,
                            rank,
                            threads,
                            simulation.settings().profile().resident()))
                    .toList(),
                arena,
                judge,
                rounds));
  }

  /**
   * Runs the machine on a thread like those of the ranks, so the turn passes between equal threads.
   */
  private <T> T beside(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    threads.execute(future);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          // The ranks' threads must end before the caller continues.
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(ExecutionException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      case null, default ->
          new MachineException("exploration failed: error=" + e + "; see its cause", e);
    };
  }
}
