package dev.oriel.sim.machine.memory;

import static dev.oriel.sim.machine.driver.MemoryKeyFormat.INTERFACES;
import static dev.oriel.sim.machine.driver.MemoryKeyFormat.KINDS;
import static dev.oriel.sim.machine.driver.MemoryKeyFormat.NONE;
import static dev.oriel.sim.machine.driver.MemoryKeyFormat.RANKS;
import static dev.oriel.sim.machine.driver.MemoryKeyFormat.RECORD;
import static dev.oriel.sim.machine.driver.MemoryKeyFormat.SLOTS;

import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.state.MachineState;

/**
 * Memory keys of requests, and their check by interfaces. Registrations are records in a buffer of
 * rank code, which its lanes write like any other bytes. An interface that uses a registration
 * reads its record. So a rank that deregisters while a request is pending races with that request.
 * {@link MemoryKeyFormat} has the format of keys and records; the state holds for each lane its
 * current keys, and for each request its own: local, remote.
 */
public final class MemoryKeys {
  /** Whether rank code keeps registrations. */
  public final boolean on;

  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final int room;
  private final long[] record = new long[RECORD];

  public MemoryKeys(MachineModel model, SimulatedMemory memory) {
    this.model = model;
    this.agents = model.agents;
    this.memory = memory;
    room = RequestLayout.room(model);
    on = model.registrations >= 0;
  }

  /** Sets the keys of the lane's next requests. */
  public static void name(MachineState s, int lane, long local, long remote) {
    s.named[2 * lane] = local;
    s.named[2 * lane + 1] = remote;
  }

  /** Gives a request the keys of its lane. */
  public void posted(MachineState s, int queue, int number) {
    int lane = agents.queueLane[queue];
    s.named[at(queue, number)] = s.named[2 * lane];
    s.named[at(queue, number) + 1] = s.named[2 * lane + 1];
  }

  private int at(int queue, int number) {
    return 2 * (model.lanes + queue * room + (number & room - 1));
  }

  /** Checks an access of the origin's interface to memory of its rank. */
  public void local(
      MachineState s, int queue, int number, int component, int from, int length, int seen) {
    int rank = model.rank(agents.queueLane[queue]);
    use(s, queue, component, rank, s.named[at(queue, number)], false, from, length, seen);
  }

  /** Checks an access of the peer's interface to memory of its rank. */
  public void remote(
      MachineState s, int queue, int number, int component, int from, int length, int seen) {
    int rank = agents.queuePeer[queue];
    use(s, queue, component, rank, s.named[at(queue, number) + 1], true, from, length, seen);
  }

  private void use(
      MachineState s,
      int queue,
      int component,
      int rank,
      long key,
      boolean remote,
      int from,
      int length,
      int seen) {
    if (key == NONE) {
      return;
    }
    long word = key / SLOTS / KINDS / RANKS;
    int at = MemoryKeyFormat.slot(Math.max(0, key)) * RECORD;
    if (word <= 0 || at + RECORD > model.bytes[rank * model.buffers + model.registrations]) {
      throw wrong(queue, rank, word, "no key that an interface gave: key=" + key);
    }
    boolean forPeers = key / SLOTS % KINDS == 1;
    if (forPeers != remote) {
      String what = remote ? "local key where peers name the memory" : "remote key of own memory";
      throw wrong(queue, rank, word, what + ", remote and local keys may be swapped");
    }
    long of = key / SLOTS / KINDS % RANKS;
    if (of != rank) {
      throw wrong(queue, rank, word, "key of another rank: rank=" + of);
    }
    memory.read(
        s,
        component,
        rank,
        model.registrations,
        at,
        RECORD,
        record,
        0,
        false,
        seen,
        MemoryKeys::first);
    long registered = TaggedBytes.word(record, 0, Long.BYTES);
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
    long base = TaggedBytes.word(record, Long.BYTES, Long.BYTES);
    long end = TaggedBytes.word(record, 2 * Long.BYTES, Long.BYTES);
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
