package dev.oriel.sim.machine;

import dev.oriel.domain.program.Space;
import java.util.Arrays;

/**
 * New names of ranks, and what follows for lanes, queues, words and clock components: the state
 * that an execution comes to in which everybody does what the one that is now called so did.
 */
final class Relabelling {
  private final Model model;
  final int[] rank;
  final int[] lane;
  final int[] queue;
  final int[] component;
  private final int[] word;

  /** What inputs may hold, in order, and what each becomes. */
  private long[] origins = {};

  private long[] renamed = {};

  Relabelling(Model model, int[] rank) {
    this.model = model;
    this.rank = rank;
    Agents agents = model.agents;
    lane = new int[model.lanes];
    queue = new int[agents.queues];
    component = new int[agents.components];
    word = new int[model.words.count];
    for (int l = 0; l < model.lanes; l++) {
      int from = model.rank(l);
      lane[l] = model.firstLane[rank[from]] + l - model.firstLane[from];
    }
  }

  /** Names what hangs on lanes, once these are known to be alike. */
  boolean complete() {
    Agents agents = model.agents;
    for (int l = 0; l < model.lanes; l++) {
      component[agents.leader[l]] = agents.leader[lane[l]];
      component[agents.worker[l]] = agents.worker[lane[l]];
      if (agents.unit[l] >= 0) {
        component[agents.unit[l]] = agents.unit[lane[l]];
      }
      for (int own = agents.leader[l]; agents.twins.length > 0; own += 2) {
        component[own + 1] = component[own] + 1;
        if (own >= Math.max(agents.worker[l], agents.unit[l])) {
          break;
        }
      }
    }
    for (int r = 0; r < model.world; r++) {
      component[agents.caller[r]] = agents.caller[rank[r]];
    }
    for (int q = 0; q < agents.queues; q++) {
      int to =
          agents.queue(lane[agents.queueLane[q]], rank[agents.queuePeer[q]], agents.queueNumber[q]);
      if (to < 0 || agents.queueInterface[q] != agents.queueInterface[to] || end(q) != end(to)) {
        return false;
      }
      queue[q] = to;
      for (int i = 0; i < end(q); i++) {
        component[agents.fetch[q] + i] = agents.fetch[to] + i;
      }
    }
    WordTable table = model.words;
    for (int w = 0; w < word.length; w++) {
      int kind = table.kindOf[w];
      int slots = table.slots(table.owner[w], kind);
      int to = rank[table.owner[w]];
      word[w] = table.slot(to, kind, rank[table.offset[w] / slots], table.offset[w] % slots);
    }
    return true;
  }

  /** How many components the queue has. */
  private int end(int q) {
    Agents agents = model.agents;
    return (q + 1 < agents.queues ? agents.fetch[q + 1] : agents.components) - agents.fetch[q];
  }

