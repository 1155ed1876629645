package dev.oriel.sim.machine.layout;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The agents of a world (lanes, callers and queues) and the clock components of each.
 *
 * <pre>
 * lane    leader, a worker that represents all its other threads, and its bulk-copy unit, if used
 * caller  one
 * cell    one for each 16 bytes that threads store at once
 * queue   fetch; place, with its visible part; read; fill, with its visible part;
 *         count, with its visible part;
 *         for each unordered request whose end its lane has not observed: place or fill, with its
 *         visible part; its fetch, unordered with other fetches, if any request is unordered
 * </pre>
 *
 * <p>A component that writes for an interface has a paired component, the next number. The pair is
 * its visible part: what every reader sees because a step made the interface's writes visible.
 * Where memory has a second mapping, each component of a lane has a pair as well. That pair is the
 * part ordered before accesses through another name.
 */
public final class AgentLayout {
  private static final int MAX_COMPONENTS = 200_000;
  private static final int FIRST_UNORDERED = 4;

  /** The component of an unordered request that fetches, as an offset. */
  private static final int FETCH_CELL = 2;

  final int lanes;
  final int world;
  public final int queues;

  /** How many components a clock has. */
  public final int components;

  public final int[] leader;
  public final int[] worker;

  /** For each lane: the component of its bulk-copy unit, -1 if it uses none. */
  public final int[] unit;

  public final int[] caller;

  /** Leaders, workers and units, if each has a pair for accesses through another name. */
  public final int[] twins;

  public final int[] queueLane;
  public final int[] queuePeer;
  public final int[] queueNumber;
  public final int[] queueInterface;
  public final int[] fetch;
  public final int[] place;
  public final int[] read;
  public final int[] fill;
  public final int[] count;
  final int[] firstUnordered;

  /** Unordered requests of a queue with components of their own: now, and at most. */
  public final int unorderedCount;

  public final int maxUnordered;

  /** The components that count stores of 16 bytes at once. */
  public final AtomicCells cells;

  /** How many components an unordered request has. */
  private final int unorderedCells;

  /** For each component: its number among those that fetch sources, -1 for any other. */
  public final int[] source;

  /** How many components fetch sources. */
  final int sources;

  /** For each component: the rank of its GPU or interface; for a place, the rank of the memory. */
  public final int[] rankOf;

  /** For each component: the interface it acts through, -1 for lanes and callers. */
  public final int[] interfaceOf;

  /**
   * For each component: whether it writes for an interface, and so has a visible part as its pair.
   */
  public final boolean[] placed;

  /** For each rank: the components that write its memory for an interface. */
  public final int[][] placedAt;

  /** For each component: its lane, -1 for a caller and a cell. */
  public final int[] laneOf;

  /** For each lane, then peer * numbers + number: its queue, -1 if there is none. */
  private final int[][] queueOf;

  private final int[] numbers;

