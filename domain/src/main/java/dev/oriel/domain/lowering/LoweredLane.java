package dev.oriel.domain.lowering;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The steps of every instance of one lane, in order.
 *
 * @param extras persistent words besides the lane's own states, without a name in the text: the
 *     counts of its barriers. A machine keeps them across launches exactly as it keeps states
 */
public record LoweredLane(LaneFamily lane, List<LaneFamily.State> extras, List<LoweredStep> steps) {
  public LoweredLane {
    extras = List.copyOf(extras);
    steps = List.copyOf(steps);
  }

  /** Every word that a machine keeps for each instance: the lane's states, then the extras. */
  public List<LaneFamily.State> persistent() {
    List<LaneFamily.State> all = new ArrayList<>(lane.states());
    all.addAll(extras);
    return all;
  }

  /** Whether a step moves packets of that format. */
  public boolean moves(PacketFormat format) {
    return steps.stream()
        .map(LoweredStep::micro)
        .flatMap(micro -> micro instanceof MicroOperation.Copy c ? regions(c) : Stream.empty())
        .anyMatch(region ->
            region.access() instanceof Access.Packets(PacketFormat used, Expr flag)
                && used == format);
  }

  private static Stream<Region> regions(MicroOperation.Copy copy) {
    return Stream.concat(
        copy.destinations().stream(), copy.sources().stream().map(SourceSeries::region));
  }

  /** The position of a label among the steps. */
  public int position(int label) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).micro() instanceof MicroOperation.Label(int id) && id == label) {
        return i;
      }
    }
    throw new IllegalArgumentException("unknown label: label=" + label + "; lower the lane again");
  }
}
