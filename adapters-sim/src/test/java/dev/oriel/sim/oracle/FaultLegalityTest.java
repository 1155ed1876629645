package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.Simulation.Connection;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.Fault.Effect;
import dev.oriel.sim.replay.FaultKind;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs under random faults end as the plan calls legal. An unaffected launch has the
 * outcomes of a plain search, which has no faults. After a crash the outcomes are those of a plain
 * search whose lanes stop. Every other fault ends the launch: a rank that reports success misses no
 * byte, and no rank with a timeout waits for ever.
 */
class FaultLegalityTest {
  private static final List<FaultKind> KINDS =
      Arrays.stream(FaultKind.values()).filter(FaultKind::meetsPrograms).toList();
  private static final long SEED = Long.getLong("oriel.faults.seed", 1);
  private static final long MAX_STEPS = 600;

  /** A program without callers under a plan, and its outcomes without faults. */
  private record Drawn(
      String shape,
      String profile,
      String text,
      FaultPlan plan,
      PlainCode code,
      PlainSearch plain) {

    static Optional<Drawn> of(String shape, String profile, long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L + 5);
      int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
      boolean rdma = shape.charAt(0) > '1';
      String text =
          random.nextBoolean()
              ? SignallingPrograms.text(seed, world, rdma)
              : PlainPrograms.text(seed, world, rdma);
      try {
        Topology topology = Topology.parse(shape);
        Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
        LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
        Profile on = Profile.parse(profile);
        PlainCode code = new PlainCode(program, topology, lowered, on);
        PlainSearch plain = new PlainSearch(code, false, MAX_STEPS);
        if (code.callers || !plain.found.isEmpty()) {
          return Optional.empty();
        }
        List<Connection> queues =
            new Simulation(
                    program,
                    topology,
                    lowered,
                    new ExecutionSettings(on, 1, DetectorSet.ALL, TimeoutPolicy.NEVER))
                .connections();
        FaultPlan plan = plan(random, on, world, queues);
        return Optional.of(new Drawn(shape, profile, text, plan, code, plain));
      } catch (ProgramException | PlainSearch.TooLargeException refused) {
        return Optional.empty();
      }
    }

    private static FaultPlan plan(
        Random random, Profile profile, int world, List<Connection> queues) {
      List<Fault> faults = new ArrayList<>();
      int count = 1 + random.nextInt(2);
      while (faults.size() < count) {
        FaultKind kind = KINDS.get(random.nextInt(KINDS.size()));
        if ((kind.isOfQueue() && queues.isEmpty()) || (kind.isOfProxy() && !profile.proxy())) {
          continue;
        }
        int[] values = new int[kind.keys().size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = random.nextInt(kind.keys().get(i).equals("by") ? 12 : 7);
        }
        values[0] = random.nextInt(world);
        if (kind.isOfQueue()) {
          int number = random.nextInt(queues.size());
          Connection queue = queues.get(number);
          values[0] = queue.rank();
          values[1] =
              kind.joinsRanks()
                  ? queue.peer()
                  : (int)
                      queues.stream().limit(number).filter(q -> q.rank() == queue.rank()).count();
        }
        faults.add(kind.of(values));
      }
      return new FaultPlan(faults);
    }

    private String ends(UnaryOperator<String> machine, TimeoutPolicy timeouts) {
      String head =
          "%s %s %s %d %s".formatted(shape, profile, timeouts.name(), code.registers(0), plan);
      return machine.apply(head + "\n" + text);
    }

    /** The illegal results of the machine, if any; collects the effects that occurred. */
    String wrong(UnaryOperator<String> machine, Set<Effect> met) {
      for (TimeoutPolicy timeouts : List.of(TimeoutPolicy.NEVER, TimeoutPolicy.QUIESCENCE)) {
        String answer = ends(machine, timeouts);
        String wrong = answer.equals("cut") ? "" : wrong(answer.lines().toList(), timeouts, met);
        if (!wrong.isEmpty()) {
          return "%s%n%s %s %s %s%n%s%n%s"
              .formatted(wrong, shape, profile, timeouts, plan, text, answer);
        }
      }
      return "";
    }

