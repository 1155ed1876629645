package dev.oriel.sim.engine;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import java.util.ArrayList;
import java.util.List;

/** Describes the condition that every unfinished lane waits for. */
public final class WaitDescription {
  private WaitDescription() {}

  /** One line per waiting lane: its step, and the words that it reads. */
  public static List<String> lines(WorldState world) {
    List<String> lines = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      lines.addAll(lines(world, rank));
    }
    return lines;
  }

  /** The lines of one rank. */
  public static List<String> lines(WorldState world, int rank) {
    List<String> lines = new ArrayList<>();
    for (LaneState lane : world.lanes.get(rank)) {
      if (!lane.ended) {
        lines.add(lane.label() + ": " + StepPrinter.print(lane.micro()) + seen(world, lane));
      }
    }
    return lines;
  }

  private static String seen(WorldState world, LaneState lane) {
    if (!(lane.micro() instanceof MicroOperation.PollSlot poll)) {
      return "";
    }
    LaneStepper stepper = new LaneStepper(world, lane);
    StringBuilder text = new StringBuilder(", sees");
    for (int source : stepper.members(poll.slot().at())) {
      text.append(" rank ")
          .append(source)
          .append(": ")
          .append(stepper.slotValue(poll.slot(), source));
    }
    return text.toString();
  }
}
