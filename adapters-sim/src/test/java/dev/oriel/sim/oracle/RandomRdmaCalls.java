package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random description of lanes that reach each other over RDMA only, as data and as a program.
 *
 * @param lanes all lanes, those of one rank next to each other
 */
record RandomRdmaCalls(int world, int lanesOfRank, List<List<Call>> lanes) {
  /** Words of a rank: two of {@code box}, to which others put, two flags, two of its own. */
  static final int WORDS = 6;

  static final int FLAG = 2;
  static final int MINE = 4;
  private static final List<String> BUFFERS = List.of("box", "flag", "mine");

  /** Slots of a source rank at a rank: those of signals, and of notifications. */
  static final int SLOTS = 3;

  static final int NOTIFIED = 2;

  enum Kind {
    PUT,
    GET,
    MOVE,
    ATOMIC,
    SIGNAL,
    FENCE,
    QUIET,
    FLUSH,
    WAIT,
    AWAIT,
    READ,
    LOAD,
    STORE,
    ORDER
  }

  /** How a call changes a word. */
  enum Change {
    SET,
    ADD,
    CAS,
    FETCH
  }

  /**
   * One operation of a lane.
   *
   * @param peer the rank that it reaches or observes; its own rank for accesses of own words
   * @param word of that rank, or a slot
   * @param own a word of own memory that a call reads or fills; -1 for none
   * @param value the value that is written, added or awaited
   * @param strong of an access, whether it has an order; of a signal, an await and the like,
   *     whether that is release or acquire
   * @param ordered of a strong access, whether its order is release or acquire
   * @param exact whether a wait accepts only that value
   * @param notifies a value for the notified slot; 0 for none
   * @param register the register that receives the value read; -1 for none
   */
  record Call(
      Kind kind,
      int peer,
      int word,
      int own,
      Change change,
      int value,
      boolean strong,
      boolean ordered,
      boolean exact,
      boolean sc,
      boolean system,
      int via,
      boolean nb,
      int notifies,
      int register) {

    boolean waits() {
      return kind == Kind.WAIT || kind == Kind.AWAIT;
    }

    boolean satisfied(long found) {
      return exact ? found == value : found >= value;
    }

    private static String name(int word) {
      return BUFFERS.get(word / 2);
    }

    private static String at(int word) {
      return "[%d]".formatted(8 * (word % 2));
    }

    private String stream() {
      return (via > 0 ? " via " + via : "") + (nb ? " nb" : "");
    }

    private String slot() {
      return word == NOTIFIED ? "N[0]" : "S[%d]".formatted(word);
    }

    private String changing() {
      return switch (change) {
        case SET -> "set " + value;
        case ADD -> "add " + value;
        case CAS -> "cas %d, %d".formatted(value - 1, value);
        case FETCH -> "fetch";
      };
    }

    String text() {
      String there = name(word) + "@" + peer + at(word);
      String here = own < 0 ? "" : name(own) + at(own);
      String acquire = ordered ? "acquire" : "relaxed";
      String comparison = exact ? "==" : ">=";
      return switch (kind) {
        case PUT ->
            "put %s <- %s bytes 8%s%s"
                .formatted(
                    there, here, notifies > 0 ? " notify N[0] set " + notifies : "", stream());
        case MOVE -> "move %s <- %s bytes 8".formatted(there, here);
        case GET -> "get %s <- %s bytes 8%s".formatted(here, there, stream());
        case ATOMIC ->
            "atomic %s%s %s%s".formatted(own < 0 ? "" : here + " <- ", there, changing(), stream());
        case SIGNAL ->
            "signal %s@%d set %d %s"
                .formatted(slot(), peer, value, ordered ? "release" : "relaxed");
        case FENCE -> "fence" + stream();
        case QUIET -> "quiet" + stream();
        case FLUSH -> "flush @%d %s".formatted(peer, strong ? "remote" : "local");
        case WAIT ->
            "wait %s%s %s %d %s".formatted(name(word), at(word), comparison, value, acquire);
        case AWAIT -> "await %s@%d %s %d %s".formatted(slot(), peer, comparison, value, acquire);
        case READ -> "read x%d <- %s@%d %s".formatted(register, slot(), peer, acquire);
        case LOAD ->
            "load x%d <- %s%s%s"
                .formatted(register, name(word), at(word), strong ? " " + acquire : "");
        case STORE ->
            "store %s%s <- %d%s"
                .formatted(
                    name(word), at(word), value, strong ? ordered ? " release" : " relaxed" : "");
        case ORDER -> "order%s %s".formatted(sc ? " sc" : "", system ? "sys" : "gpu");
      };
    }
  }

