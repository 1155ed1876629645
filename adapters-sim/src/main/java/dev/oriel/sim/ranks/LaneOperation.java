package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations that a lane can be requested to do, in the language of programs. The lane's form
 * has one branch for each; the lane's first word selects it. Accesses come first: all later
 * branches are then lowered with the ordering they need, whatever was called before.
 *
 * <p>Puts and gets are one-sided calls on contexts of their own: only the port's promises order
 * them. A blocking get of zero bytes on the same context completes all gets before it.
 */
enum LaneOperation {
  PUT("put data@(peer)[there] <- data[here] bytes size nb"),
  GET("get data[here] <- data@(peer)[there] bytes size via 1 nb"),
  WRITE("move data[here] <- stage[0] bytes size sync"),
  READ("move stage[0] <- data[here] bytes size sync"),
  PUT_SIGNAL("put data@(peer)[there] <- data[here] bytes size notify S[id] add value nb"),
  PUT_COUNTED("put data@(peer)[there] <- data[here] bytes size counter sent[id * 8] nb"),
  PUT_PACKETS("move data@(peer)[there] packets(value) <- data[here] bytes size sync"),
  TAKE_PACKETS("move data[here] <- data[there] packets(value) bytes size sync"),
  SIGNAL("signal S[id]@(peer) set value release"),
  SIGNAL_AFTER_PUTS("fence signal S[id]@(peer) set value release"),
  LOOK("read seen <- S[id]@(peer) relaxed set result = seen"),
  AWAIT_EQ("await S[id]@(peer) == value acquire"),
  AWAIT_NE("await S[id]@(peer) != value acquire"),
  AWAIT_LT("await S[id]@(peer) < value acquire"),
  AWAIT_LE("await S[id]@(peer) <= value acquire"),
  AWAIT_GT("await S[id]@(peer) > value acquire"),
  AWAIT_GE("await S[id]@(peer) >= value acquire"),
  AWAIT_REACHED("await S[id]@(peer) reached value acquire"),
  SUM_EQ("await sum S[id]@peers == value acquire"),
  SUM_NE("await sum S[id]@peers != value acquire"),
  SUM_LT("await sum S[id]@peers < value acquire"),
  SUM_LE("await sum S[id]@peers <= value acquire"),
  SUM_GT("await sum S[id]@peers > value acquire"),
  SUM_GE("await sum S[id]@peers >= value acquire"),
  SUM_REACHED("await sum S[id]@peers reached value acquire"),
  LOOK_COUNT("load counted <- sent[id * 8] relaxed set result = counted"),
  COUNT_EQ("wait sent[id * 8] == value acquire"),
  COUNT_NE("wait sent[id * 8] != value acquire"),
  COUNT_LT("wait sent[id * 8] < value acquire"),
  COUNT_LE("wait sent[id * 8] <= value acquire"),
  COUNT_GT("wait sent[id * 8] > value acquire"),
  COUNT_GE("wait sent[id * 8] >= value acquire"),
  COUNT_REACHED("wait sent[id * 8] reached value acquire"),
  FLUSH("flush @(peer) local"),
  FLUSH_GETS("flush @(peer) local get stage[0] <- data@(peer)[0] bytes 0 via 1"),
  QUIET("quiet flush @self local"),
  ARRIVE("signal MEET[id]@(peer) set value release"),
  LOOK_MEET("read seen <- MEET[id]@(peer) relaxed set result = seen"),
  MEET("await MEET[id]@(peer) reached value acquire"),
  DRAIN("quiet quiet via 1 flush @self local"),
  ARRIVE_ALL("signal SETUP[0]@peers set value release"),
  MEET_ALL("await SETUP[0]@peers reached value acquire"),
  TURN_SIGNAL("store turns[id * 8] <- value release"),
  TURN_AWAIT("wait turns[id * 8] reached value acquire"),
  REGISTER("store keys[id] <- value store keys[id + 8] <- here store keys[id + 16] <- here + size"),
  REFUSE("store keys[id] <- 0 set result = 1"),
  LEAVE(""),
  ABORT(""),
  LOOK_ABORT("");

