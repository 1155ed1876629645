package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;

/**
 * What a lane can be told to do, in the language of programs: one branch for each operation, chosen
 * by the lane's first word. Accesses come first, so that every branch behind them is lowered with
 * the edges that it needs whatever was called before.
 *
 * <p>Puts and gets are one-sided calls on contexts of their own: nothing orders them but what the
 * port promises. What was got is there behind a blocking get of nothing on the same context.
 */
enum Operation {
  PUT("put data@(peer)[there] <- data[here] bytes size nb"),
  GET("get data[here] <- data@(peer)[there] bytes size via 1 nb"),
  WRITE("move data[here] <- stage[0] bytes size sync"),
  READ("move stage[0] <- data[here] bytes size sync"),
  PUT_SIGNAL("put data@(peer)[there] <- data[here] bytes size notify S[id] add value nb"),
  PUT_COUNTED("put data@(peer)[there] <- data[here] bytes size counter sent[id * 8] nb"),
  PUT_PACKETS("move data@(peer)[there] packets(value) <- data[here] bytes size sync"),
  TAKE_PACKETS("move data[here] <- data[there] packets(value) bytes size sync"),
  SIGNAL("signal S[id]@(peer) set value release"),
  SIGNAL_BEHIND_PUTS("fence signal S[id]@(peer) set value release"),
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
  TELL("store turns[id * 8] <- value release"),
  TOLD("wait turns[id * 8] reached value acquire"),
  REGISTER("store keys[id] <- value store keys[id + 8] <- here store keys[id + 16] <- here + size"),
  REFUSE("store keys[id] <- 0 set result = 1"),
  LEAVE(""),
  ABORT(""),
  LOOK_ABORT("");

  /** The words that a call fills, in order. */
  static final List<String> WORDS =
      List.of("op", "peer", "there", "here", "size", "id", "value", "result", "done");

  /** Where a lane leaves what it saw, as a register: the epoch stands before its words. */
  static final int RESULT = 1 + WORDS.indexOf("result");

  /** Where a lane says that a call came to its end. */
  static final int DONE = 1 + WORDS.indexOf("done");

  private final String body;
  private final boolean awaits;

  Operation(String body) {
    this.body = body;
    awaits =
        name().startsWith("AWAIT_")
            || name().startsWith("SUM_")
            || List.of("MEET", "MEET_ALL", "TOLD", "TAKE_PACKETS").contains(name());
  }

  /** The operation of that name that compares so: {@code AWAIT}, {@code SUM}, {@code COUNT}. */
  static Operation comparing(String name, Comparison comparison) {
    return valueOf(name + "_" + comparison.name());
  }

  /** Whether no lane does it: the group of the ranks lies outside of the machine. */
  boolean outside() {
    return body.isEmpty();
  }

  /** Whether it looks at a word without waiting. */
  boolean looks() {
    return this == LOOK || this == LOOK_COUNT;
  }

  /** Whether it ends only once somebody has done something: transfers of its own are not that. */
  boolean awaits() {
    return awaits;
  }

  /** Whether another lane's call may end by it that {@link #awaits}. */
  boolean tells() {
    return switch (this) {
      case SIGNAL, SIGNAL_BEHIND_PUTS, PUT_SIGNAL, PUT_PACKETS, ARRIVE, ARRIVE_ALL, TELL -> true;
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
    return this == TELL || this == TOLD;
  }

  private boolean registers() {
    return this == REGISTER || this == REFUSE;
  }

  private boolean meets() {
    return this == ARRIVE_ALL || this == MEET_ALL || this == DRAIN;
  }

  /** The number by which a lane is told to do it; 0 is nothing. */
  @SuppressWarnings("EnumOrdinal") // the form is made from the same order
  int number() {
    return ordinal() + 1;
  }

  /** The lane that can do all that windows in that arena need; those that are given never meet. */
  static String lane(Arena arena, boolean given) {
    List<String> lines = new ArrayList<>();
    boolean one = arena.lanes() == 1;
    lines.add(one ? "lane main: sm(32) {" : "lane main(l < %d): sm(32) {".formatted(arena.lanes()));
    String stage = one ? "stage[0]" : "stage[l * %d]".formatted(arena.stage());
    String packets = arena.packets().map(PacketFormat::spelling).orElse("");
    WORDS.forEach(word -> lines.add("  state " + word));
    for (Operation operation : values()) {
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