  int rank(int lane) {
    return lane / lanesOfRank;
  }

  String program() {
    StringBuilder text = new StringBuilder("form drawn\n");
    BUFFERS.forEach(name -> text.append("scratch %s[16]\n".formatted(name)));
    text.append("signal S[2]\nsignal N[1]\n");
    for (int l = 0; l < lanesOfRank; l++) {
      text.append("lane l%d: host {\n".formatted(l));
      for (int r = 0; r < world; r++) {
        text.append("  if r == %d {\n".formatted(r));
        lanes
            .get(r * lanesOfRank + l)
            .forEach(call -> text.append("    ").append(call.text()).append('\n'));
        text.append("  }\n");
      }
      text.append("}\n");
    }
    return text.toString();
  }

  /** The same without one operation of a lane. */
  RandomRdmaCalls without(int lane, int call) {
    List<List<Call>> less = new ArrayList<>(lanes);
    List<Call> calls = new ArrayList<>(lanes.get(lane));
    calls.remove(call);
    less.set(lane, List.copyOf(calls));
    return new RandomRdmaCalls(world, lanesOfRank, List.copyOf(less));
  }

  /** Draws a description of at most about that many operations. */
  static RandomRdmaCalls draw(SplittableRandom random, int steps) {
    return new Drawing(random).draw(steps);
  }

  private static final class Drawing {
    private final SplittableRandom random;
    private final int world;
    private final int lanesOfRank;
    private final List<List<Call>> lanes = new ArrayList<>();
    private int registers;
    private int left;

    /** How often the order of an access or a scope is weaker than the usual one. */
    private final int weak;

    Drawing(SplittableRandom random) {
      this.random = random;
      world = below(4) == 0 ? 3 : 2;
      lanesOfRank = world == 2 && below(5) == 0 ? 2 : 1;
      weak = 2 + below(6);
      for (int l = 0; l < world * lanesOfRank; l++) {
        lanes.add(new ArrayList<>());
      }
    }

    RandomRdmaCalls draw(int steps) {
      left = 3 + below(steps - 2);
      while (left > 0) {
        int from = below(3) > 0 ? 0 : below(lanes.size());
        int to = below(lanes.size());
        if (rank(to) != rank(from) && below(5) < 2) {
          send(from, to);
        } else if (rank(to) != rank(from) && one(4)) {
          contend(from, to);
        } else if (rank(to) != rank(from) && one(12)) {
          cross(from, to);
          cross(to, from);
        } else if (rank(to) == rank(from) && to != from && below(3) == 0) {
          meet(from, to);
        } else {
          add(from, any(from));
        }
      }
      return new RandomRdmaCalls(world, lanesOfRank, lanes.stream().map(List::copyOf).toList());
    }

    private int below(int bound) {
      return random.nextInt(bound);
    }

    private int rank(int lane) {
      return lane / lanesOfRank;
    }

    private boolean one(int in) {
      return below(in) == 0;
    }

    private boolean ordered() {
      return !one(weak);
    }

    private int via() {
      return one(5) ? 1 : 0;
    }

    private int other(int rank) {
      return (rank + 1 + below(world - 1)) % world;
    }

    private void add(int lane, Call call) {
      if (registers < 9 || call.register() < 0) {
        left--;
        lanes.get(lane).add(call);
      }
    }

