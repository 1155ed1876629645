package dev.oriel.sim.machine;

import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.Optional;
import java.util.Set;

/**
 * A machine that repeats the steps of another one. Each step must be the next one of its agent and
 * must be enabled.
 */
public final class SteeredSimulation {
  /** Operations that other agents cannot notice: the machine executes them with the step before. */
  private static final Set<Integer> QUIET =
      Set.of(
          LaneOpcode.JUMP,
          LaneOpcode.UNLESS,
          LaneOpcode.UNLESS_KIND,
          LaneOpcode.SET,
          LaneOpcode.CHECK,
          LaneOpcode.BAR,
          LaneOpcode.FENCE,
          LaneOpcode.CONSIST);

  private final Simulation simulation;
  private final int firstCaller;
  private final int firstStage;

  public SteeredSimulation(Simulation simulation) {
    this.simulation = simulation;
    firstCaller = simulation.code().lanes().size();
    firstStage = firstCaller + simulation.code().world();
    simulation.restart();
  }

  /** The lane executes the step of that text; otherwise the reason why it cannot. */
  public Optional<String> lane(int lane, int opcode, String text) {
    MachineState s = simulation.state();
    LaneInstructions code = simulation.code().lanes().get(lane);
    boolean due = s.launched[code.rank()] == 0 || s.ended[lane] || s.at[lane] < 0;
    if (due) {
      Optional<String> wrong = caller(code.rank());
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    String stands = code.text(s.at[lane]);
    if (stands.equals(text)) {
      return step(lane);
    }
    return QUIET.contains(opcode)
        ? Optional.empty()
        : Optional.of("%s does '%s', but stands at '%s'".formatted(name(lane), text, stands));
  }

  /** The rank's caller judges an ended launch, and starts the next one if there is one. */
  public Optional<String> caller(int rank) {
    return step(firstCaller + rank);
  }

  /** The lane's request of that number, on its queue to the peer, goes through that stage. */
  public Optional<String> stage(int lane, int peer, long context, int number, int stage) {
    MachineModel model = simulation.model();
    int queue = model.agents.queue(lane, peer, (int) context);
    Optional<String> wrong = step(firstStage + AgentNumbering.STAGES * queue + stage, options -> 0);
    int entry = new RequestRing(model).entry(queue, number);
    int through = simulation.state().requests[entry + RequestLayout.STAGE];
    return wrong.isPresent() || through == (stage < 2 ? stage + 1 : stage)
        ? wrong
        : Optional.of(
            "another request comes first: %s, peer=%d, request=%d, stage=%d"
                .formatted(name(lane), peer, number, stage));
  }

  private Optional<String> step(int agent) {
    // An agent with a choice takes the newest message.
    return step(agent, options -> options - 1);
  }

  private Optional<String> step(int agent, ChoiceSource choices) {
    if ((simulation.state().enabled[agent >> 6] & 1L << agent) == 0) {
      return Optional.of("not enabled: " + who(agent));
    }
    return simulation.step(agent, choices).map(Finding::message);
  }

  /** The error at the end: an agent that is still enabled, or a wrong result. */
  public Optional<String> end() {
    return simulation.enabled() > 0
        ? Optional.of("left to do: " + who(simulation.enabledAt(0)))
        : simulation.end().map(Finding::message);
  }

  private String who(int agent) {
    if (agent < firstCaller) {
      LaneInstructions code = simulation.code().lanes().get(agent);
      return "%s: %s".formatted(name(agent), code.text(simulation.state().at[agent]));
    }
    return agent < firstStage
        ? "caller of rank " + (agent - firstCaller)
        : "stage %d of queue %d"
            .formatted(
                (agent - firstStage) % AgentNumbering.STAGES,
                (agent - firstStage) / AgentNumbering.STAGES);
  }

  private String name(int lane) {
    return simulation.model().laneName(lane);
  }

  /** Whether the rank crashed, was aborted, or timed out. */
  public static boolean disturbed(Simulation simulation, int rank) {
    return simulation.crashed(rank) || simulation.state().aborted[rank];
  }

  /** The last value of a slot. */
  public long slot(int owner, int signal, int source, int index) {
    WordLayout table = simulation.model().words;
    MachineState s = simulation.state();
    int word = table.slot(owner, signal, source, index);
    int count = s.words[table.fields[word] + 1];
    return s.wordValues[table.firstValue[word] + count - 1];
  }
}
