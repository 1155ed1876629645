package dev.oriel.sim.time;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.SharedCode;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.SteeredSimulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The order in which virtual time takes the steps of a program, replayed by the machine that all
 * searches share. The argument is a line with the shape, then a program's text. The result is empty
 * if the order is legal and ends alike, otherwise the error. Loaded together with a changed engine,
 * so its interface consists of strings.
 */
public final class TimeOrder implements UnaryOperator<String> {
  private static final List<Comparison> COMPARISONS = List.of(Comparison.values());

  /** Comparisons that a growing word satisfies permanently, so no turn has to be awaited. */
  private static final Set<Comparison> LASTING =
      EnumSet.of(Comparison.REACHED, Comparison.GE, Comparison.GT);

  private static final int FETCH = 0;
  private static final int PLACE = 1;
  private static final int READ = 2;
  private static final int FILL = 3;

  /** A lane's step, which has a text, or a stage of the request of that number of a queue. */
  private record Step(
      long time, int lane, int opcode, String text, Queue queue, int number, int stage) {}

  private record Queue(int lane, int peer, long context) {}

  private static final Queue NO_QUEUE = new Queue(-1, -1, -1);

  private final List<Step> steps = new ArrayList<>();
  private final List<Step> posted = new ArrayList<>();
  private final Map<Queue, Integer> requests = new HashMap<>();

  @Override
  @SuppressWarnings("StringSplitter")
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    Topology topology = Topology.parse(parts[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    return wrong(bound, topology, Profile.L2, "h200", 2, DetectorSet.VALUES).orElse("");
  }

  /** The error, if any. */
  public static Optional<String> wrong(
      Program program,
      Topology topology,
      Profile profile,
      String links,
      int launches,
      DetectorSet detectors) {
    TimeOrder order = new TimeOrder();
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    TimeDriver driver = order.driver(program, topology, lowered, LinkText.profile(links), launches);
    driver.run();
    order.steps.sort(Comparator.comparingLong(Step::time));
    Simulation simulation =
        new Simulation(
            program,
            topology,
            lowered,
            new ExecutionSettings(profile, launches, detectors, TimeoutPolicy.NEVER));
    return simulation.exploring(() -> order.on(simulation, driver));
  }

  private TimeDriver driver(
      Program program, Topology topology, LoweredForm lowered, LinkModel model, int launches) {
    SharedCode shared = new SharedCode(program, lowered);
    LaneTable[] agents = new LaneTable[1];
    TimingObserver watch =
        new TimingObserver() {
          @Override
          public void stepped(int lane, int at, long now, long clock) {
            LaneInstructions code = shared.lanes().get(agents[0].code[lane]).code();
            int opcode = code.ops()[at];
            long time = inTurn(code.ops(), at) ? now : clock;
            steps.add(new Step(time, lane, opcode, code.text(at), NO_QUEUE, 0, 0));
            steps.addAll(posted);
            posted.clear();
          }

          @Override
          public void posted(
              int lane, int peer, long queue, int kind, long begin, long arrived, long complete) {
            Queue of = new Queue(lane, peer, queue);
            int number = requests.merge(of, 1, Integer::sum) - 1;
            stage(begin, of, number, FETCH);
            if (kind == LaneOpcode.Request.READ || kind == LaneOpcode.Request.READ_BACK) {
              stage(complete - latency(model), of, number, READ);
              stage(complete, of, number, FILL);
            } else {
              stage(arrived, of, number, PLACE);
            }
          }
        };
    TimeDriver driver =
        new TimeDriver(program, topology, model, launches, Map.of(), FaultPlan.NONE, watch);
    agents[0] = driver.agents;
    return driver;
  }

  private static long latency(LinkModel model) {
    return new LinkCosts(model).rdma.latency;
  }

  private void stage(long time, Queue queue, int number, int stage) {
    posted.add(new Step(time, queue.lane, -1, "", queue, number, stage));
  }

  /**
   * Whether the lane waits for its turn before the step, so it happens now; otherwise at its own
   * clock.
   */
  private static boolean inTurn(int[] ops, int at) {
    return switch (ops[at]) {
      case LaneOpcode.COPY, LaneOpcode.WRITE_SLOT, LaneOpcode.POST, LaneOpcode.END -> true;
      case LaneOpcode.POLL_SLOT -> !LASTING.contains(COMPARISONS.get(ops[at + 5]));
      default -> false;
    };
  }

  private Optional<String> on(Simulation simulation, TimeDriver driver) {
    SteeredSimulation machine = new SteeredSimulation(simulation);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Optional<String> wrong =
          step.opcode >= 0
              ? machine.lane(step.lane, step.opcode, step.text)
              : machine.stage(
                  step.lane, step.queue.peer, step.queue.context, step.number, step.stage);
      if (wrong.isPresent()) {
        return Optional.of(
            "step %d of %d, at %d ps: %s".formatted(i, steps.size(), step.time, wrong.get()));
      }
    }
    for (int rank = 0; rank < simulation.code().world(); rank++) {
      Optional<String> wrong = machine.caller(rank);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return machine.end().or(() -> unlike(simulation, machine, driver));
  }

  /** The first difference in the state that both have: every slot, epochs and states. */
  private static Optional<String> unlike(
      Simulation simulation, SteeredSimulation machine, TimeDriver driver) {
    var form = simulation.code().form();
    for (int owner = 0; owner < simulation.code().world(); owner++) {
      for (int signal = 0; signal < form.signals().size(); signal++) {
        int slots = simulation.code().ranks().get(owner).slots(form.signals().get(signal).name());
        for (int source = 0; source < simulation.code().world(); source++) {
          for (int i = 0; i < slots; i++) {
            PolledWords cells = driver.timeline.cells;
            long timed = cells.word(cells.slot(owner, source, signal, i));
            long word = machine.slot(owner, signal, source, i);
            if (timed != word) {
              return Optional.of(
                  "slot differs: owner=%d, source=%d, signal=%d, index=%d, timed=%d, machine=%d"
                      .formatted(owner, source, signal, i, timed, word));
            }
          }
        }
      }
    }
    for (int lane = 0; lane < driver.agents.count(); lane++) {
      for (int i = 0; i < simulation.code().lanes().get(lane).persistent(); i++) {
        long timed = driver.agents.registers[driver.agents.base[lane] + i];
        if (timed != simulation.register(lane, i)) {
          return Optional.of("state differs: lane=%d, state=%d".formatted(lane, i));
        }
      }
    }
    return Optional.empty();
  }
}