  /** The words that a call fills, in order. */
  static final List<String> WORDS =
      List.of("op", "peer", "there", "here", "size", "id", "value", "result", "done");

  /** The register that holds a call's result. The epoch is the register before the lane's words. */
  static final int RESULT = 1 + WORDS.indexOf("result");

  /** The register that is 1 once a call has completed. */
  static final int DONE = 1 + WORDS.indexOf("done");

  private final String body;
  private final boolean awaits;

  LaneOperation(String body) {
    this.body = body;
    awaits =
        name().startsWith("AWAIT_")
            || name().startsWith("SUM_")
            || List.of("MEET", "MEET_ALL", "TURN_AWAIT", "TAKE_PACKETS").contains(name());
  }

  /**
   * The operation of the family {@code AWAIT}, {@code SUM} or {@code COUNT} with that comparison.
   */
  static LaneOperation comparing(String name, Comparison comparison) {
    return valueOf(name + "_" + comparison.name());
  }

  /** Whether no lane executes it: the group of the ranks is outside the machine. */
  boolean outside() {
    return body.isEmpty();
  }

  /** Whether it reads a word without waiting. */
  boolean polls() {
    return this == LOOK || this == LOOK_COUNT;
  }

  /**
   * Whether it completes only after a step of another agent. Own transfers do not count as such.
   */
  boolean awaits() {
    return awaits;
  }

  /** Whether it may complete a call of another lane that {@link #awaits}. */
  boolean mayWake() {
    return switch (this) {
      case SIGNAL, SIGNAL_AFTER_PUTS, PUT_SIGNAL, PUT_PACKETS, ARRIVE, ARRIVE_ALL, TURN_SIGNAL ->
          true;
      default -> false;
    };
  }

  private boolean counts() {
    return this == PUT_COUNTED || this == LOOK_COUNT || name().startsWith("COUNT_");
  }

  private boolean packs() {
    return this == PUT_PACKETS || this == TAKE_PACKETS;
  }

  private boolean turns() {
    return this == TURN_SIGNAL || this == TURN_AWAIT;
  }

  private boolean registers() {
    return this == REGISTER || this == REFUSE;
  }

  private boolean meets() {
    return this == ARRIVE_ALL || this == MEET_ALL || this == DRAIN;
  }

  /** The number that selects the operation; 0 selects none. */
  @SuppressWarnings("EnumOrdinal") // the form is made from the same order
  int number() {
    return ordinal() + 1;
  }

  /**
   * The lane with every operation that windows in that arena need. Given windows need no collective
   * operations.
   */
  static String lane(RankArena arena, boolean given) {
    List<String> lines = new ArrayList<>();
    boolean one = arena.lanes() == 1;
    lines.add(one ? "lane main: sm(32) {" : "lane main(l < %d): sm(32) {".formatted(arena.lanes()));
    String stage = one ? "stage[0]" : "stage[l * %d]".formatted(arena.stage());
    String packets = arena.packets().map(PacketFormat::spelling).orElse("");
    WORDS.forEach(word -> lines.add("  state " + word));
    for (LaneOperation operation : values()) {
      boolean needed =
          !operation.outside()
              && (arena.counters() > 0 || !operation.counts())
              && (arena.putSignals() || operation != PUT_SIGNAL)
              && (arena.packets().isPresent() || !operation.packs())
              && (!one || !operation.turns())
              && (arena.keys() > 0 || !operation.registers())
              && (!given || !operation.meets());
      if (!needed) {
        continue;
      }
      String body = operation.body.replace("stage[0]", stage).replace("packets(", packets + "(");
      lines.add("  if op == %d { %s }".formatted(operation.number(), body));
    }
    lines.add("  set done = 1");
    lines.add("}");
    return String.join("\n", lines);
  }
}
