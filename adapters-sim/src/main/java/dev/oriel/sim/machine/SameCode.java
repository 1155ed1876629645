package dev.oriel.sim.machine;

import dev.oriel.domain.program.Combine;
import dev.oriel.sim.code.Instruction;
import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.Opcode;
import dev.oriel.sim.code.Opcode.Request;
import dev.oriel.sim.code.Operands;
import java.util.Arrays;

/**
 * Whether a lane does what another one does once ranks are renamed: instruction by instruction the
 * same, but for the ranks that they name. Ranks must be known before anything runs, and everything
 * else the same for both; so no register and no byte but inputs' depends on a rank.
 */
final class SameCode {
  private static final int PLACE = 5;

  private final Model model;
  private final Operands operands;
  private final int[] rank;
  private final int[] lane;

  /** By the new names of ranks and lanes. */
  SameCode(Model model, int[] rank, int[] lane) {
    this.model = model;
    this.rank = rank;
    this.lane = lane;
    operands = model.code.operands();
  }

  /** Where the lane does something that the lane of its new name does not do; empty if nowhere. */
  String difference(int of) {
    LaneCode code = model.lane(of);
    LaneCode other = model.lane(lane[of]);
    int[] a = code.ops();
    int[] b = other.ops();
    boolean alike =
        a.length == b.length
            && code.registers() == other.registers()
            && code.threads() == other.threads()
            && code.engine().equals(other.engine());
    if (!alike) {
      return "%s and %s differ".formatted(model.laneName(of), model.laneName(lane[of]));
    }
    for (int at = 0; at < a.length; at = Instruction.next(a, at)) {
      if (a[at] != b[at] || !same(a, b, at)) {
        return "'%s' of %s is not '%s' of %s renamed"
            .formatted(code.text(at), model.laneName(of), other.text(at), model.laneName(lane[of]));
      }
    }
    return "";
  }

  /** Instructions that look at bytes, or at words in buffers, are never the same. */
  private boolean same(int[] a, int[] b, int at) {
    return switch (a[at]) {
      case Opcode.BAR, Opcode.CONSIST, Opcode.END -> true;
      case Opcode.JUMP -> raw(a, b, at + 1, 1);
      case Opcode.FENCE -> raw(a, b, at + 1, 2);
      case Opcode.UNLESS, Opcode.CHECK -> conditions(a, b, at + 1);
      case Opcode.UNLESS_KIND -> peer(a[at + 1], b[at + 1]) && raw(a, b, at + 2, 2);
      case Opcode.SET -> raw(a, b, at + 1, 1) && values(a, b, at + 2);
      case Opcode.COPY -> copy(a, b, at);
      case Opcode.WRITE_SLOT ->
          raw(a, b, at + 1, 1)
              && values(a, b, at + 2)
              && ranks(a[at + 3], b[at + 3])
              && raw(a, b, at + 4, 1)
              && values(a, b, at + 5)
              && raw(a, b, at + 6, 2);
      case Opcode.POLL_SLOT ->
          raw(a, b, at + 1, 1)
              && values(a, b, at + 2)
              && inOrder(a[at + 3], b[at + 3])
              && raw(a, b, at + 4, 2)
              && values(a, b, at + 6)
              && raw(a, b, at + 7, 2);
      case Opcode.READ_SLOT ->
          raw(a, b, at + 1, 2)
              && values(a, b, at + 3)
              && ranks(a[at + 4], b[at + 4])
              && raw(a, b, at + 5, 2);
      case Opcode.AWAIT_LANES -> members(a[at + 1], b[at + 1], lane);
      case Opcode.AWAIT_QUEUE -> peer(a[at + 1], b[at + 1]) && values(a, b, at + 2);
      case Opcode.STORE ->
          raw(a, b, at + 1, 1)
              && values(a, b, at + 2)
              && raw(a, b, at + 3, 1)
              && values(a, b, at + 4);
      case Opcode.POST ->
          raw(a, b, at + 1, 1)
              && peer(a[at + 2], b[at + 2])
              && values(a, b, at + 3)
              && raw(a, b, at + 4, 2)
              && request(a, b, at + 1, at + 6);
      default -> false;
    };
  }

  private boolean request(int[] a, int[] b, int kind, int at) {
    return switch (a[kind]) {
      case Request.WRITE, Request.READ -> transfer(a, b, at);
      case Request.SLOT -> slot(a, b, at) && raw(a, b, at + 4, 2);
      case Request.WRITE_AND_SIGNAL -> transfer(a, b, at) && slot(a, b, at + 5);
      case Request.READ_BACK, Request.ARRANGE -> true;
      default -> false;
    };
  }

  private boolean transfer(int[] a, int[] b, int at) {
    return raw(a, b, at, 1)
        && values(a, b, at + 1)
        && raw(a, b, at + 2, 1)
        && values(a, b, at + 3)
        && values(a, b, at + 4);
  }

  private boolean slot(int[] a, int[] b, int at) {
    return raw(a, b, at, 1) && values(a, b, at + 1) && raw(a, b, at + 2, 1) && values(a, b, at + 3);
  }

  private boolean conditions(int[] a, int[] b, int at) {
    boolean same = a[at] == b[at];
    int p = at + 1;
    for (int i = 0; same && i < a[at]; i++, p += 3) {
      same = raw(a, b, p, 1) && values(a, b, p + 1) && values(a, b, p + 2);
    }
    return same && raw(a, b, p, 1);
  }

  private boolean copy(int[] a, int[] b, int at) {
    boolean same =
        values(a, b, at + 1)
            && model.code.combineAt(a[at + 2]) instanceof Combine.Copy
            && model.code.combineAt(b[at + 2]) instanceof Combine.Copy
            && raw(a, b, at + 3, 1);
    int place = at + 4;
    for (int side = 0; same && side < 2; side++) {
      int count = a[side == 0 ? at + 3 : place];
      same = side == 0 || (raw(a, b, place, 1) && count == 1);
      place += side;
      for (int i = 0; same && i < count; i++, place += PLACE) {
        same =
            raw(a, b, place, 1)
                && ranks(a[place + 1], b[place + 1])
                && values(a, b, place + 2)
                && a[place + 3] < 0
                && b[place + 3] < 0;
      }
    }
    return same;
  }

  private static boolean raw(int[] a, int[] b, int at, int count) {
    return Arrays.equals(a, at, at + count, b, at, at + count);
  }

  private boolean values(int[] a, int[] b, int at) {
    return operands.same(a[at], b[at]);
  }

  private boolean peer(int a, int b) {
    int from = operands.known(a, -1);
    int to = operands.known(b, -1);
    return from >= 0 && from < rank.length && to == rank[from];
  }

  private boolean ranks(int a, int b) {
    if (a < 0 || b < 0) {
      return a < 0 && b < 0 && peer(~a, ~b);
    }
    return members(a, b, rank);
  }

  /** Awaits count what they take one by one, so the order in which they go through ranks counts. */
  private boolean inOrder(int a, int b) {
    if (a < 0 || b < 0) {
      return ranks(a, b);
    }
    int[] renamed = Arrays.stream(model.code.members(a)).map(m -> rank[m]).toArray();
    return Arrays.equals(renamed, model.code.members(b));
  }

  private boolean members(int a, int b, int[] names) {
    int[] renamed = Arrays.stream(model.code.members(a)).map(m -> names[m]).sorted().toArray();
    return Arrays.equals(renamed, Arrays.stream(model.code.members(b)).sorted().toArray());
  }
}
