package dev.oriel.cuda;

import dev.oriel.cuda.driver.Device;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Peers;
import dev.oriel.ports.MachineException;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The accesses that a program needs between each pair of GPUs whose ranks reach each other's
 * memory. Every program needs loads and stores; some need atomic updates of a peer's word. Without
 * atomics, two concurrent updates may count once.
 *
 * @param atomic the first such update
 * @param lines the first lane that moves whole lines, which only NVLink keeps whole
 */
record PeerAccessRequirement(Optional<String> atomic, Optional<String> lines) {

  static PeerAccessRequirement of(LoweredForm form) {
    Optional<String> lines =
        form.lanes().stream()
            .filter(lane -> lane.moves(PacketFormat.LINE128))
            .map(lane -> lane.lane().name())
            .findFirst();
    return new PeerAccessRequirement(
        form.lanes().stream().flatMap(PeerAccessRequirement::changes).findFirst(), lines);
  }

  private static Stream<String> changes(LoweredLane lane) {
    return lane.steps().stream()
        .map(LoweredStep::micro)
        .filter(PeerAccessRequirement::changesPeers)
        .map(micro -> "lane %s: %s".formatted(lane.lane().name(), StepPrinter.print(micro)));
  }

  /** Whether a GPU does it by one instruction that reads and writes a word of another rank. */
  private static boolean changesPeers(MicroOperation micro) {
    return switch (micro) {
      case MicroOperation.WriteSlot w -> w.change() == Change.ADD && elsewhere(w.slot().at());
      case MicroOperation.Rmw r -> changes(r) && elsewhere(r.word().at());
      case MicroOperation.Lock l -> elsewhere(l.word().at());
      case MicroOperation.ReadSlot _, MicroOperation.PollWord _, MicroOperation.PollSlot _ -> false;
      case MicroOperation.Copy _,
          MicroOperation.LoadWord _,
          MicroOperation.StoreWord _,
          MicroOperation.ProxyStep _ ->
          false;
      case MicroOperation.Bar _,
          MicroOperation.Fence _,
          MicroOperation.VisibilityFence _,
          MicroOperation.AwaitLane _ ->
          false;
      // The network interface executes a posted request, not the GPU.
      case MicroOperation.Post _, MicroOperation.AwaitQueue _ -> false;
      case MicroOperation.Label _,
          MicroOperation.Jump _,
          MicroOperation.Unless _,
          MicroOperation.UnlessKind _ ->
          false;
      case MicroOperation.Set _, MicroOperation.Check _, MicroOperation.End _ -> false;
    };
  }

  /** A fetch is a load, and an exchange without a result is a store. */
  private static boolean changes(MicroOperation.Rmw r) {
    return switch (r.change()) {
      case FETCH -> false;
      case SET -> !r.register().isEmpty();
      case ADD, CAS -> true;
    };
  }

  private static boolean elsewhere(Peers at) {
    return switch (at) {
      case Peers.Self() -> false;
      case Peers.One(Expr rank) -> !rank.equals(Expr.name("r"));
      default -> true;
    };
  }

  /**
   * Refuses a pair of GPUs that lacks a needed access.
   *
   * @throws dev.oriel.ports.MachineException naming the access and a remedy
   */
  void require(Device from, Device to) {
    from.requireReach(to);
    atomic.ifPresent(what -> from.requireAtomics(to, what));
  }

  /**
   * Refuses such a pair of this GPU and one of those GPUs, as far as the driver shows them here.
   *
   * @param uuids of the peers' GPUs
   */
  void require(Device from, Collection<String> uuids) {
    for (Device other : Device.shown()) {
      if (uuids.contains(other.uuid().toString())) {
        require(from, other);
      }
    }
  }

  /**
   * Refuses ranks that share what peers reach in pages of the host, if the program needs more than
   * loads and stores of words.
   *
   * @throws dev.oriel.ports.MachineException naming the access and a remedy
   */
  void requireInHostMemory(Device gpu) {
    atomic.ifPresent(gpu::requireHostAtomics);
    requireNoLines(gpu);
  }

  /**
   * The same for ranks on one GPU, whose changes of a word are atomic.
   *
   * @throws dev.oriel.ports.MachineException naming the access and a remedy
   */
  void requireNoLines(Device gpu) {
    lines.ifPresent(lane -> {
      throw MachineException.lacking(
          "no whole lines in the host's memory: gpu=%d, lane=%s; use pkt16 in place of line128, or one rank per host"
              .formatted(gpu.ordinal(), lane));
    });
  }
}
