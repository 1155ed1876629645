package dev.oriel.sim.engine;

import dev.oriel.domain.lowering.StepPrinter;

/** Transitions in the words of a trace. */
public final class TransitionText {
  private TransitionText() {}

  /** The effect of that transition in that world. */
  public static String of(Transition transition, WorldState world) {
    return switch (transition) {
      case Transition.Step(int r, int l) -> {
        LaneState lane = world.lanes.get(r).get(l);
        yield lane.label() + ": " + StepPrinter.print(lane.micro());
      }
      case Transition.Arrive(int r, int l, int s) -> {
        LaneState lane = world.lanes.get(r).get(l);
        yield lane.label() + ": store " + text(world, lane.stores.get(s)) + " arrives";
      }
      case Transition.Place(int r, int l, int peer) ->
          world.lanes.get(r).get(l).label() + ": request to rank " + peer + " is executed";
    };
  }

  private static String text(WorldState world, PendingStore store) {
    return store.kind() == PendingStore.Kind.BYTES
        ? world.form.buffers().get(store.buffer()).name()
            + "@"
            + store.rank()
            + "["
            + store.offset()
            + "] bytes "
            + store.bytes().length
        : world.form.signals().get(store.buffer()).name()
            + "@"
            + store.rank()
            + " = "
            + store.value();
  }
}
