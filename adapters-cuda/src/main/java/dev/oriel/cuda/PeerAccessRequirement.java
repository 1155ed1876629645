package dev.oriel.cuda;

import dev.oriel.cuda.driver.Device;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Peers;
import java.util.Optional;

/**
 * The accesses that a program needs between each pair of GPUs whose ranks reach each other's
 * memory. Every program needs loads and stores; some need atomic updates of a peer's word. Without
 * atomics, two concurrent updates may count once.
 *
 * @param atomic the first such update
 */
record PeerAccessRequirement(Optional<String> atomic) {

  static PeerAccessRequirement of(LoweredForm form) {
    for (LoweredLane lane : form.lanes()) {
      for (LoweredStep step : lane.steps()) {
        if (changesPeers(step.micro())) {
          return new PeerAccessRequirement(
              Optional.of(
                  "lane %s: %s".formatted(lane.lane().name(), StepPrinter.print(step.micro()))));
        }
      }
    }
    return new PeerAccessRequirement(Optional.empty());
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
}
