package dev.oriel.sim.machine;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.RequestTable;
import dev.oriel.sim.machine.provenance.Octets;

/**
 * By which keys requests name memory, and what interfaces make of them. Registrations are records
 * in a buffer of rank code, which its lanes write like any other bytes: an interface that uses one
 * reads it, so that whoever takes it back while a request is under way races with that request.
 *
 * <pre>
 * record   word: generation | interface; first byte; byte behind the last
 * key      generation | interface | where the record is; 0 names no registration
 * state    for each lane what it names now; for each request what it named: local, remote
 * </pre>
 */
public final class Keys {
  /** Bytes of a record. */
  public static final int RECORD = 3 * Long.BYTES;

  private static final int SLOTS = 1 << 12;
  private static final int INTERFACES = 1 << 8;

  /** Whether rank code keeps registrations. */
  final boolean on;

  private final Model model;
  private final Agents agents;
  private final Memory memory;
  private final int room;
  private final long[] record = new long[RECORD];

  Keys(Model model, Memory memory) {
    this.model = model;
    this.agents = model.agents;
    this.memory = memory;
    room = RequestTable.room(model);
    on = model.registrations >= 0;
  }

  /** The first word of the record of that generation, at least 1, for that interface. */
  public static long word(long generation, int number) {
    return generation * INTERFACES + number;
  }

  /** The key for that word, whose record is the one of that number. */
  public static long key(long word, int slot) {
    return word * SLOTS + slot;
  }

  /** The number of the record that the key is for. */
  public static int slot(long key) {
    return (int) (key % SLOTS);
  }

  static int fields(Model model) {
    return model.registrations < 0
        ? 0
        : 2 * (model.lanes + model.agents.queues * RequestTable.room(model));
  }

  /** From now on the lane's requests name memory so. */
  static void name(State s, int lane, long local, long remote) {
    s.named[2 * lane] = local;
    s.named[2 * lane + 1] = remote;
  }

  /** The request names what its lane names. */
  void posted(State s, int queue, int number) {
    int lane = agents.queueLane[queue];
    s.named[at(queue, number)] = s.named[2 * lane];
    s.named[at(queue, number) + 1] = s.named[2 * lane + 1];
  }

  private int at(int queue, int number) {
    return 2 * (model.lanes + queue * room + (number & room - 1));
  }

  /** The origin's interface touches that memory of its rank. */
  void local(State s, int queue, int number, int component, int from, int length, int seen) {
    int rank = model.rank(agents.queueLane[queue]);
    use(s, queue, component, rank, s.named[at(queue, number)], from, length, seen);
  }

  /** The peer's interface touches that memory of its rank. */
  void remote(State s, int queue, int number, int component, int from, int length, int seen) {
    int rank = agents.queuePeer[queue];
    use(s, queue, component, rank, s.named[at(queue, number) + 1], from, length, seen);
  }

  private void use(
      State s, int queue, int component, int rank, long key, int from, int length, int seen) {
    if (key == 0) {
      return;
    }
    long word = key / SLOTS;
    int at = slot(key) * RECORD;
    memory.read(
        s, component, rank, model.registrations, at, RECORD, record, 0, false, seen, Keys::first);
    long registered = Octets.word(record, 0, Long.BYTES);
    if (registered != word) {
      String why =
          registered == 0
              ? "it was deregistered"
              : "its place was registered again: generation=" + registered / INTERFACES;
      throw wrong(queue, rank, word, "memory is not registered under that key, " + why);
    }
    int number = agents.queueInterface[queue];
    if (word % INTERFACES != number) {
      throw wrong(queue, rank, word, "key of another interface: interface=" + number);
    }
    long base = Octets.word(record, Long.BYTES, Long.BYTES);
    long end = Octets.word(record, 2 * Long.BYTES, Long.BYTES);
    if (from < base || from + length > end) {
      throw wrong(
          queue,
          rank,
          word,
          "access outside its registration: from=%d, to=%d, registered=%d to %d"
              .formatted(from, from + length, base, end));
    }
  }

  private static int first(int options) {
    return 0;
  }

  private FindingException wrong(int queue, int rank, long word, String what) {
    return new FindingException(
        new Finding(
            Kind.BOUNDS,
            "%s; owner=%d, key of generation=%d, interface=%d, posted by %s, peer=%d; lease the memory for as long as requests name it, and take each interface's own key"
                .formatted(
                    what,
                    rank,
                    word / INTERFACES,
                    word % INTERFACES,
                    model.laneName(agents.queueLane[queue]),
                    agents.queuePeer[queue])));
  }
}
