package dev.oriel.sim.engine;

import dev.oriel.sim.engine.LaneState.Posted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One possible next step of a world. Lists of transitions have a fixed order. */
public sealed interface Transition {

  /** The most internal steps in one transition; further ones wait, so no lane runs unboundedly. */
  int MOST_INTERNAL_STEPS = 1000;

  /** A lane takes its next step, and then all steps that no other agent can observe. */
  record Step(int rank, int lane) implements Transition {}

  /** A store of a lane becomes visible to all agents. */
  record Arrive(int rank, int lane, int store) implements Transition {}

  /** The oldest request of a queue is executed. */
  record Place(int rank, int lane, int peer) implements Transition {}

  /** All transitions that are possible now. */
  static List<Transition> enabled(WorldState world) {
    List<Transition> enabled = new ArrayList<>();
    for (int r = 0; r < world.size(); r++) {
      List<LaneState> lanes = world.lanes.get(r);
      for (int l = 0; l < lanes.size(); l++) {
        LaneState lane = lanes.get(l);
        if (new LaneStepper(world, lane).enabled()) {
          enabled.add(new Step(r, l));
        }
        for (int s = 0; s < lane.stores.size(); s++) {
          if (mayArrive(lane, s)) {
            enabled.add(new Arrive(r, l, s));
          }
        }
        for (Map.Entry<Integer, List<Posted>> queue : lane.queues.entrySet()) {
          if (!queue.getValue().isEmpty()) {
            enabled.add(new Place(r, l, queue.getKey()));
          }
        }
      }
    }
    return enabled;
  }

  /**
   * Stores arrive in any order, except that those to one place stay in order and a release is last.
   */
  private static boolean mayArrive(LaneState lane, int s) {
    PendingStore store = lane.stores.get(s);
    if (store.release() && s > 0) {
      return false;
    }
    return lane.stores.subList(0, s).stream().noneMatch(store::overlaps);
  }

  /** Takes the transition. */
  default void apply(WorldState world) {
    switch (this) {
      case Step(int r, int l) -> {
        LaneState lane = world.lanes.get(r).get(l);
        LaneStepper stepper = new LaneStepper(world, lane);
        stepper.take();
        for (int i = 0; i < MOST_INTERNAL_STEPS && !lane.ended && stepper.internal(); i++) {
          stepper.take();
        }
      }
      case Arrive(int r, int l, int s) -> world.apply(world.lanes.get(r).get(l).stores.remove(s));
      case Place(int r, int l, int peer) -> place(world, world.lanes.get(r).get(l), r, peer);
    }
  }

  private static void place(WorldState world, LaneState lane, int rank, int peer) {
    switch (Objects.requireNonNull(lane.queues.get(peer), "no queue").removeFirst()) {
      case Posted.Write(int buffer, long offset, int length, int toBuffer, long toOffset) ->
          System.arraycopy(
              world.memory[rank][buffer],
              (int) offset,
              world.memory[peer][toBuffer],
              (int) toOffset,
              length);
      case Posted.Read(int buffer, long offset, int length, int fromBuffer, long fromOffset) ->
          System.arraycopy(
              world.memory[peer][fromBuffer],
              (int) fromOffset,
              world.memory[rank][buffer],
              (int) offset,
              length);
      case Posted.Slot(PendingStore store) -> world.apply(store);
      case Posted.ReadBack() -> {}
    }
  }
}
