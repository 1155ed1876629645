package dev.oriel.domain.lowering;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.topology.PeerKind;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;

/** A form lowered for the kinds of links that a world has. */
public record LoweredForm(Form form, SortedSet<PeerKind> kinds, List<LoweredLane> lanes) {
  public LoweredForm {
    lanes = List.copyOf(lanes);
  }

  /** The steps of the lane of that name. */
  public LoweredLane lane(String name) {
    return lanes.stream()
        .filter(l -> l.lane().name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("unknown lane: name=" + name + "; see the form"));
  }

  /**
   * Whether it needs mapped memory at all peers: it uses lines, which a network may tear, or copy
   * engines, which post no requests.
   */
  public boolean wantsMappedMemory() {
    return lanes.stream()
        .anyMatch(l ->
            l.moves(PacketFormat.LINE128) || l.lane().engine() instanceof LaneFamily.Engine.Copy);
  }

  /** One line per step: the step, then its reason. */
  public String print() {
    return print(StepPrinter::print);
  }

  private String print(Function<LoweredStep, String> line) {
    StringBuilder text = new StringBuilder();
    for (LoweredLane lane : lanes) {
      text.append("lane ").append(lane.lane().name()).append('\n');
      for (LoweredStep step : lane.steps()) {
        text.append(line.apply(step)).append('\n');
      }
    }
    return text.toString();
  }

  /**
   * A 128-bit digest of the printed steps, without their reasons: a verdict thus covers the
   * executed steps, not only the program text.
   */
  public String digest() {
    return TextDigest.of(print(StepPrinter::bare));
  }
}
