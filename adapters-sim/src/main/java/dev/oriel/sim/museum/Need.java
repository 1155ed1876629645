package dev.oriel.sim.museum;

import dev.oriel.sim.machine.Feature;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;

/**
 * What a simulator may have to model to show a failure, and how ours is told to leave it out. What
 * programs say themselves has no switch: there an exhibit says which words to change.
 */
public enum Need {
  M1("weak stores of a GPU"),
  M2("loads that may be stale"),
  M3("threads inside a group"),
  M4("blocks that may be late"),
  M5("queues without common order"),
  M6("sent, arrived, visible differ"),
  M7("completions out of order"),
  M8("finite queues and credits"),
  M9("GPU and interface atomics differ"),
  M10("finite integers"),
  M11("several launches"),
  M12("streams and host threads"),
  M13("set-up that fails somewhere"),
  M14("rendezvous in pairs"),
  M15("bounds, life, keys of memory"),
  M16("views that differ by rank"),
  M17("aborts and deadlines"),
  M18("happens-before for every byte"),
  M19("odd worlds and sizes"),
  M20("who waits for whom"),
  M21("counting rounds and requests");

  private final String text;

  Need(String text) {
    this.text = text;
  }

  /** What it is, in a few words. */
  public String text() {
    return text;
  }

  /** The same conditions on a simulator without it; they are equal where it has no part in them. */
  Conditions without(Conditions c) {
    return switch (this) {
      case M1 -> c.without(Feature.WEAK_STORES);
      case M2 -> c.without(Feature.STALE_LOADS);
      case M3 -> c.without(Feature.THREADS);
      case M4 -> c.without(Feature.BLOCKS);
      case M5 -> c.without(Feature.QUEUES);
      case M6 -> c.without(Feature.STAGES);
      case M8 -> c.with(Profile.unlimited(c.profile()));
      case M9 -> c.without(Feature.ATOMICITY);
      case M11 -> c.launched(1);
      case M12 -> c.without(Feature.HOST_LANES);
      case M13 -> c.with(FaultPlan.NONE);
      case M15 -> c.without(Kind.BOUNDS);
      case M17 -> c.with(Timeouts.NEVER);
      case M18 ->
          c.without(Kind.RACE)
              .without(Kind.WRITERS)
              .without(Kind.OVERWRITE)
              .without(Kind.ATOMICITY)
              .without(Kind.SCOPE);
      case M19 -> c.ofTwoRanks();
      case M20 -> c.without(Kind.DEADLOCK);
      case M7, M10, M14, M16, M21 -> c;
    };
  }
}
