package dev.oriel.sim.museum;

import dev.oriel.sim.machine.Feature;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import java.util.function.UnaryOperator;

/**
 * What a simulator may have to model to show a failure, and how ours is told to leave it out. What
 * programs say themselves has no switch: there an exhibit says which words to change.
 */
public enum Need {
  M1("weak stores of a GPU", c -> c.without(Feature.WEAK_STORES)),
  M2("loads that may be stale", c -> c.without(Feature.STALE_LOADS)),
  M3("threads inside a group", c -> c.without(Feature.THREADS)),
  M4("blocks that may be late", c -> c.without(Feature.BLOCKS)),
  M5("queues without common order", c -> c.without(Feature.QUEUES)),
  M6("sent, arrived, visible differ", c -> c.without(Feature.STAGES)),
  M7("completions out of order", UnaryOperator.identity()),
  M8("finite queues and credits", c -> c.with(Profile.unlimited(c.profile()))),
  M9("GPU and interface atomics differ", c -> c.without(Feature.ATOMICITY)),
  M10("finite integers", UnaryOperator.identity()),
  M11("several launches", c -> c.launched(1)),
  M12("streams and host threads", c -> c.without(Feature.HOST_LANES)),
  M13("set-up that fails somewhere", c -> c.with(FaultPlan.NONE)),
  M14("rendezvous in pairs", UnaryOperator.identity()),
  M15("bounds, life, keys of memory", c -> c.without(Kind.BOUNDS)),
  M16("views that differ by rank", UnaryOperator.identity()),
  M17("aborts and deadlines", c -> c.with(Timeouts.NEVER)),
  M18(
      "happens-before for every byte",
      c ->
          c.without(Kind.RACE)
              .without(Kind.WRITERS)
              .without(Kind.OVERWRITE)
              .without(Kind.ATOMICITY)
              .without(Kind.SCOPE)),
  M19("odd worlds and sizes", Conditions::ofTwoRanks),
  M20("who waits for whom", c -> c.without(Kind.DEADLOCK)),
  M21("counting rounds and requests", UnaryOperator.identity());

  private final String text;
  private final UnaryOperator<Conditions> switchedOff;

  Need(String text, UnaryOperator<Conditions> switchedOff) {
    this.text = text;
    this.switchedOff = switchedOff;
  }

  /** What it is, in a few words. */
  public String text() {
    return text;
  }

  /** The same conditions on a simulator without it; they are equal where it has no part in them. */
  Conditions without(Conditions conditions) {
    return switchedOff.apply(conditions);
  }
}