    /** One lane sends something to another rank, whose lane continues after it has observed it. */
    private void send(int from, int to) {
      int peer = rank(to);
      int way = below(4);
      int word = below(2);
      int value = 1 + below(2);
      if (one(2)) {
        add(from, store(RandomRdmaCalls.MINE + below(2), value, false, false));
      }
      if (way == 3) {
        add(from, put(peer, word, RandomRdmaCalls.MINE + below(2), via(), one(2), value));
        add(to, hear(Kind.AWAIT, rank(from), RandomRdmaCalls.NOTIFIED, value));
      } else {
        if (!one(4)) {
          add(from, moved(peer, word));
        }
        if (!one(3)) {
          add(
              from,
              one(2)
                  ? simple(Kind.FENCE, via())
                  : one(3) ? order() : one(2) ? any(from) : quiet(peer));
        }
        if (way == 0) {
          int slot = below(2);
          boolean weakly = one(6);
          if (weakly) {
            add(from, quiet(peer));
            add(from, order(one(4)));
          }
          add(from, signal(peer, slot, value, !weakly && ordered()));
          if (one(8)) {
            add(from, signal(peer, slot, ++value, false));
          }
          add(to, hear(Kind.AWAIT, rank(from), slot, value));
        } else {
          Call change = atomic(peer, -1);
          add(from, change);
          int third = 3 - peer - rank(from);
          if (world == 3 && one(3)) {
            replace(from, third, peer, change.word());
          }
          add(to, hear(Kind.WAIT, rank(to), change.word(), value));
        }
      }
      if (!one(4)) {
        add(to, one(4) ? any(to) : load(one(4) ? below(RandomRdmaCalls.WORDS) : word, one(8)));
      }
    }

    /** Changes of one flag, which a lane of its rank reads. */
    private void contend(int from, int to) {
      int peer = rank(to);
      int flag = RandomRdmaCalls.FLAG + below(2);
      add(from, atomic(peer, flag, one(3) ? RandomRdmaCalls.MINE + below(2) : -1));
      if (one(2)) {
        add(from, one(2) ? simple(Kind.FENCE, via()) : any(from));
      }
      int again = one(2) ? from : below(lanes.size());
      if (rank(again) != peer) {
        add(again, atomic(peer, flag, one(3) ? RandomRdmaCalls.MINE + below(2) : -1));
      }
      add(to, one(2) ? load(flag, true) : hear(Kind.WAIT, peer, flag, 1 + below(2)));
      if (!one(3)) {
        add(to, one(2) ? load(flag, true) : any(to));
      }
    }

    /** One lane changes a flag of the other lane's rank, and reads a flag of its own. */
    private void cross(int from, int to) {
      Call change = atomic(rank(to), -1);
      add(from, change);
      add(from, simple(Kind.QUIET, one(8) ? via() : change.via()));
      add(from, order(!one(5)));
      add(from, load(RandomRdmaCalls.FLAG + below(2), true));
    }

    /** Another rank changes a flag too, after a signal that the first change has ended. */
    private void replace(int from, int third, int peer, int flag) {
      int slot = below(2);
      add(from, simple(Kind.QUIET, one(8) ? 1 : 0));
      add(from, signal(third, slot, 1, one(2)));
      add(third, hear(Kind.AWAIT, rank(from), slot, 1));
      add(third, atomic(peer, flag, one(3) ? RandomRdmaCalls.MINE + below(2) : -1));
    }

    /** Two lanes of a rank synchronise through a flag of their own. */
    private void meet(int from, int to) {
      int flag = RandomRdmaCalls.FLAG + below(2);
      int value = 1 + below(2);
      add(from, store(flag, value, true, ordered()));
      add(to, hear(Kind.WAIT, rank(to), flag, value));
      if (!one(3)) {
        add(to, any(to));
      }
    }

    private Call moved(int peer, int word) {
      int own = RandomRdmaCalls.MINE + below(2);
      return one(5) ? move(peer, word, own) : put(peer, word, own, via(), !one(3), 0);
    }

    private Call any(int lane) {
      int me = rank(lane);
      int peer = other(me);
      int own = RandomRdmaCalls.MINE + below(2);
      int word = below(2);
      return switch (below(16)) {
        case 0, 1 -> put(peer, word, own, via(), !one(3), one(6) ? 1 + below(2) : 0);
        case 2 -> move(peer, word, own);
        case 3 -> get(peer, one(6) ? RandomRdmaCalls.FLAG + word : word, own);
        case 4, 5 -> atomic(peer, one(2) ? own : -1);
        case 6 -> signal(peer, word, 1 + below(2), ordered());
        case 7 -> simple(Kind.FENCE, via());
        case 8 -> quiet(peer);
        case 9 ->
            one(4)
                ? hear(Kind.WAIT, me, RandomRdmaCalls.FLAG + word, 1 + below(2))
                : load(RandomRdmaCalls.FLAG + word, true);
        case 10 -> hear(Kind.READ, peer, below(RandomRdmaCalls.SLOTS), 0);
        case 11 -> load(RandomRdmaCalls.FLAG + word, !one(8));
        case 12 -> load(below(RandomRdmaCalls.WORDS), one(10));
        case 13 -> store(one(3) ? word : own, 1 + below(3), false, false);
        case 14 ->
            one(6)
                ? store(RandomRdmaCalls.FLAG + word, 1 + below(2), true, ordered())
                : store(own, 1 + below(3), false, false);
        default -> order();
      };
    }

