package dev.oriel.sim.code;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Scope;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The strong loads of one lane, each with the strong stores that the lane may execute after it. PTX
 * lets a lane store before such a load, unless the store, or the decision to execute it, depends on
 * the load.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class LoadStorePairs {
  static final long ANY = -1;
  private static final int CTA = Scope.CTA.ordinal();
  private static final int SYS = Scope.SYS.ordinal();
  private static final int NO_FENCE = SYS + 1;

  /** A path ends where the lane waits for its issued updates. */
  private static final int FLUSH = NO_FENCE + 1;

  /** Strict fences have one total order, as if each of them changed one common word. */
  private static final Place STRICT = new Place(true, -1, 0, 0, 0);

  /**
   * The place of an access; {@link #ANY} where it is known only at execution.
   *
   * @param kind a signal, or a buffer
   * @param at a slot's index, or a word's offset
   */
  record Place(boolean slot, int kind, long owner, long source, long at) {
    boolean strictFence() {
      return kind < 0;
    }

    boolean meets(Place other) {
      long apart = slot ? 1 : Long.BYTES;
      return slot == other.slot
          && kind == other.kind
          && (owner == ANY || other.owner == ANY || owner == other.owner)
          && (source == ANY || other.source == ANY || source == other.source)
          && (at == ANY || other.at == ANY || Math.abs(at - other.at) < apart);
    }
  }

  /**
   * A strong access.
   *
   * @param orders whether a load acquires, or a store releases
   */
  record Access(Place place, boolean orders, int scope) {}

  /**
   * A load and a later store; a strict fence counts as a load, a store, or both.
   *
   * @param independent whether the store may be executed whatever the load reads
   * @param unfenced for each scope: whether a path from the load to the store has no fence of that
   *     scope or a wider one
   */
  record Pair(int lane, Access load, Access store, boolean independent, BitSet unfenced) {}

  /** A pair with the places in the code at which it was first found. */
  record Found(Pair pair, int load, int store) {}

  private final OperandTable operands;
  private final LaneInstructions code;
  private final int lane;
  private final int[] ops;

  /** The current load, and the scope of fences that end a path. */
  private int load;

  private int fence;

  /** Places that were reached on a path that the load decided. */
  private final BitSet decided = new BitSet();

  /**
   * For each place that was reached on another path: registers, and after them buffers, that depend
   * on the load on any such path.
   */
  private final Map<Integer, BitSet> depending = new HashMap<>();

  private final Deque<Integer> open = new ArrayDeque<>();

  /** Stores that were reached, and those of them that do not depend on the load. */
  private final BitSet stores = new BitSet();

  private final BitSet independent = new BitSet();

  LoadStorePairs(OperandTable operands, LaneInstructions code, int lane) {
    this.operands = operands;
    this.code = code;
    this.lane = lane;
    ops = code.ops();
  }

  /** Whether some store of the lane does not depend on a load before it. */
  boolean anyIndependent() {
    for (int at = 0; at < ops.length; at = code.next(at)) {
      if (loads(at) && !waits(at) && !strictFence(at)) {
        explore(at, NO_FENCE);
        if (!independent.isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /** All distinct pairs, except those that late updates already show. */
  Collection<Found> all() {
    Map<Pair, Found> found = new LinkedHashMap<>();
    for (int at = 0; at < ops.length; at = code.next(at)) {
      if (loads(at)) {
        pairs(at, found);
      }
    }
    return found.values();
  }

  private void pairs(int at, Map<Pair, Found> into) {
    BitSet[] unfenced = new BitSet[FLUSH + 1];
    BitSet free = new BitSet();
    for (int scope = 0; scope <= FLUSH; scope++) {
      explore(at, scope);
      unfenced[scope] = (BitSet) stores.clone();
      free = scope == NO_FENCE ? (BitSet) independent.clone() : free;
    }
    BitSet all = unfenced[NO_FENCE];
    for (int store = all.nextSetBit(0); store >= 0; store = all.nextSetBit(store + 1)) {
      BitSet scopes = new BitSet();
      for (int scope = 0; scope < NO_FENCE; scope++) {
        scopes.set(scope, unfenced[scope].get(store));
      }
      if (!executed(at, store, unfenced[FLUSH].get(store))) {
        Pair pair = new Pair(lane, loadOf(at), storeOf(store), free.get(store), scopes);
        into.putIfAbsent(pair, new Found(pair, at, store));
      }
    }
  }

  /**
   * An update without a result is issued, and takes effect later. So an execution shows it after a
   * store that the lane executes without waiting for the update.
   */
  private boolean executed(int at, int store, boolean unflushed) {
    return issued(at) && unflushed && passes(store);
  }

  private boolean issued(int at) {
    return ops[at] == LaneOpcode.RMW && AccessOrders.posted(ops, at);
  }

  /** Whether the lane can take that step while the update at {@code load} is pending. */
  private boolean passes(int at) {
    return switch (ops[at]) {
      case LaneOpcode.JUMP, LaneOpcode.UNLESS, LaneOpcode.UNLESS_KIND, LaneOpcode.SET -> true;
      case LaneOpcode.POLL_SLOT, LaneOpcode.READ_SLOT -> true;
      case LaneOpcode.WRITE_SLOT -> !AccessOrders.releases(ops[at + 6]);
      case LaneOpcode.FENCE -> ops[at + 1] <= CTA && !strictFence(at);
      case LaneOpcode.POLL_WORD -> !loadOf(at).place().meets(loadOf(load).place());
      case LaneOpcode.RMW ->
          !AccessOrders.releases(ops[at + 8]) && !loadOf(at).place().meets(loadOf(load).place());
      default -> false;
    };
  }

  private boolean loads(int at) {
    return switch (ops[at]) {
      case LaneOpcode.READ_SLOT, LaneOpcode.POLL_SLOT, LaneOpcode.POLL_WORD -> true;
      case LaneOpcode.RMW -> ops[at + 1] >= 0 || ops[at + 5] != Atomic.SET.ordinal();
      default -> strictFence(at);
    };
  }

  private boolean strictFence(int at) {
    return ops[at] == LaneOpcode.FENCE && ops[at + 2] == 1;
  }

  private boolean waits(int at) {
    return ops[at] == LaneOpcode.POLL_SLOT || ops[at] == LaneOpcode.POLL_WORD;
  }

  private Access loadOf(int at) {
    int self = code.rank();
    return switch (ops[at]) {
      case LaneOpcode.READ_SLOT -> {
        Place place = slot(ops[at + 2], self, one(ops[at + 4]), ops[at + 3]);
        yield new Access(place, AccessOrders.acquires(ops[at + 5]), ops[at + 6]);
      }
      case LaneOpcode.POLL_SLOT -> {
        Place place = slot(ops[at + 1], self, one(ops[at + 3]), ops[at + 2]);
        yield new Access(place, AccessOrders.acquires(ops[at + 7]), ops[at + 8]);
      }
      case LaneOpcode.POLL_WORD -> {
        Place place = word(ops[at + 1], self, ops[at + 2]);
        yield new Access(place, AccessOrders.acquires(ops[at + 5]), ops[at + 6]);
      }
      case LaneOpcode.FENCE -> new Access(STRICT, true, ops[at + 1]);
      default -> {
        Place place = word(ops[at + 2], one(ops[at + 3]), ops[at + 4]);
        yield new Access(place, AccessOrders.acquires(ops[at + 8]), ops[at + 9]);
      }
    };
  }

  private Access storeOf(int at) {
    if (ops[at] == LaneOpcode.FENCE) {
      return new Access(STRICT, true, ops[at + 1]);
    }
    if (ops[at] == LaneOpcode.WRITE_SLOT) {
      Place place = slot(ops[at + 1], one(ops[at + 3]), code.rank(), ops[at + 2]);
      return new Access(place, AccessOrders.releases(ops[at + 6]), ops[at + 7]);
    }
    Place place = word(ops[at + 2], one(ops[at + 3]), ops[at + 4]);
    return new Access(place, AccessOrders.releases(ops[at + 8]), ops[at + 9]);
  }

  private Place slot(int signal, long owner, long source, int index) {
    return new Place(true, signal, owner, source, operands.always(index, ANY));
  }

  private Place word(int buffer, long owner, int offset) {
    return new Place(false, buffer, owner, ANY, operands.always(offset, ANY));
  }

  private long one(int ranks) {
    return ranks < 0 ? operands.always(~ranks, ANY) : ANY;
  }

  private void explore(int from, int scope) {
    load = from;
    fence = scope;
    decided.clear();
    depending.clear();
    stores.clear();
    independent.clear();
    BitSet none = new BitSet();
    if (waits(from)) {
      decide(code.next(from));
    } else {
      come(code.next(from), strictFence(from) ? none : set(none, result(from), true));
    }
    while (!open.isEmpty()) {
      int at = open.pop();
      boolean free = depending.containsKey(at);
      BitSet known = depending.getOrDefault(at, none);
      if (stores(at)) {
        stores.set(at);
        independent.set(at, independent.get(at) || (free && independent(at, known)));
      }
      if (free) {
        goOn(at, known);
      }
      if (decided.get(at)) {
        follow(at);
      }
    }
  }

  private boolean independent(int at, BitSet known) {
    return !strictFence(load) && !strictFence(at) && !sameWord(at) && !depends(at, known);
  }

  private int result(int at) {
    return ops[at + 1];
  }

  private void decide(int at) {
    if (!decided.get(at)) {
      decided.set(at);
      open.push(at);
    }
  }

  private void come(int at, BitSet depends) {
    BitSet before = depending.get(at);
    BitSet all = (BitSet) depends.clone();
    if (before != null) {
      all.and(before);
      if (all.equals(before)) {
        return;
      }
    }
    depending.put(at, all);
    open.push(at);
  }

  private boolean ends(int at) {
    boolean fenced = ops[at] == LaneOpcode.FENCE && ops[at + 1] >= fence;
    return ops[at] == LaneOpcode.END || fenced || (fence == FLUSH && issued(load) && !passes(at));
  }

  /** On a path that the load decided, everything depends on the load. */
  private void follow(int at) {
    if (ends(at)) {
      return;
    }
    switch (ops[at]) {
      case LaneOpcode.JUMP -> decide(ops[at + 1]);
      case LaneOpcode.UNLESS -> {
        decide(code.next(at));
        decide(ops[code.next(at) - 1]);
      }
      case LaneOpcode.UNLESS_KIND -> {
        decide(code.next(at));
        decide(ops[at + 3]);
      }
      default -> decide(code.next(at));
    }
  }

  private void goOn(int at, BitSet depends) {
    if (ends(at)) {
      return;
    }
    switch (ops[at]) {
      case LaneOpcode.JUMP -> come(ops[at + 1], depends);
      case LaneOpcode.UNLESS -> {
        if (conditions(at, depends)) {
          decide(code.next(at));
          decide(ops[code.next(at) - 1]);
        } else {
          come(code.next(at), depends);
          come(ops[code.next(at) - 1], depends);
        }
      }
      case LaneOpcode.UNLESS_KIND -> {
        come(code.next(at), depends);
        come(ops[at + 3], depends);
      }
      case LaneOpcode.POLL_SLOT -> wait(any(depends, ops[at + 2], ops[at + 6]), at, depends);
      case LaneOpcode.POLL_WORD -> wait(any(depends, ops[at + 2], ops[at + 4]), at, depends);
      case LaneOpcode.SET ->
          come(code.next(at), set(depends, ops[at + 1], any(depends, ops[at + 2])));
      case LaneOpcode.STORE ->
          come(
              code.next(at),
              any(depends, ops[at + 4]) ? set(depends, buffer(ops[at + 1]), true) : depends);
      case LaneOpcode.LOAD ->
          come(code.next(at), set(depends, ops[at + 1], depends.get(buffer(ops[at + 2]))));
      case LaneOpcode.READ_SLOT -> come(code.next(at), set(depends, ops[at + 1], false));
      case LaneOpcode.RMW ->
          come(code.next(at), set(depends, ops[at + 1], any(depends, ops[at + 6])));
      default -> come(code.next(at), depends);
    }
  }

  /**
   * The number of polls of a lane may depend on the load; then its continuation depends on it, too.
   */
  private void wait(boolean depends, int at, BitSet before) {
    if (depends) {
      decide(code.next(at));
    } else {
      come(code.next(at), before);
    }
  }

  private int buffer(int number) {
    return code.registers() + number;
  }

  private static BitSet set(BitSet depends, int register, boolean on) {
    if (register < 0 || depends.get(register) == on) {
      return depends;
    }
    BitSet other = (BitSet) depends.clone();
    other.set(register, on);
    return other;
  }

  private boolean conditions(int at, BitSet depends) {
    for (int i = 0; i < ops[at + 1]; i++) {
      int condition = at + 2 + 3 * i;
      if (any(depends, ops[condition + 1], ops[condition + 2])) {
        return true;
      }
    }
    return false;
  }

  private boolean stores(int at) {
    return ops[at] == LaneOpcode.WRITE_SLOT
        || (ops[at] == LaneOpcode.RMW && ops[at + 5] != Atomic.FETCH.ordinal())
        || strictFence(at);
  }

  /** A store to the word that the load reads comes after it; only other ranks write a slot. */
  private boolean sameWord(int at) {
    if (ops[at] != LaneOpcode.RMW) {
      return false;
    }
    int word = ops[load] == LaneOpcode.POLL_WORD ? 1 : 2;
    int offset = ops[load] == LaneOpcode.POLL_WORD ? 2 : 4;
    boolean words = ops[load] == LaneOpcode.RMW || ops[load] == LaneOpcode.POLL_WORD;
    return words
        && ops[load + word] == ops[at + 2]
        && operands.same(ops[load + offset], ops[at + 4])
        && (ops[load] == LaneOpcode.RMW
            ? ops[load + 3] == ops[at + 3]
            : one(ops[at + 3]) == code.rank());
  }

  private boolean depends(int at, BitSet known) {
    return ops[at] == LaneOpcode.WRITE_SLOT
        ? any(known, ops[at + 2], ranks(ops[at + 3]), ops[at + 5])
        : any(known, ranks(ops[at + 3]), ops[at + 4], ops[at + 6], ops[at + 7]);
  }

  /** The operand that names one rank; -1 for a set. */
  private static int ranks(int ranks) {
    return ranks < 0 ? ~ranks : -1;
  }

  private boolean any(BitSet depends, int... some) {
    BitSet read = new BitSet();
    for (int operand : some) {
      if (operand >= 0) {
        operands.registers(operand, read);
      }
    }
    return read.intersects(depends);
  }
}
