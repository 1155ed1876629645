package dev.oriel.sim.replay;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of faults, with the text form of each. */
@SuppressWarnings("ImmutableEnumChecker") // its lists and functions have no state
public enum FaultKind {
  ABORT("abort", List.of("rank", "after"), v -> new Fault.Abort(v[0], v[1])),
  CRASH("crash", List.of("rank", "after"), v -> new Fault.Crash(v[0], v[1])),
  DEGRADE("degrade", List.of("rank", "peer", "by"), v -> new Fault.Degrade(v[0], v[1], v[2])),
  DELAY(
      "delay",
      List.of("rank", "queue", "after", "by"),
      v -> new Fault.Delay(v[0], v[1], v[2], v[3])),
  FLAP("flap", List.of("rank", "peer", "after", "by"), v -> new Fault.Flap(v[0], v[1], v[2], v[3])),
  LOSE_COMPLETION(
      "lose-completion",
      List.of("rank", "queue", "after"),
      v -> new Fault.LoseCompletion(v[0], v[1], v[2])),
  LOSE_REQUEST(
      "lose-request",
      List.of("rank", "queue", "after", "by"),
      v -> new Fault.LoseRequest(v[0], v[1], v[2], v[3])),
  PROXY_CRASH("proxy-crash", List.of("rank", "after"), v -> new Fault.ProxyCrash(v[0], v[1])),
  PROXY_STRAGGLE("proxy-straggle", List.of("rank", "by"), v -> new Fault.ProxyStraggle(v[0], v[1])),
  QUEUE_ERROR(
      "queue-error", List.of("rank", "peer", "after"), v -> new Fault.QueueError(v[0], v[1], v[2])),
  REFUSE_REGISTRATION(
      "refuse-registration",
      List.of("rank", "after"),
      v -> new Fault.RefuseRegistration(v[0], v[1])),
  STRAGGLE("straggle", List.of("rank", "by"), v -> new Fault.Straggle(v[0], v[1]));

  private final String spelling;
  private final List<String> keys;
  private final Function<int[], Fault> make;

  FaultKind(String spelling, List<String> keys, Function<int[], Fault> make) {
    this.spelling = spelling;
    this.keys = keys;
    this.make = make;
  }

  /** The word that starts a fault of this kind. */
  public String spelling() {
    return spelling;
  }

  /** The names of its numbers, in the order in which they are written. */
  public List<String> keys() {
    return keys;
  }

  /** Whether that number names a rank. */
  public boolean isRank(int position) {
    return keys.get(position).equals("rank") || keys.get(position).equals("peer");
  }

  /** Whether it happens between two ranks, which its first two numbers name. */
  public boolean joinsRanks() {
    return keys.contains("peer");
  }

  /** Whether it happens to a queue, or to those that join two ranks. */
  public boolean isOfQueue() {
    return joinsRanks() || keys.contains("queue");
  }

  /** Whether it happens to a proxy thread, which not every profile has. */
  public boolean isOfProxy() {
    return this == PROXY_CRASH || this == PROXY_STRAGGLE;
  }

  /** Whether programs may meet it: no program's text registers memory. */
  public boolean meetsPrograms() {
    return this != REFUSE_REGISTRATION;
  }

  /** Whether rank code may meet it. */
  public boolean meetsRankCode() {
    return this == CRASH || this == PROXY_CRASH || this == REFUSE_REGISTRATION;
  }

  /** The fault of this kind with those numbers, in the order of {@link #keys}. */
  public Fault of(int... values) {
    return make.apply(values);
  }

  static String known() {
    return Arrays.stream(values()).map(FaultKind::spelling).collect(Collectors.joining(", "));
  }
}