  /** Names the bytes of inputs; false if two bytes cannot be told apart. */
  boolean inputs(int launches) {
    int count = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      count += model.space(m % model.buffers) == Space.INPUT ? model.bytes[m] : 0;
    }
    long[][] pairs = new long[count * (launches + 1)][];
    int next = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      int buffer = m % model.buffers;
      int size = model.space(buffer) == Space.INPUT ? model.bytes[m] : 0;
      int from = m / model.buffers;
      for (int i = 0; i < size; i++) {
        for (int launch = 0; launch <= launches; launch++) {
          pairs[next++] =
              new long[] {
                model.inputs.at(from, launch, buffer, i),
                model.inputs.at(rank[from], launch, buffer, i)
              };
        }
      }
    }
    Arrays.sort(pairs, (x, y) -> Long.compare(x[0], y[0]));
    origins = Arrays.stream(pairs).mapToLong(p -> p[0]).toArray();
    renamed = Arrays.stream(pairs).mapToLong(p -> p[1]).toArray();
    boolean apart = Arrays.stream(origins).noneMatch(o -> o >= 0 && o <= 0xFF);
    for (int i = 1; i < origins.length; i++) {
      apart &= origins[i] != origins[i - 1];
    }
    return apart;
  }

  private long renamed(long octet) {
    int at = Arrays.binarySearch(origins, octet);
    return at < 0 ? octet : renamed[at];
  }

  /** Makes {@code to} the renamed {@code from}, as far as states are told apart by it. */
  void apply(State from, State to) {
    to.copy(from);
    lanes(from, to);
    ranks(from, to);
    rows(from, to);
    words(from, to);
    queues(from, to);
    Proxies.relabel(model, from, to, queue, rank);
    for (int m = 0; m < model.bytes.length; m++) {
      shadow(from, to, m);
    }
  }

  private void lanes(State from, State to) {
    for (int l = 0; l < lane.length; l++) {
      int into = lane[l];
      int count = model.lane(l).registers();
      System.arraycopy(
          from.registers, model.firstRegister[l], to.registers, model.firstRegister[into], count);
      to.at[into] = from.at[l];
      to.ended[into] = from.ended[l];
      to.failure[into] = from.failure[l];
    }
  }

  private void ranks(State from, State to) {
    for (int r = 0; r < rank.length; r++) {
      int into = rank[r];
      to.launched[into] = from.launched[r];
      to.callerDue[into] = from.callerDue[r];
      to.aborted[into] = from.aborted[r];
      for (int b = 0; b < model.buffers; b++) {
        int at = model.firstByte[r * model.buffers + b];
        int target = model.firstByte[into * model.buffers + b];
        for (int i = 0; i < model.bytes[r * model.buffers + b]; i++) {
          to.bytes[target + i] = renamed(from.bytes[at + i]);
          if (from.before.length > 0) {
            to.before[target + i] = renamed(from.before[at + i]);
          }
        }
      }
    }
  }

  private void rows(State from, State to) {
    int width = model.agents.components;
    for (int c = 0; c < width; c++) {
      clock(from, ClockRows.of(model, c), to, ClockRows.of(model, component[c]));
      to.settled[component[c]] = from.settled[c];
    }
    for (int l = 0; l < lane.length; l++) {
      for (int v = 0; v < model.levels; v++) {
        clock(from, ClockRows.fenced(model, l, v), to, ClockRows.fenced(model, lane[l], v));
        clock(from, ClockRows.pending(model, l, v), to, ClockRows.pending(model, lane[l], v));
        if (model.scan.strict) {
          clock(from, ClockRows.strict(model, l, v), to, ClockRows.strict(model, lane[l], v));
        }
      }
      int seen = SeenRows.width(model);
      for (int i = 0; i < 2; i++) {
        seen(from.seen, (2 * l + i) * seen, to.seen, (2 * lane[l] + i) * seen);
      }
      seen(from.seen, SeenRows.fresh(model, l), to.seen, SeenRows.fresh(model, lane[l]));
    }
    for (int r = 0; r < rank.length; r++) {
      seen(from.seen, SeenRows.caller(model, r), to.seen, SeenRows.caller(model, rank[r]));
    }
    for (int q = 0; q < queue.length; q++) {
      clock(from, ClockRows.arranged(model, q), to, ClockRows.arranged(model, queue[q]));
    }
    for (int row = 1; row < from.heads.used; row++) {
      clock(from.heads.rows, row * width, to.heads.rows, row * width);
      to.heads.hashes[row] = 0;
    }
    for (int row = 1; row < from.causes.used; row++) {
      int seen = row * from.causes.width;
      seen(from.causes.rows, seen, to.causes.rows, seen);
      to.causes.hashes[row] = 0;
    }
  }

  private void clock(State from, int row, State to, int into) {
    clock(from.clocks, row, to.clocks, into);
  }

  private void clock(int[] from, int row, int[] to, int into) {
    for (int c = 0; c < component.length; c++) {
      to[into + component[c]] = from[row + c];
    }
  }

  private void seen(int[] from, int row, int[] to, int into) {
    for (int l = 0; l < lane.length; l++) {
      to[into + 2 * lane[l]] = from[row + 2 * l];
      to[into + 2 * lane[l] + 1] = from[row + 2 * l + 1];
    }
    for (int q = 0; q < queue.length; q++) {
      to[into + SeenRows.queueColumn(model, queue[q])] = from[row + SeenRows.queueColumn(model, q)];
    }
  }

  /** Slots have the same readers at every rank, in the same order. */
  private void words(State from, State to) {
    WordTable table = model.words;
    for (int w = 0; w < word.length; w++) {
      int into = word[w];
      int kind = table.kindOf[w];
      int messages = table.messages(kind, table.fields[w]) - table.fields[w];
      int length = messages + table.message * table.room[kind];
      System.arraycopy(from.words, table.fields[w], to.words, table.fields[into], length);
      for (int m = 0; m < from.words[table.fields[w] + 1]; m++) {
        int agent = table.fields[into] + messages + m * table.message;
        to.words[agent] = to.words[agent] < 0 ? -1 : component[to.words[agent]];
      }
      int values = table.awaits[kind] * table.readers[kind] + table.room[kind];
      System.arraycopy(from.wordValues, table.values[w], to.wordValues, table.values[into], values);
    }
  }

  private void queues(State from, State to) {
    int room = RequestTable.room(model);
    int fields = RequestTable.HEADER + room * RequestTable.FIELDS;
    int payload = room * RequestTable.bytes(model);
    for (int q = 0; q < queue.length; q++) {
      int into = queue[q];
      to.posted[into] = from.posted[q];
      System.arraycopy(from.requests, q * fields, to.requests, into * fields, fields);
      for (int i = 0; i < room; i++) {
        int e = into * fields + RequestTable.HEADER + i * RequestTable.FIELDS;
        int changes = to.requests[e + RequestTable.WORD];
        to.requests[e + RequestTable.WORD] = changes < 0 ? changes : word[changes];
        int by = to.requests[e + RequestTable.COMPONENT];
        to.requests[e + RequestTable.COMPONENT] = component[by];
      }
      System.arraycopy(
          from.requestValues, 2 * q * room, to.requestValues, 2 * into * room, 2 * room);
      for (int i = 0; i < payload; i++) {
        to.payload[into * payload + i] = renamed(from.payload[q * payload + i]);
      }
    }
  }

  /** Accesses of an interval stand in the order of their components, which have new names. */
  private void shadow(State from, State to, int memory) {
    int fields = ShadowTable.FIELDS + 2 * ShadowTable.accesses(model);
    int into = rank[memory / model.buffers] * model.buffers + memory % model.buffers;
    int base = model.firstShadow[memory];
    int target = model.firstShadow[into];
    int length = model.firstShadow[memory + 1] - base;
    System.arraycopy(from.shadow, base, to.shadow, target, length);
    for (int i = 0; i < from.shadow[base]; i++) {
      int at = target + 1 + i * fields;
      int writer = to.shadow[at + 1];
      to.shadow[at + 1] = writer < 0 ? writer : component[writer];
      int first = at + ShadowTable.FIELDS;
      for (int p = first; p < first + 2 * to.shadow[at + 3]; p += 2) {
        int by = component[to.shadow[p]];
        int tick = to.shadow[p + 1];
        int hole = p;
        while (hole > first && behind(to.shadow, hole - 2, by, tick)) {
          to.shadow[hole] = to.shadow[hole - 2];
          to.shadow[hole + 1] = to.shadow[hole - 1];
          hole -= 2;
        }
        to.shadow[hole] = by;
        to.shadow[hole + 1] = tick;
      }
    }
  }

  private static boolean behind(int[] shadow, int at, int component, int tick) {
    return shadow[at] > component
        || (shadow[at] == component
            && (shadow[at + 1] & ShadowTable.KIND) > (tick & ShadowTable.KIND));
  }
}