  AgentLayout(
      WorldCode code, Topology topology, CodeScan scan, Profile profile, StateCapacities sizes) {
    lanes = code.lanes().size();
    world = code.world();
    leader = new int[lanes];
    worker = new int[lanes];
    unit = new int[lanes];
    caller = new int[world];
    queueOf = new int[lanes][];
    numbers = scan.queues;
    int component = 0;
    boolean aliases = code.form().buffers().stream().anyMatch(Buffer::isAlias);
    int names = aliases ? 2 : 1;
    for (int l = 0; l < lanes; l++) {
      leader[l] = component;
      component += names;
      // In one total order a lane's threads share a component: later steps are ordered after them
      // all.
      boolean threads = code.lanes().get(l).threads() && !profile.ordered();
      worker[l] = threads ? component : leader[l];
      component += threads ? names : 0;
      unit[l] = scan.units[l] ? component : -1;
      component += scan.units[l] ? names : 0;
    }

    twins = aliases ? IntStream.range(0, component / 2).map(i -> 2 * i).toArray() : new int[0];
    for (int r = 0; r < world; r++) {
      caller[r] = component++;
    }
    cells = new AtomicCells(code, scan, profile, component);
    component = cells.end;
    int queueCount = 0;
    for (int l = 0; l < lanes; l++) {
      queueOf[l] = new int[world * Math.max(1, scan.queues[l])];
      Arrays.fill(queueOf[l], -1);
      int rank = code.lanes().get(l).rank();
      for (int peer = 0; scan.posts[l] && peer < world; peer++) {
        if (scan.peers[l].get(peer) && peer != rank && topology.kind(rank, peer) == PeerKind.RDMA) {
          for (int n = 0; n < scan.queues[l]; n++) {
            queueOf[l][peer * scan.queues[l] + n] = queueCount++;
          }
        }
      }
    }
    queues = queueCount;
    queueLane = new int[queues];
    queuePeer = new int[queues];
    queueNumber = new int[queues];
    queueInterface = new int[queues];
    fetch = new int[queues];
    place = new int[queues];
    read = new int[queues];
    fill = new int[queues];
    count = new int[queues];
    firstUnordered = new int[queues];
    unorderedCells = scan.anyUnordered ? 3 : 2;
    int unorderedQueues = 0;
    int others = component;
    for (int l = 0; l < lanes; l++) {
      boolean unordered = profile.relaxedOrdering() || scan.unordered[l];
      int own = (int) Arrays.stream(queueOf[l]).filter(q -> q >= 0).count();
      unorderedQueues += unordered ? own : 0;
      others += own * (3 + (scan.reads[l] ? 3 : 0) + (scan.counts[l] ? 2 : 0));
    }
    maxUnordered =
        unorderedQueues == 0
            ? 0
            : sizes.maxUnordered(unorderedQueues, unorderedCells, MAX_COMPONENTS - others);
    unorderedCount = Math.min(maxUnordered, sizes.of("loose requests of a queue", FIRST_UNORDERED));
    for (int l = 0; l < lanes; l++) {
      for (int i = 0; i < queueOf[l].length; i++) {
        int q = queueOf[l][i];
        if (q >= 0) {
          queueLane[q] = l;
          queuePeer[q] = i / scan.queues[l];
          queueNumber[q] = i % scan.queues[l];
          int inRank = l - code.firstLane(code.lanes().get(l).rank());
          queueInterface[q] = (queueNumber[q] + inRank) % profile.interfaces();
          fetch[q] = component;
          place[q] = component + 1;
          component += 3;
          read[q] = scan.reads[l] ? component : -1;
          fill[q] = scan.reads[l] ? component + 1 : -1;
          component += scan.reads[l] ? 3 : 0;
          count[q] = scan.counts[l] ? component : -1;
          component += scan.counts[l] ? 2 : 0;
          firstUnordered[q] = component;
          component +=
              profile.relaxedOrdering() || scan.unordered[l] ? unorderedCells * unorderedCount : 0;
        }
      }
    }
    components = component;
    if (cells.size() > MAX_COMPONENTS) {
      throw MachineException.lacking(
          "word buffers too large for cells=1: cells=%d, max=%d; use smaller ones, or no ,cells=1"
              .formatted(cells.size(), MAX_COMPONENTS));
    }
    if (components > MAX_COMPONENTS) {
      throw MachineException.lacking(
          "world too large for clocks: agents=%d, max=%d; use fewer ranks, lanes or queues"
              .formatted(components, MAX_COMPONENTS));
    }
    rankOf = new int[components];
    interfaceOf = new int[components];
    placed = new boolean[components];
    laneOf = new int[components];
    Arrays.fill(interfaceOf, -1);
    Arrays.fill(laneOf, -1);
    source = new int[components];
    Arrays.fill(source, -1);
    sources = describe(code);
    placedAt = new int[world][];
    for (int r = 0; r < world; r++) {
      int rank = r;
      placedAt[r] =
          IntStream.range(0, components).filter(c -> placed[c] && rankOf[c] == rank).toArray();
    }
  }

  private int describe(WorldCode code) {
    for (int l = 0; l < lanes; l++) {
      rankOf[leader[l]] = code.lanes().get(l).rank();
      rankOf[worker[l]] = code.lanes().get(l).rank();
      laneOf[leader[l]] = l;
      laneOf[worker[l]] = l;
      if (unit[l] >= 0) {
        rankOf[unit[l]] = code.lanes().get(l).rank();
        laneOf[unit[l]] = l;
      }
    }
    for (int r = 0; r < world; r++) {
      rankOf[caller[r]] = r;
    }
    cells.describe(rankOf);
    int fetches = 0;
    for (int q = 0; q < queues; q++) {
      int origin = code.lanes().get(queueLane[q]).rank();
      int end = q + 1 < queues ? fetch[q + 1] : components;
      for (int c = fetch[q]; c < end; c++) {
        interfaceOf[c] = queueInterface[q];
        laneOf[c] = queueLane[q];
        // An unordered request places at the peer or fills at its origin, through one interface.
        int cell = c < firstUnordered[q] ? -1 : (c - firstUnordered[q]) % unorderedCells;
        rankOf[c] = cell == FETCH_CELL ? origin : queuePeer[q];
        placed[c] = cell == 0;
        source[c] = c == fetch[q] || cell == FETCH_CELL ? fetches++ : -1;
      }
      rankOf[fetch[q]] = origin;
      placed[place[q]] = true;
      atOrigin(fill[q], origin);
      atOrigin(count[q], origin);
    }
    return fetches;
  }

  private void atOrigin(int component, int origin) {
    if (component >= 0) {
      rankOf[component] = origin;
      rankOf[component + 1] = origin;
      placed[component] = true;
    }
  }

  /** The queue of that number from the lane to the peer; -1 if there is none. */
  public int queue(int lane, int peer, int number) {
    return number >= numbers[lane] ? -1 : queueOf[lane][peer * numbers[lane] + number];
  }

  /** How many queues the lane has to one peer. */
  public int queuesToPeer(int lane) {
    return numbers[lane];
  }

  /** The first component of the queue's unordered request of that number. */
  public int unordered(int queue, int number) {
    return firstUnordered[queue] + unorderedCells * number;
  }

  /**
   * The component that fetches for the unordered request of that component. A clock that includes
   * the request's end includes its fetch, so both are reused together.
   */
  public int unorderedFetch(int unordered) {
    return unordered + FETCH_CELL;
  }

  /** Whether the component is one of the queue's unordered requests. */
  public boolean isUnordered(int queue, int component) {
    return component >= firstUnordered[queue];
  }
}