    private String wrong(List<String> answer, TimeoutPolicy timeouts, Set<Effect> met) {
      Set<String> found = new TreeSet<>(List.of(answer.getFirst().split(" ", -1)));
      found.remove("");
      Set<String> all = new TreeSet<>();
      Set<String> whole = new TreeSet<>();
      for (String end : answer.subList(1, answer.size())) {
        int at = end.indexOf(':');
        met.add(at == 0 ? Effect.UNAFFECTED : Effect.ABORTED);
        (at == 0 ? whole : all).add(end.substring(at + 1));
      }
      all.addAll(whole);
      if (!found.isEmpty()) {
        met.add(Effect.ABORTED);
      }
      // A deadlock is legal only where no rank may time out; no other finding is legal.
      found.remove(timeouts == TimeoutPolicy.NEVER && crashes() ? Kind.DEADLOCK.name() : "");
      if (!found.isEmpty()) {
        return "found " + found;
      }
      if (!plain.outcomes.containsAll(whole)) {
        return "all seems well, and is not";
      }
      if (!plan.legal().containsAll(met)) {
        return "not legal: " + met;
      }
      Optional<Fault.Crash> crash = crash();
      if (crash.isEmpty() || timeouts != TimeoutPolicy.NEVER) {
        return "";
      }
      // The caller's first step counts, too.
      int lives = crash.get().after() - 1;
      PlainSearch stopped = new PlainSearch(code, false, MAX_STEPS, crash.get().rank(), lives);
      boolean stuck = answer.getFirst().equals(Kind.DEADLOCK.name());
      return stopped.outcomes.equals(all)
              && stopped.found.equals(
                  stuck ? EnumSet.of(Kind.DEADLOCK) : EnumSet.noneOf(Kind.class))
          ? ""
          : "a crash: plain search %s %s".formatted(stopped.found, stopped.outcomes);
    }

    /** The crash, if it is the only fault, of a rank that has begun. */
    private Optional<Fault.Crash> crash() {
      return plan.faults().size() == 1
              && plan.faults().getFirst() instanceof Fault.Crash crash
              && crash.after() > 0
          ? Optional.of(crash)
          : Optional.empty();
    }

    private boolean crashes() {
      return plan.legal().contains(Effect.ABORTED);
    }
  }

  @ParameterizedTest
  @CsvSource({"2x1, L2, 150", "1x2, L2, 100", "2x1, 'L2,proxy=1', 60", "3x1, L2, 20"})
  void everyLaunchUnderFaultsEndsLegally(String shape, String profile, int all) {
    int programs = Thorough.count(all / 3, all);
    Map<FaultKind, Set<Effect>> alone = new EnumMap<>(FaultKind.class);
    Map<FaultKind, Integer> tried = new EnumMap<>(FaultKind.class);
    Set<String> distinct = new HashSet<>();
    for (long seed = SEED << 20; distinct.size() < programs; seed++) {
      Optional<Drawn> drawn = Drawn.of(shape, profile, seed);
      if (drawn.isEmpty() || !distinct.add(drawn.get().plan + drawn.get().text)) {
        continue;
      }
      Set<Effect> met = EnumSet.noneOf(Effect.class);
      assertThat(drawn.get().wrong(new FaultEndings(), met)).as("seed=%d", seed).isEmpty();
      drawn.get().plan.faults().forEach(f -> tried.merge(f.kind(), 1, Integer::sum));
      if (drawn.get().plan.faults().size() == 1) {
        FaultKind kind = drawn.get().plan.faults().getFirst().kind();
        alone.computeIfAbsent(kind, k -> EnumSet.noneOf(Effect.class)).addAll(met);
      }
    }
    System.out.printf(
        "faults: %s %s seed=%d distinct=%d tried=%s%n  came to %s%n",
        shape, profile, SEED, distinct.size(), tried, alone);
    if (Thorough.ON || programs >= 50) {
      assertThat(alone.get(FaultKind.CRASH)).isEqualTo(EnumSet.allOf(Effect.class));
      assertThat(alone.get(FaultKind.STRAGGLE)).containsExactly(Effect.UNAFFECTED);
    }
    if (programs >= 150) {
      // Every legal effect occurs.
      alone.forEach((kind, met) -> assertThat(met).isEqualTo(kind.of(0, 1, 0, 0).legal()));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FaultInjector        | return s.steps[rank] >= crash[rank];  | return s.steps[rank] > crash[rank];
          FetchStage    | s.aborted[rank] = true;               | ;
          EnabledAgents | if (faults.slow) {                    | if (false) {
          FaultInjector        | return posted > lostCompletion[queue]; | return posted >= 0;
          """)
  @Sampled(every = 4)
  void wrongFaultSemanticsAreCaught(String file, String line, String becomes) throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.FAULTS, new EngineMutant(file, line, becomes));
    String caught = "";
    for (long seed = SEED << 20; caught.isEmpty() && seed < (SEED << 20) + 3_000; seed++) {
      caught =
          Drawn.of("2x1", "L2", seed)
              .map(d -> d.wrong(changed, EnumSet.noneOf(Effect.class)))
              .orElse("");
    }
    System.out.println(line + ": " + caught);
    assertThat(caught).isNotEmpty();
  }
}
