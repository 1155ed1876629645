package dev.oriel.cuda;

import dev.oriel.cuda.driver.Device;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.Step;
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
record Need(Optional<String> atomic) {

  static Need of(LoweredForm form) {
    for (LoweredLane lane : form.lanes()) {
      for (Step step : lane.steps()) {
        if (changesPeers(step.micro())) {
          return new Need(
              Optional.of(
                  "lane %s: %s".formatted(lane.lane().name(), StepPrinter.print(step.micro()))));
        }
      }
    }
    return new Need(Optional.empty());
  }

  /** Whether a GPU does it by one instruction that reads and writes a word of another rank. */
  private static boolean changesPeers(Micro micro) {
    return switch (micro) {
      case Micro.WriteSlot w -> w.change() == Change.ADD && elsewhere(w.slot().at());
      case Micro.Rmw r -> changes(r) && elsewhere(r.word().at());
      case Micro.Lock l -> elsewhere(l.word().at());
      case Micro.ReadSlot _, Micro.PollWord _, Micro.PollSlot _ -> false;
      case Micro.Copy _, Micro.LoadWord _, Micro.StoreWord _, Micro.ByProxy _ -> false;
      case Micro.Bar _, Micro.Fence _, Micro.Consist _, Micro.AwaitLane _ -> false;
      // The network interface executes a posted request, not the GPU.
      case Micro.Post _, Micro.AwaitQueue _ -> false;
      case Micro.Label _, Micro.Jump _, Micro.Unless _, Micro.UnlessKind _ -> false;
      case Micro.Set _, Micro.Check _, Micro.End _ -> false;
    };
  }

  /** A fetch is a load, and an exchange without a result is a store. */
  private static boolean changes(Micro.Rmw r) {
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
