package dev.oriel.sim.code;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Order;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where PTX lets a lane store before a load that stands in front of it, so that the load may find
 * what hangs on the store. Here a lane ends its loads first, so no execution shows that.
 *
 * <p>Such a load does not wait and acquires nothing, such a store is strong and releases nothing,
 * no fence stands between them, and neither the store nor whether it is made hangs on the load.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LoadBuffering {
  private final Operands operands;
  private final LaneCode code;
  private final int[] ops;

  private final int load;

  /**
   * For each place that was come to: registers, and behind them buffers, that hang on the load
   * whichever way led there.
   */
  private final Map<Integer, BitSet> hanging = new HashMap<>();

  private final Deque<Integer> open = new ArrayDeque<>();

  private LoadBuffering(Operands operands, LaneCode code, int load) {
    this.operands = operands;
    this.code = code;
    this.load = load;
    ops = code.ops();
  }

  /** The first load and store of the world between which nothing stands, in words. */
  public static Optional<String> of(WorldCode world) {
    for (LaneCode code : world.lanes()) {
      int[] ops = code.ops();
      for (int at = 0; at < ops.length; at = code.next(at)) {
        if (loads(ops, at)) {
          int store = new LoadBuffering(world.operands(), code, at).store();
          if (store >= 0) {
            return Optional.of(
                "load buffering: rank=%d, lane=%s: a GPU may do '%s' before '%s', behind which it stands; no execution here does: put order sys between them"
                    .formatted(code.rank(), code.label(), code.text(store), code.text(at)));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean loads(int[] ops, int at) {
    return switch (ops[at]) {
      case Opcode.READ_SLOT -> ops[at + 5] == Order.RELAXED.ordinal();
      case Opcode.RMW -> ops[at + 1] >= 0 && ops[at + 8] == Order.RELAXED.ordinal();
      default -> false;
    };
  }

  /** The place of a store that may come before the load; -1 if none may. */
  private int store() {
    BitSet found = new BitSet();
    found.set(ops[load + 1]);
    come(code.next(load), found);
    while (!open.isEmpty()) {
      int at = open.pop();
      BitSet known = hanging.getOrDefault(at, new BitSet());
      if (stores(at) && !hangs(at, known)) {
        return at;
      }
      goOn(at, known);
    }
    return -1;
  }

  private void come(int at, BitSet hang) {
    BitSet before = hanging.get(at);
    BitSet all = (BitSet) hang.clone();
    if (before != null) {
      all.and(before);
      if (all.equals(before)) {
        return;
      }
    }
    hanging.put(at, all);
    open.push(at);
  }

  private void goOn(int at, BitSet hang) {
    switch (ops[at]) {
      case Opcode.END, Opcode.FENCE -> {}
      case Opcode.JUMP -> come(ops[at + 1], hang);
      case Opcode.UNLESS -> {
        if (!conditions(at, hang)) {
          come(code.next(at), hang);
          come(ops[code.next(at) - 1], hang);
        }
      }
      case Opcode.UNLESS_KIND -> {
        come(code.next(at), hang);
        come(ops[at + 3], hang);
      }
      case Opcode.POLL_SLOT -> comeUnless(any(hang, ops[at + 2], ops[at + 6]), at, hang);
      case Opcode.POLL_WORD -> comeUnless(any(hang, ops[at + 2], ops[at + 4]), at, hang);
      case Opcode.SET -> come(code.next(at), set(hang, ops[at + 1], any(hang, ops[at + 2])));
      case Opcode.STORE ->
          come(code.next(at), any(hang, ops[at + 4]) ? set(hang, buffer(ops[at + 1]), true) : hang);
      case Opcode.LOAD ->
          come(code.next(at), set(hang, ops[at + 1], hang.get(buffer(ops[at + 2]))));
      case Opcode.READ_SLOT -> come(code.next(at), set(hang, ops[at + 1], false));
      case Opcode.RMW -> come(code.next(at), set(hang, ops[at + 1], any(hang, ops[at + 6])));
      default -> come(code.next(at), hang);
    }
  }

  /** How often a lane looks hangs on the load, and so does that it goes on. */
  private void comeUnless(boolean hangs, int at, BitSet hang) {
    if (!hangs) {
      come(code.next(at), hang);
    }
  }

  private int buffer(int number) {
    return code.registers() + number;
  }

  private static BitSet set(BitSet hang, int register, boolean on) {
    if (register < 0 || hang.get(register) == on) {
      return hang;
    }
    BitSet other = (BitSet) hang.clone();
    other.set(register, on);
    return other;
  }

  private boolean conditions(int at, BitSet hang) {
    for (int i = 0; i < ops[at + 1]; i++) {
      int condition = at + 2 + 3 * i;
      if (any(hang, ops[condition + 1], ops[condition + 2])) {
        return true;
      }
    }
    return false;
  }

  private boolean stores(int at) {
    return switch (ops[at]) {
      case Opcode.WRITE_SLOT -> ops[at + 6] == Order.RELAXED.ordinal();
      case Opcode.RMW ->
          ops[at + 5] != Atomic.FETCH.ordinal()
              && ops[at + 8] == Order.RELAXED.ordinal()
              && !sameWord(at);
      default -> false;
    };
  }

  /** A slot that a lane reads is written by others alone. */
  private boolean sameWord(int at) {
    return ops[load] == Opcode.RMW
        && ops[load + 2] == ops[at + 2]
        && operands.same(ops[load + 4], ops[at + 4])
        && ops[load + 3] == ops[at + 3];
  }

  private boolean hangs(int at, BitSet hang) {
    return ops[at] == Opcode.WRITE_SLOT
        ? any(hang, ops[at + 2], ranks(ops[at + 3]), ops[at + 5])
        : any(hang, ranks(ops[at + 3]), ops[at + 4], ops[at + 6], ops[at + 7]);
  }

  /** The operand that names one rank; -1 for a set. */
  private static int ranks(int ranks) {
    return ranks < 0 ? ~ranks : -1;
  }

  private boolean any(BitSet hang, int... some) {
    BitSet read = new BitSet();
    for (int operand : some) {
      if (operand >= 0) {
        operands.registers(operand, read);
      }
    }
    return read.intersects(hang);
  }
}
