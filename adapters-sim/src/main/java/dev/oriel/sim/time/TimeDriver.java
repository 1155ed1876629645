package dev.oriel.sim.time;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WorldSizeCheck;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.SharedCode;
import dev.oriel.sim.replay.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Predicts the cost of a program on machines of a {@link LinkModel} by executing it in virtual
 * time. The same program, world and model give the same prediction to the bit.
 *
 * <p>A driver is for one prediction: its constructor expands the ranks, and {@link #run} executes
 * them.
 */
public final class TimeDriver {
  final LaneTable agents;
  final VirtualTimeline timeline;
  private final LinkPorts ports;
  private final RankLaunches launches;
  private final TimedSteps steps;
  private final int count;

  /**
   * @param launches how often every rank launches the program
   * @param words the values of loaded words, by register: no byte is moved here, so nothing can be
   *     read
   * @throws MachineException if the program uses an operation that has no time
   */
  public TimeDriver(
      Program program, Topology topology, LinkModel model, int launches, Map<String, Long> words) {
    this(program, topology, model, launches, words, FaultPlan.NONE);
  }

  /**
   * The same with faults.
   *
   * @param faults links that are slow, and nothing else
   */
  public TimeDriver(
      Program program,
      Topology topology,
      LinkModel model,
      int launches,
      Map<String, Long> words,
      FaultPlan faults) {
    this(program, topology, model, launches, words, faults, TimingObserver.NONE);
  }

  TimeDriver(
      Program program,
      Topology topology,
      LinkModel model,
      int launches,
      Map<String, Long> words,
      FaultPlan faults,
      TimingObserver watch) {
    WorldSizeCheck.require(program, topology);
    if (launches < 1) {
      throw new MachineException("no launch: launches=" + launches + "; use at least 1");
    }
    SharedCode shared = new SharedCode(program, lower(program, topology));
    LinkCosts costs = new LinkCosts(model);
    this.count = launches;
    agents = new LaneTable(program, shared);
    TimingConstants scene = new TimingConstants(program, topology, shared, agents, costs, words);
    int signals = program.form().signals().size();
    PolledWords cells =
        new PolledWords(Math.max(1, signals), Math.max(1, program.form().buffers().size()));
    timeline = new VirtualTimeline(agents, cells, summed(shared, signals));
    ports = new LinkPorts(program.world(), costs, new SlowLinks(faults, program.world()));
    this.launches = new RankLaunches(timeline, shared.lanes().size(), launches, costs.launch);
    CopyTiming copies = new CopyTiming(scene, timeline, ports);
    RequestTiming requests = new RequestTiming(scene, timeline, ports, packets(shared), watch);
    steps = new TimedSteps(scene, timeline, this.launches, copies, requests, watch);
  }

  private static LoweredForm lower(Program program, Topology topology) {
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space() == Space.SHARED) {
        throw new MachineException(
            "shared memory is not timed: form=%s, buffer=%s; use scratch"
                .formatted(program.form().name(), buffer.name()));
      }
      if (buffer.isAlias()) {
        throw new MachineException(
            "memory that is mapped twice is not timed: form=%s, alias=%s; use %s"
                .formatted(program.form().name(), buffer.name(), buffer.of()));
      }
    }
    try {
      return FormLowering.lower(program.form(), topology.kinds());
    } catch (ProgramException e) {
      throw new MachineException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Executes every launch; to be called once.
   *
   * @throws VirtualDeadlock if lanes wait for an event that will never happen
   * @throws MachineException if the words in flight at one time exceed the memory
   */
  public CostPrediction run() {
    try {
      execute();
    } catch (OutOfMemoryError e) {
      throw MachineException.lacking(
          "out of memory in virtual time: lanes=%d, now_us=%.3f, events=%d, messages=%d, max heap=%d bytes; use fewer ranks or smaller parameters, or allow a larger heap"
              .formatted(
                  agents.count(),
                  timeline.now() / 1e6,
                  timeline.events(),
                  ports.traffic().messages(),
                  Runtime.getRuntime().maxMemory()));
    }
    if (!launches.done()) {
      throw new VirtualDeadlock(
          timeline.now() / 1e3,
          IntStream.range(0, agents.count())
              .filter(lane -> !agents.ended[lane])
              .mapToObj(steps::waits)
              .toList());
    }
    List<Double> ends =
        IntStream.range(0, count).mapToObj(launch -> launches.endOf(launch) / 1e3).toList();
    return new CostPrediction(ends, ports.traffic(), timeline.events(), ports.busiest());
  }

  private void execute() {
    launches.start();
    while (true) {
      int lane = timeline.next();
      if (lane >= 0) {
        steps.run(lane);
      } else if (lane == VirtualTimeline.OVER) {
        return;
      }
    }
  }

  /** The signals of which the program awaits a sum of rows. */
  private static boolean[] summed(SharedCode shared, int signals) {
    boolean[] summed = new boolean[signals];
    for (SharedCode.SharedLane lane : shared.lanes()) {
      LaneInstructions code = lane.code();
      for (int at = 0; at < code.ops().length; at++) {
        if (!code.text(at).isEmpty()
            && code.ops()[at] == LaneOpcode.POLL_SLOT
            && code.ops()[at + 3] >= 0
            && code.ops()[at + 4] == 1) {
          summed[code.ops()[at + 1]] = true;
        }
      }
    }
    return summed;
  }

  private static boolean packets(SharedCode shared) {
    for (SharedCode.SharedLane lane : shared.lanes()) {
      LaneInstructions code = lane.code();
      for (int at = 0; at < code.ops().length; at++) {
        if (!code.text(at).isEmpty()
            && code.ops()[at] == LaneOpcode.COPY
            && code.ops()[CopyLayout.destination(at, 0) + CopyLayout.FORMAT] >= 0) {
          return true;
        }
      }
    }
    return false;
  }
}
