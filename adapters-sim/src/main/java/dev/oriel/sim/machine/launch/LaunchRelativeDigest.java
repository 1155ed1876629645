package dev.oriel.sim.machine.launch;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.CAUSES;
import static dev.oriel.sim.machine.layout.WordLayout.COMPARISON;
import static dev.oriel.sim.machine.layout.WordLayout.RELEASES;
import static dev.oriel.sim.machine.layout.WordLayout.SCOPE;
import static dev.oriel.sim.machine.layout.WordLayout.TAKEN;
import static dev.oriel.sim.machine.layout.WordLayout.TICK;
import static dev.oriel.sim.machine.layout.WordLayout.VIEW;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.fingerprint.HashMixer;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.PendingAtomicLayout;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Digests of states that do not depend on how many launches preceded. Two states with equal digests
 * have the same future: what one may do, the other may do some launches later.
 *
 * <p>Three things are made relative. Launches are counted from the slowest rank's, by whole
 * periods. Values are moved back by their {@link LaunchSlopes}, and bytes of inputs by their
 * launch. Ticks of a clock component are replaced by their rank among all ticks of it that the
 * state holds, since ticks are only compared with ticks of the same component, copied, and advanced
 * by one. Numbers of messages and requests are counted from the oldest that is held.
 *
 * <p>All else is digested as it is. So what is not made relative cannot make two states equal.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LaunchRelativeDigest {
  private static final PacketFormat[] FORMATS = PacketFormat.values();
  private static final int ADD = Atomic.ADD.ordinal();

  private final MachineModel model;
  private final LaunchSlopes slopes;
  private final ShiftedOrigins origins;
  private final NicVisibility sight;

  /** For each component: its group; for each column of causal clocks: its group. */
  private final int[] group;

  private final int[] column;

  /** For each group: the ticks that the state holds, sorted and distinct once {@link #sort}ed. */
  private final int[][] ticks;

  private final int[] count;

  private final SnapshotDigests releases = new SnapshotDigests();
  private final SnapshotDigests causes = new SnapshotDigests();

  /** The number of the visit: each state is visited twice. */
  private int number;

  private boolean collecting;

  /** The launches by which the state is moved back, and how many periods they are. */
  private int launches;

  private long periods;
  private boolean unstable;

  LaunchRelativeDigest(MachineModel model, LaunchSlopes slopes, ShiftedOrigins origins) {
    this.model = model;
    this.slopes = slopes;
    this.origins = origins;
    sight = new NicVisibility(model, false);
    group = new int[model.agents.components];
    column = new int[CausalClockIndex.width(model)];
    for (int c = 0; c < group.length; c++) {
      group[c] = c;
    }
    for (int c : model.agents.twins) {
      group[c + 1] = group[c];
    }
    for (int[] placed : model.agents.placedAt) {
      for (int c : placed) {
        group[c + 1] = group[c];
      }
    }
    for (int l = 0; l < model.lanes; l++) {
      column[2 * l] = group.length + l;
      column[2 * l + 1] = group.length + l;
    }
    for (int c = 0; c < group.length; c++) {
      if (model.agents.source[c] >= 0) {
        column[CausalClockIndex.fetchColumn(model, c)] = group[c];
      }
    }
    ticks = new int[group.length + model.lanes][16];
    count = new int[ticks.length];
  }

  /**
   * Why digests of the states so far may be equal for states that are not alike, or why values did
   * not keep their order when they moved; empty if neither.
   */
  public String doubt() {
    return origins.alike()
        ? "two bytes of inputs are alike"
        : unstable ? "a value that is compared or divided begins below 1 or wraps soon" : "";
  }

  public void digest(MachineState s, Fingerprint into) {
    int least = Integer.MAX_VALUE;
    for (int launched : s.launched) {
      least = Math.min(least, launched);
    }
    int late = least - 1 - slopes.settled();
    periods = late < 0 ? 0 : late / slopes.period();
    launches = (int) periods * slopes.period();
    origins.moveBy(launches, least - 1);
    number++;
    Arrays.fill(count, 0);
    collecting = true;
    state(s, null);
    sort();
    number++;
    collecting = false;
    state(s, into);
  }

  /** Visits the state: first its ticks only, then all of it. */
  private void state(MachineState s, @Nullable Fingerprint into) {
    if (into != null) {
      values(s, into);
      memory(s, into);
    }
    for (int row = 0; row < ClockIndex.count(model); row++) {
      put(into, clock(s.clocks, row));
    }
    for (int c = 0; c < s.settled.length; c++) {
      put(into, s.settled[c] == Integer.MAX_VALUE ? -1 : tick(group[c], s.settled[c]));
    }
    for (int row = 0; row < CausalClockIndex.count(model); row++) {
      put(into, causes(s.seen, row));
    }
    for (int w = 0; w < model.words.count; w++) {
      word(s, w, into);
    }
    for (int m = 0; m < model.bytes.length; m++) {
      if (model.base[m % model.buffers] == m % model.buffers) {
        shadow(s, m, into);
      }
    }
    for (int q = 0; q < model.agents.queues; q++) {
      queue(s, q, into);
    }
    atomics(s, into);
  }

  /** Visits all pending atomics as {@link PendingAtomicLayout#digest} does. */
  private void atomics(MachineState s, @Nullable Fingerprint into) {
    int room = PendingAtomicLayout.room(model);
    for (int l = 0; room > 0 && l < model.lanes; l++) {
      int at = l * (1 + PendingAtomicLayout.FIELDS * room);
      long found = cause(s, s.updateCauses[l]);
      if (into != null) {
        into.add(s.updates[at] * 31L + found);
      }
      for (int i = 0; i < s.updates[at]; i++) {
        int e = at + 1 + i * PendingAtomicLayout.FIELDS;
        int word = s.updates[e + PendingAtomicLayout.WORD];
        long causes = cause(s, s.updates[e + PendingAtomicLayout.CAUSES]);
        int tick = tickOf(model.agents.leader[l], s.updates[e + PendingAtomicLayout.TICK]);
        if (into != null) {
          into.add(word);
          into.add(s.updates[e + PendingAtomicLayout.CHANGE]);
          into.add(s.updates[e + PendingAtomicLayout.SCOPE]);
          into.add(causes);
          into.add(s.updates[e + PendingAtomicLayout.SITE]);
          into.add(tick);
          into.add(s.updates[e + PendingAtomicLayout.OLDEST] - s.words[model.words.fields[word]]);
          int values = PendingAtomicLayout.VALUES * (l * room + i);
          boolean adds = s.updates[e + PendingAtomicLayout.CHANGE] == Atomic.ADD.ordinal();
          into.add(adds ? s.updateValues[values] : valueOf(word, s.updateValues[values]));
          into.add(operandOf(word, s.updateValues[values + 1]));
          into.add(origin(s.updateValues[values + 2]));
        }
      }
    }
  }

  private static void put(@Nullable Fingerprint into, long word) {
    if (into != null) {
      into.add(word);
    }
  }

  /** Notes the tick, or replaces it by its rank; 0 stays 0. */
  int tick(int of, int tick) {
    if (tick == 0) {
      return 0;
    }
    if (collecting) {
      if (count[of] == ticks[of].length) {
        sort(of);
        ticks[of] =
            count[of] > ticks[of].length / 2 ? Arrays.copyOf(ticks[of], 2 * count[of]) : ticks[of];
      }
      ticks[of][count[of]++] = tick;
      return 0;
    }
    return 1 + Arrays.binarySearch(ticks[of], 0, count[of], tick);
  }

  /** The tick of that component. */
  int tickOf(int component, int tick) {
    return component < 0 ? tick : tick(group[component], tick);
  }

  private void sort() {
    for (int g = 0; g < ticks.length; g++) {
      sort(g);
    }
  }

  private void sort(int g) {
    Arrays.sort(ticks[g], 0, count[g]);
    int distinct = 0;
    for (int i = 0; i < count[g]; i++) {
      if (i == 0 || ticks[g][i] != ticks[g][i - 1]) {
        ticks[g][distinct++] = ticks[g][i];
      }
    }
    count[g] = distinct;
  }

  private long clock(ClockTable rows, int row) {
    long hash = 1;
    for (int c = 0; c < group.length; c++) {
      hash = HashMixer.mix(hash, tick(group[c], rows.at(row, c)));
    }
    return hash;
  }

  private long causes(ClockTable rows, int row) {
    long hash = 1;
    for (int c = 0; c < column.length; c++) {
      hash = HashMixer.mix(hash, tick(column[c], rows.at(row, c)));
    }
    return hash;
  }

  private long release(MachineState s, int row) {
    return releases.of(row, number, () -> clock(s.releases.rows, row));
  }

  long cause(MachineState s, int row) {
    return causes.of(row, number, () -> causes(s.causes.rows, row));
  }

  /** Digests of snapshots, each computed once for a state. */
  private static final class SnapshotDigests {
    private long[] digests = new long[64];

    /** For each snapshot: the number of the visit for which it was computed. */
    private int[] visits = new int[64];

    long of(int row, int visit, LongSupplier digest) {
      if (row == 0) {
        return 0;
      }
      if (row >= visits.length) {
        visits = Arrays.copyOf(visits, 2 * row);
        digests = Arrays.copyOf(digests, 2 * row);
      }
      if (visits[row] != visit) {
        visits[row] = visit;
        digests[row] = digest.getAsLong();
      }
      return digests[row];
    }
  }

  private long value(long value, long slope, boolean ordered) {
    // A sum with a value that is compared or divided wraps if one is negative or large, also one
    // that stays.
    boolean small = value >>> OperandTable.SMALL_BITS == 0 && (slope == 0 || value != 0);
    unstable |= ordered && launches > 0 && !small;
    return value - slope * periods;
  }

  /** A value of the word, as it is without the launches. */
  long valueOf(int word, long value) {
    return value(value, slopes.word(word), slopes.wordOrdered(word));
  }

  /** An operand that only a compare-and-swap of the word uses; others leave 0 there. */
  long operandOf(int word, long value) {
    return value == 0 ? 0 : valueOf(word, value);
  }

  private void values(MachineState s, Fingerprint into) {
    for (int r = 0; r < model.registers; r++) {
      into.add(value(s.registers[r], slopes.register(r), slopes.registerOrdered(r)));
    }
    for (int r = model.registers; r < s.registers.length; r++) {
      into.add(origin(s.registers[r]));
    }
    for (int l = 0; l < s.at.length; l++) {
      into.add((long) s.at[l] << 40 ^ (s.ended[l] ? 1 : 0) ^ (s.failure[l] & 0xFFFFFFFFL) << 1);
    }
    for (int r = 0; r < s.launched.length; r++) {
      into.add((s.launched[r] - launches) * 4L + (s.callerDue[r] ? 2 : 0) + (s.aborted[r] ? 1 : 0));
    }
    into.add(s.last[0] == 0 ? 0 : s.last[0] - launches);
    turns(s, into);
    into.add(s.locks);
  }

  /** The turns of input words in all launches that began and have not ended on all ranks. */
  private void turns(MachineState s, Fingerprint into) {
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int launched : s.launched) {
      least = Math.min(least, launched);
      most = Math.max(most, launched);
    }
    for (int launch = Math.max(0, least - 1); launch < most; launch++) {
      into.add(InputContents.turn(s.turns[0], launch));
    }
  }

  /** The number of a word's origin, as it is without the launches. */
  long origin(long number) {
    return number == 0 ? 0 : model.origins.changed(number, origins::shifted);
  }

  private void memory(MachineState s, Fingerprint into) {
    for (int m = 0; m < model.bytes.length; m++) {
      int buffer = m % model.buffers;
      if (model.base[buffer] == buffer) {
        bytes(m / model.buffers, buffer, 0, model.bytes[m], s.bytes, model.firstByte[m], into);
        if (s.before.length > 0) {
          bytes(m / model.buffers, buffer, 0, model.bytes[m], s.before, model.firstByte[m], into);
        }
      }
    }
  }

  /** Bytes of that place in a rank's buffer. */
  private void bytes(
      int rank, int buffer, int offset, int length, long[] from, int first, Fingerprint into) {
    boolean words = slopes.buffer(buffer) != 0;
    for (int i = 0; i < length; i++) {
      int at = offset + i;
      int flag = words ? flagBytes(buffer, at) : 0;
      if (flag > 0 && i + flag <= length) {
        into.add(flag(from, first + i, flag, slopes.buffer(buffer)));
        i += flag - 1;
      } else if (words
          && model.scan.format[buffer] < 0
          && at % Long.BYTES == 0
          && i + Long.BYTES <= length
          && slopes.byteWord(rank, buffer, at) != 0) {
        long slope = slopes.byteWord(rank, buffer, at);
        into.add(moved(from, first + i, Long.BYTES, slope, slopes.bufferOrdered(buffer)));
        i += Long.BYTES - 1;
      } else {
        into.add(origins.shifted(from[first + i]));
      }
    }
  }

  /** The bytes of the packet's flag that begins at that offset; 0 if none does. */
  private int flagBytes(int buffer, int at) {
    if (model.scan.format[buffer] < 0) {
      return 0;
    }
    PacketFormat format = FORMATS[model.scan.format[buffer]];
    int place = at % format.bytes();
    return switch (format) {
      case PKT8 -> place == 4 ? 4 : 0;
      case PKT16 -> place == 4 || place == 12 ? 4 : 0;
      case LINE128 -> place == 120 ? 8 : 0;
    };
  }

  /** A word with a slope, together with the marks of its bytes. */
  private long moved(long[] from, int at, int width, long slope, boolean ordered) {
    return HashMixer.mix(
        marks(from, at, width), value(TaggedBytes.word(from, at, width), slope, ordered));
  }

  /** A packet's flag. The packet's messages say what a 0 means; here it stays. */
  private long flag(long[] from, int at, int width, long slope) {
    long flag = TaggedBytes.word(from, at, width);
    return HashMixer.mix(marks(from, at, width), flag == 0 ? 0 : value(flag, slope, false));
  }

  private static long marks(long[] from, int at, int width) {
    long marks = 1;
    for (int i = 0; i < width; i++) {
      marks = HashMixer.mix(marks, from[at + i] & ~0xFFL);
    }
    return marks;
  }

  private void word(MachineState s, int w, @Nullable Fingerprint into) {
    WordLayout table = model.words;
    int kind = table.kindOf[w];
    int at = table.fields[w];
    boolean packet = table.isPacket(model, w);
    int from = packet ? firstReadable(s, w) : 0;
    int held = s.words[at + 1];
    put(into, held - from);
    for (int r = 0; r < table.readers[kind]; r++) {
      int lane = table.laneOf(w, r);
      if (lane < 0 || (packet && !slopes.mayRead(w, lane))) {
        continue;
      }
      int reader = table.reader(kind, at, r);
      put(into, Math.max(-1, s.words[reader + VIEW] - s.words[at] - from));
      int values = table.values[w] + table.awaits[kind] * r;
      for (int i = 0; i < table.awaits[kind]; i++) {
        int taken = s.words[reader + TAKEN + 2 * i];
        put(into, tick(column[2 * lane], taken));
        if (taken != 0 && into != null) {
          into.add(s.words[reader + COMPARISON + 2 * i]);
          into.add(valueOf(w, s.wordValues[values + i]));
        }
      }
      int own = table.own(w, r);
      for (int v = 0; v < table.readerReleases(kind); v++) {
        put(into, release(s, s.words[own + v]));
      }
    }
    for (int m = from; m < held; m++) {
      message(s, w, m, into);
    }
  }

  /**
   * The first message of a packet that some lane may still read. Older ones may be held for lanes
   * that read other packets of the buffer.
   */
  private int firstReadable(MachineState s, int w) {
    int first = s.words[model.words.fields[w] + 1] - 1;
    for (int r = 0; r < model.words.readers[model.words.kindOf[w]]; r++) {
      int lane = model.words.laneOf(w, r);
      if (lane >= 0 && slopes.mayRead(w, lane)) {
        first = Math.min(first, SyncWords.oldest(model, sight, s, w, lane));
      }
    }
    return first;
  }

  private void message(MachineState s, int w, int m, @Nullable Fingerprint into) {
    WordLayout table = model.words;
    int kind = table.kindOf[w];
    int field = table.message(w, m);
    int agent = s.words[field + AGENT];
    put(into, agent);
    put(into, tickOf(agent, s.words[field + TICK]));
    put(into, s.words[field + SCOPE]);
    put(into, cause(s, s.words[field + CAUSES]));
    for (int v = 0; v < table.releaseCount; v++) {
      put(into, release(s, s.words[field + RELEASES + v]));
    }
    for (int r = 0; r < table.founds[kind]; r++) {
      int lane = table.laneOf(w, r % table.finders[kind]);
      int found = s.words[table.found(w, m, r)];
      put(into, lane < 0 ? found : tickOf(model.agents.leader[lane], found));
    }
    if (into != null) {
      long value = s.wordValues[table.firstValue[w] + m];
      boolean first = agent < 0 && value == 0 && slopes.zeroStays(w);
      into.add(first ? 0 : valueOf(w, value));
      into.add(first ? 1 : 0);
      if (model.origins.on) {
        into.add(origin(s.wordValues[table.origin(w, m)]));
      }
    }
  }

  private void shadow(MachineState s, int memory, @Nullable Fingerprint into) {
    int fields = ShadowLayout.FIELDS + 2 * ShadowLayout.accesses(model);
    int base = model.firstShadow[memory];
    int added = -1;
    for (int i = 0; i < s.shadow[base]; i++) {
      int at = base + 1 + i * fields;
      if (added >= 0 && alike(s.shadow, added, at)) {
        continue;
      }
      added = at;
      put(into, s.shadow[at]);
      access(s.shadow[at + 1], s.shadow[at + 2], into);
      put(into, s.shadow[at + 3]);
      for (int p = at + ShadowLayout.FIELDS;
          p < at + ShadowLayout.FIELDS + 2 * s.shadow[at + 3];
          p += 2) {
        access(s.shadow[p], s.shadow[p + 1], into);
      }
    }
  }

  private void access(int component, int tick, @Nullable Fingerprint into) {
    put(into, component);
    if (component >= 0) {
      int rank = tickOf(component, tick >> ShadowLayout.MARKS);
      put(into, ((long) rank << ShadowLayout.MARKS) | (tick & ((1 << ShadowLayout.MARKS) - 1)));
    }
  }

  private static boolean alike(int[] shadow, int one, int other) {
    int length = ShadowLayout.FIELDS - 1 + 2 * shadow[one + 3];
    return shadow[one + 3] == shadow[other + 3]
        && Arrays.equals(shadow, one + 1, one + 1 + length, shadow, other + 1, other + 1 + length);
  }

  private void queue(MachineState s, int q, @Nullable Fingerprint into) {
    int room = RequestLayout.room(model);
    int header = q * (RequestLayout.HEADER + room * RequestLayout.FIELDS);
    int retired = s.requests[header + RequestLayout.RETIRED];
    int posted = s.requests[header + RequestLayout.POSTED];
    put(into, posted - retired);
    put(into, s.requests[header + RequestLayout.FETCHED] - retired);
    put(into, s.requests[header + RequestLayout.UNORDERED_COUNT]);
    for (int e = retired; e < posted; e++) {
      int slot = q * room + e % room;
      int f = header + RequestLayout.HEADER + e % room * RequestLayout.FIELDS;
      for (int i = 0; i < RequestLayout.FIELDS; i++) {
        put(
            into,
            switch (i) {
              case RequestLayout.ROW -> release(s, s.requests[f + i]);
              case RequestLayout.CAUSES -> cause(s, s.requests[f + i]);
              default -> s.requests[f + i];
            });
      }
      if (into != null) {
        request(s, q, f, slot, into);
      }
    }
  }

  private void request(MachineState s, int q, int f, int slot, Fingerprint into) {
    int word = s.requests[f + RequestLayout.WORD];
    int kind = s.requests[f + RequestLayout.KIND];
    int values = RequestLayout.VALUES * slot;
    boolean changes =
        word >= 0
            && (kind == Request.SLOT || kind == Request.WRITE_AND_SIGNAL || kind == Request.CHANGE);
    long slope = changes && s.requests[f + RequestLayout.CHANGE] != ADD ? slopes.word(word) : 0;
    // Other requests leave the values of an earlier request in their place.
    boolean valued = kind != Request.WRITE && kind != Request.READ && kind != Request.READ_BACK;
    if (valued) {
      long compared = s.requestValues[values + 1];
      into.add(value(s.requestValues[values], slope, word >= 0 && slopes.wordOrdered(word)));
      into.add(kind == Request.CHANGE && changes ? operandOf(word, compared) : compared);
      into.add(origin(s.requestValues[values + 2]));
    }
    int length = s.requests[f + RequestLayout.BYTES];
    if (s.requests[f + RequestLayout.STAGE] == 0 || kind == Request.SLOT || length == 0) {
      return;
    }
    int from = slot * RequestLayout.bytes(model);
    if (kind == Request.CHANGE) {
      long read = word < 0 ? 0 : slopes.word(word);
      into.add(moved(s.payload, from, length, read, word >= 0 && slopes.wordOrdered(word)));
    } else {
      boolean reads = kind == Request.READ;
      int rank = reads ? model.rank(model.agents.queueLane[q]) : model.agents.queuePeer[q];
      int buffer = s.requests[f + (reads ? RequestLayout.LOCAL : RequestLayout.REMOTE)];
      int at = s.requests[f + (reads ? RequestLayout.LOCAL_AT : RequestLayout.REMOTE_AT)];
      if (buffer < 0) {
        for (int i = 0; i < length; i++) {
          into.add(s.payload[from + i]);
        }
      } else {
        bytes(rank, model.base[buffer], at, length, s.payload, from, into);
      }
    }
  }
}