    private Call call(Kind kind, int peer, int word, int own, int value) {
      return new Call(
          kind,
          peer,
          word,
          own,
          Change.SET,
          value,
          false,
          false,
          false,
          false,
          false,
          0,
          false,
          0,
          -1);
    }

    private Call put(int peer, int word, int own, int via, boolean nb, int notifies) {
      return new Call(
          Kind.PUT,
          peer,
          word,
          own,
          Change.SET,
          0,
          false,
          false,
          false,
          false,
          false,
          via,
          nb,
          notifies,
          -1);
    }

    private Call move(int peer, int word, int own) {
      return call(Kind.MOVE, peer, word, own, 0);
    }

    private Call get(int peer, int word, int own) {
      return new Call(
          Kind.GET,
          peer,
          word,
          own,
          Change.SET,
          0,
          false,
          false,
          false,
          false,
          false,
          via(),
          one(2),
          0,
          -1);
    }

    private Call atomic(int peer, int own) {
      return atomic(peer, RandomRdmaCalls.FLAG + below(2), own);
    }

    private Call atomic(int peer, int flag, int own) {
      Change change =
          switch (below(own < 0 ? 5 : 6)) {
            case 0, 1 -> Change.SET;
            case 2, 3 -> Change.ADD;
            case 4 -> Change.CAS;
            default -> Change.FETCH;
          };
      return new Call(
          Kind.ATOMIC,
          peer,
          flag,
          own,
          change,
          1 + below(2),
          false,
          false,
          false,
          false,
          false,
          via(),
          own >= 0 && one(2),
          0,
          -1);
    }

    private Call signal(int peer, int slot, int value, boolean ordered) {
      return new Call(
          Kind.SIGNAL,
          peer,
          slot,
          -1,
          Change.SET,
          value,
          true,
          ordered,
          false,
          false,
          false,
          0,
          false,
          0,
          -1);
    }

    private Call simple(Kind kind, int via) {
      return new Call(
          kind, 0, 0, -1, Change.SET, 0, false, false, false, false, true, via, false, 0, -1);
    }

    private Call quiet(int peer) {
      if (!one(4)) {
        return simple(Kind.QUIET, via());
      }
      return new Call(
          Kind.FLUSH,
          peer,
          0,
          -1,
          Change.SET,
          0,
          one(2),
          false,
          false,
          false,
          false,
          0,
          false,
          0,
          -1);
    }

    private Call order() {
      return order(one(3));
    }

    private Call order(boolean strict) {
      return new Call(
          Kind.ORDER,
          0,
          0,
          -1,
          Change.SET,
          0,
          false,
          false,
          false,
          strict,
          !one(4),
          0,
          false,
          0,
          -1);
    }

    private Call hear(Kind kind, int peer, int word, int value) {
      return new Call(
          kind,
          peer,
          word,
          -1,
          Change.SET,
          value,
          true,
          ordered(),
          one(8),
          false,
          false,
          0,
          false,
          0,
          kind == Kind.READ ? registers++ : -1);
    }

    private Call load(int word, boolean strong) {
      return new Call(
          Kind.LOAD,
          0,
          word,
          -1,
          Change.SET,
          0,
          strong,
          strong && ordered(),
          false,
          false,
          false,
          0,
          false,
          0,
          registers++);
    }

    private Call store(int word, int value, boolean strong, boolean ordered) {
      return new Call(
          Kind.STORE,
          0,
          word,
          -1,
          Change.SET,
          value,
          strong,
          ordered,
          false,
          false,
          false,
          0,
          false,
          0,
          -1);
    }
  }
}
