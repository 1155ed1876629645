package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;

import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.path.PathEvent;
import dev.oriel.sim.litmus.path.ThreadPath;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one path for each thread, and all relations among them that no choice changes:
 * program order, moral strength, the ends of release and acquire patterns, dependencies. Initial
 * writes come first, one for each memory.
 */
final class ExecutionGraph {
  final LitmusTest test;
  final List<ThreadPath> paths;
  final int size;
  final int[] firstOf;
  final PathEvent[] events;
  final int[] thread;
  final int[] memory;
  final int[] address;
  final int[] partner;
  final int[] readOrdinal;

  /** Later events of the same thread. */
  final long[] programOrder;

  final long[] morallyStrong;
  final long[] sameMemory;

  /** For a read: the reads that feed or control it or its write; the same for other events. */
  final long[] depends;

  /** For a write: the fences and writes that open a release pattern with this write. */
  final long[] releases;

  /** For a read: the fences and reads that close an acquire pattern with this read. */
  final long[] acquires;

  long initials;
  long reads;
  long writes;
  long scFences;
  long barriers;
  long proxyFences;

  final StepOrder steps;

  /** Whether all accesses of a memory are generic and use one address. */
  boolean oneWay = true;

  ExecutionGraph(LitmusTest test, List<ThreadPath> paths, MemoryModel model) {
    this.test = test;
    this.paths = paths;
    List<Integer> memories =
        test.locations().stream().map(MemoryLocation::memory).distinct().sorted().toList();
    int count = size(test, paths);
    size = count;
    events = new PathEvent[count];
    firstOf = new int[paths.size() + 1];
    thread = new int[count];
    memory = new int[count];
    address = new int[count];
    partner = new int[count];
    readOrdinal = new int[count];
    programOrder = new long[count];
    morallyStrong = new long[count];
    sameMemory = new long[count];
    depends = new long[count];
    releases = new long[count];
    acquires = new long[count];
    int at = 0;
    for (int place : memories) {
      initial(at++, place);
    }
    for (int t = 0; t < paths.size(); t++) {
      firstOf[t] = at;
      at = path(at, t, paths.get(t));
    }
    firstOf[paths.size()] = at;
    relate(model);
    steps = new StepOrder(this);
  }

  static int size(LitmusTest test, List<ThreadPath> paths) {
    long memories = test.locations().stream().map(MemoryLocation::memory).distinct().count();
    return (int) memories + paths.stream().mapToInt(path -> path.events().size()).sum();
  }

  private void initial(int at, int place) {
    events[at] =
        PathEvent.access(
            PathEvent.Kind.WRITE,
            place,
            MemoryProxy.GENERIC,
            MemoryOrder.WEAK,
            LitmusScope.CTA,
            -1,
            0,
            -1);
    thread[at] = -1;
    memory[at] = place;
    address[at] = place;
    partner[at] = -1;
    initials |= bit(at);
    writes |= bit(at);
  }

  private int path(int first, int t, ThreadPath path) {
    List<Integer> myReads = new ArrayList<>();
    int at = first;
    for (PathEvent event : path.events()) {
      events[at] = event;
      thread[at] = t;
      partner[at] = event.partner() < 0 ? -1 : first + event.partner();
      MemoryLocation location = event.memory() ? test.locations().get(event.location()) : null;
      memory[at] = location == null ? -1 - at : location.memory();
      address[at] = location == null ? -1 - at : location.address();
      for (int before = first; before < at; before++) {
        programOrder[before] |= bit(at);
      }
      for (int ordinal = 0; ordinal < myReads.size(); ordinal++) {
        if (has(event.depends(), ordinal)) {
          depends[at] |= bit(myReads.get(ordinal));
        }
      }
      switch (event.kind()) {
        case READ -> {
          reads |= bit(at);
          readOrdinal[at] = myReads.size();
          myReads.add(at);
        }
        case WRITE -> writes |= bit(at);
        case FENCE -> scFences |= event.order() == MemoryOrder.SC ? bit(at) : 0;
        case PROXY_FENCE -> proxyFences |= bit(at);
        case ARRIVE, SYNC -> barriers |= bit(at);
      }
      at++;
    }
    return at;
  }

  private void relate(MemoryModel model) {
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        if (a != b && events[a].memory() && memory[a] == memory[b]) {
          sameMemory[a] |= bit(b);
          oneWay &=
              has(initials, a)
                  || has(initials, b)
                  || (address[a] == address[b] && events[a].proxy() == MemoryProxy.GENERIC);
        }
        if (a != b && strongPair(a, b)) {
          morallyStrong[a] |= bit(b);
        }
      }
    }
    for (int at = 0; at < size; at++) {
      if (!has(initials, at) && events[at].memory()) {
        patterns(at, model);
      }
    }
  }

  /**
   * Whether two events are morally strong. They are of one thread, or both are strong and the scope
   * of each includes the other's thread. They use the same proxy and, if both are accesses, the
   * same address.
   */
  private boolean strongPair(int a, int b) {
    if (has(initials, a) || has(initials, b)) {
      return false;
    }
    PathEvent x = events[a];
    PathEvent y = events[b];
    if (x.proxy() != y.proxy() || (x.memory() && y.memory() && address[a] != address[b])) {
      return false;
    }
    return thread[a] == thread[b]
        || (x.order().strong()
            && y.order().strong()
            && shares(x.scope(), a, b)
            && shares(y.scope(), a, b));
  }

  boolean shares(LitmusScope scope, int a, int b) {
    return placement(a).shares(scope, placement(b));
  }

  ThreadPlacement placement(int event) {
    return test.threads().get(thread[event]).placement();
  }

  private void patterns(int access, MemoryModel model) {
    PathEvent event = events[access];
    boolean write = event.kind() == PathEvent.Kind.WRITE;
    long ends = (write ? event.order().releases() : event.order().acquires()) ? bit(access) : 0;
    if (event.order().strong()) {
      for (int other = 0; other < size; other++) {
        boolean beyond =
            write ? has(programOrder[other], access) : has(programOrder[access], other);
        if (beyond && opens(other, access, write, model)) {
          ends |= bit(other);
        }
      }
    }
    if (write) {
      releases[access] = ends;
    } else {
      acquires[access] = ends;
    }
  }

  /**
   * Whether a release before a strong write, or an acquire after a strong read, forms a pattern
   * with it.
   */
  private boolean opens(int other, int access, boolean write, MemoryModel model) {
    PathEvent event = events[other];
    boolean orders =
        (write ? event.order().releases() : event.order().acquires())
            || (event.order() == MemoryOrder.SC && model.scFenceReleases());
    return orders
        && (event.kind() == PathEvent.Kind.FENCE
            || (event.kind() == events[access].kind() && address[other] == address[access]));
  }
}
