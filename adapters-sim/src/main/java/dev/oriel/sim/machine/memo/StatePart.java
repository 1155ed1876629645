package dev.oriel.sim.machine.memo;

import dev.oriel.sim.machine.agent.StepLocality;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.rows.FlatClockTable;
import dev.oriel.sim.machine.rows.InternedSnapshots;
import dev.oriel.sim.machine.state.MachineState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a state that belongs to one rank, or to one queue: ranges of its arrays. All parts
 * together are the whole state of a program to which {@link StepLocality} applies.
 */
@SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // it is about those very arrays
final class StatePart {
  /** A copy of a part's contents, in pages; equal to a copy with the same contents. */
  static final class Version {
    private final int[][] ints;
    private final long[][] longs;

    /** The hash of each page, those of ints first. */
    private final int[] hashes;

    private int hash;
    private int own;

    private Version(int ints, int longs) {
      this.ints = new int[ints][];
      this.longs = new long[longs][];
      hashes = new int[ints + longs];
    }

    /** How many words it takes that the version nearby does not have. */
    int size() {
      return own + hashes.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Version v
          && hash == v.hash
          && Arrays.equals(hashes, v.hashes)
          && same(v);
    }

    private boolean same(Version v) {
      for (int k = 0; k < ints.length; k++) {
        if (ints[k] != v.ints[k] && !Arrays.equals(ints[k], v.ints[k])) {
          return false;
        }
      }
      for (int k = 0; k < longs.length; k++) {
        if (longs[k] != v.longs[k] && !Arrays.equals(longs[k], v.longs[k])) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * A range of an array.
   *
   * @param whole whether the range belongs to the state's digest as it is; others follow from the
   *     rest of the state, or {@link #digest} adds what matters of them
   */
  private record Ints(int[] array, int from, int length, boolean whole) {}

  private record Longs(long[] array, int from, int length, boolean whole) {}

  private record Flags(boolean[] array, int from, int length) {}

  /**
   * Some adjacent ranges of ints and flags, in one array of a version. Versions share the arrays
   * that are equal.
   */
  private static final class IntPage {
    private final List<Ints> ints = new ArrayList<>();
    private final List<Flags> flags = new ArrayList<>();
    private int length;
    private int @Nullable [] spare;

    boolean holds(int[] page) {
      int at = 0;
      for (Ints range : ints) {
        int end = at + range.length;
        if (!Arrays.equals(range.array, range.from, range.from + range.length, page, at, end)) {
          return false;
        }
        at = end;
      }
      for (Flags range : flags) {
        for (int k = 0; k < range.length; k++) {
          if (range.array[range.from + k] != (page[at++] != 0)) {
            return false;
          }
        }
      }
      return true;
    }

    /** Overwrites the last copy, unless that is kept. */
    int[] copy() {
      int[] page = spare == null ? new int[length] : spare;
      spare = page;
      int at = 0;
      for (Ints range : ints) {
        System.arraycopy(range.array, range.from, page, at, range.length);
        at += range.length;
      }
      for (Flags range : flags) {
        for (int k = 0; k < range.length; k++) {
          page[at++] = range.array[range.from + k] ? 1 : 0;
        }
      }
      return page;
    }

    void keep(int[] page) {
      spare = page == spare ? null : spare;
    }

    void load(int[] page) {
      int at = 0;
      for (Ints range : ints) {
        System.arraycopy(page, at, range.array, range.from, range.length);
        at += range.length;
      }
      for (Flags range : flags) {
        for (int k = 0; k < range.length; k++) {
          range.array[range.from + k] = page[at++] != 0;
        }
      }
    }
  }

  /** The same of longs. */
  private static final class LongPage {
    private final List<Longs> longs = new ArrayList<>();
    private int length;
    private long @Nullable [] spare;

    boolean holds(long[] page) {
      int at = 0;
      for (Longs range : longs) {
        int end = at + range.length;
        if (!Arrays.equals(range.array, range.from, range.from + range.length, page, at, end)) {
          return false;
        }
        at = end;
      }
      return true;
    }

    /** Overwrites the last copy, unless that is kept. */
    long[] copy() {
      long[] page = spare == null ? new long[length] : spare;
      spare = page;
      int at = 0;
      for (Longs range : longs) {
        System.arraycopy(range.array, range.from, page, at, range.length);
        at += range.length;
      }
      return page;
    }

    void keep(long[] page) {
      spare = page == spare ? null : spare;
    }

    void load(long[] page) {
      int at = 0;
      for (Longs range : longs) {
        System.arraycopy(page, at, range.array, range.from, range.length);
        at += range.length;
      }
    }
  }

  /** A place that holds the number of a clock snapshot. */
  private record Reference(int[] array, int at) {}

  /** Elements of a page: so many are copied where one changes. */
  private static final int PAGE = 64;

  private final List<Ints> ints = new ArrayList<>();
  private final List<Longs> longs = new ArrayList<>();
  private final List<Flags> flags = new ArrayList<>();
  private final List<Reference> releases = new ArrayList<>();
  private final List<Reference> causes = new ArrayList<>();

  /** The same ranges again, in pieces. */
  private final List<IntPage> intPages = new ArrayList<>();

  private final List<LongPage> longPages = new ArrayList<>();

  /** What {@link #version} fills. */
  private @Nullable Version spare;

  /** Adds what matters of words, or of requests. */
  private final Consumer<Fingerprint> rest;

  private StatePart(Consumer<Fingerprint> rest) {
    this.rest = rest;
  }

  private void ints(int[] array, int from, int end) {
    ints(array, from, end, true);
  }

  private void ints(int[] array, int from, int end, boolean whole) {
    Ints before = ints.isEmpty() ? null : ints.getLast();
    boolean goesOn = before != null && before.array == array && before.from + before.length == from;
    int first = goesOn ? ints.removeLast().from : from;
    ints.add(new Ints(array, first, end - first, whole));
  }

  private void longs(long[] array, int from, int end) {
    longs(array, from, end, true);
  }

  private void longs(long[] array, int from, int end, boolean whole) {
    Longs before = longs.isEmpty() ? null : longs.getLast();
    boolean goesOn = before != null && before.array == array && before.from + before.length == from;
    int first = goesOn ? longs.removeLast().from : from;
    longs.add(new Longs(array, first, end - first, whole));
  }

  private void flags(boolean[] array, int from, int end) {
    flags.add(new Flags(array, from, end - from));
  }

  /** Adds adjacent rows; they are {@link FlatClockTable flat} where steps are memoised. */
  private void rows(ClockTable rows, int from, int end) {
    ints(((FlatClockTable) rows).cells, from * rows.width, end * rows.width);
  }

  /** Adds clocks of adjacent components, and up to where each is settled. */
  private void components(MachineState s, int from, int end) {
    rows(s.clocks, from, end);
    ints(s.settled, from, end);
  }

  /** The part of the rank: its memory and words, its lanes and its caller. */
  static StatePart rank(MachineModel model, MachineState s, int rank) {
    StatePart part = new StatePart(into -> digestWords(model, s, rank, into));
    int first = model.firstLane[rank];
    int end = model.firstLane[rank + 1];
    for (int l = first; l < end; l++) {
      part.lane(model, s, l);
    }
    part.ints(s.at, first, end);
    part.flags(s.ended, first, end);
    part.ints(s.failure, first, end);
    part.ints(s.wantedSlot, first, end, false);
    part.ints(s.wantedQueue, first, end, false);
    part.longs(s.wantedValue, first, end, false);
    part.ints(s.fencedRow, first, end, false);
    part.ints(s.causesRow, 2 * first, 2 * end, false);
    part.ints(s.launched, rank, rank + 1);
    part.flags(s.callerDue, rank, rank + 1);
    part.flags(s.aborted, rank, rank + 1);
    part.components(s, model.agents.caller[rank], model.agents.caller[rank] + 1);
    int caller = CausalClockIndex.caller(model, rank);
    part.rows(s.seen, caller, caller + 1);
    part.memory(model, s, rank);
    part.words(model, s, rank);
    return part.paged();
  }

  private void lane(MachineModel model, MachineState s, int lane) {
    AgentLayout agents = model.agents;
    int register = model.firstRegister[lane];
    longs(s.registers, register, register + model.lane(lane).registers());
    if (model.origins.on) {
      int origins = model.registers + register;
      longs(s.registers, origins, origins + model.lane(lane).registers());
    }
    int next = lane + 1 < model.lanes ? agents.leader[lane + 1] : agents.caller[0];
    components(s, agents.leader[lane], next);
    int fenced = ClockIndex.fenced(model, lane, 0);
    rows(s.clocks, fenced, fenced + model.levels);
    int pending = ClockIndex.pending(model, lane, 0);
    rows(s.clocks, pending, pending + model.levels);
    rows(s.seen, 2 * lane, 2 * (lane + 1));
    int fresh = CausalClockIndex.fresh(model, lane);
    rows(s.seen, fresh, fresh + 1);
    releases.add(new Reference(s.fencedRow, lane));
    causes.add(new Reference(s.causesRow, 2 * lane));
    causes.add(new Reference(s.causesRow, 2 * lane + 1));
  }

  private void memory(MachineModel model, MachineState s, int rank) {
    for (int b = 0; b < model.buffers; b++) {
      int memory = rank * model.buffers + b;
      int first = model.firstByte[memory];
      if (model.base[b] == b) {
        longs(s.bytes, first, first + model.bytes[memory]);
        if (s.before.length > 0) {
          longs(s.before, first, first + model.bytes[memory]);
        }
      }
      ints(s.shadow, model.firstShadow[memory], model.firstShadow[memory + 1]);
    }
  }

  private void words(MachineModel model, MachineState s, int rank) {
    WordLayout table = model.words;
    for (int w = 0; w < table.count; w++) {
      if (table.owner[w] != rank) {
        continue;
      }
      boolean last = w + 1 == table.count;
      ints(s.words, table.fields[w], last ? table.fieldCount : table.fields[w + 1], false);
      longs(s.wordValues, table.values[w], last ? table.valueCount : table.values[w + 1], false);
      int kind = table.kindOf[w];
      for (int r = 0; r < table.readers[kind]; r++) {
        for (int v = 0; v < table.readerReleases(kind); v++) {
          releases.add(new Reference(s.words, table.own(w, r) + v));
        }
      }
      for (int m = 0; m < table.room[kind]; m++) {
        int message = table.firstMessage[w] + m * table.message;
        causes.add(new Reference(s.words, message + WordLayout.RELEASES - 1));
        for (int v = 0; v < table.releaseCount; v++) {
          releases.add(new Reference(s.words, message + WordLayout.RELEASES + v));
        }
      }
    }
  }

  private static void digestWords(MachineModel model, MachineState s, int rank, Fingerprint into) {
    for (int w = 0; w < model.words.count; w++) {
      if (model.words.owner[w] == rank) {
        WordLayout.digest(model, w, s.words, s.wordValues, s.releases, s.causes, into);
      }
    }
  }

  /** The part of the queue: its requests, and the clocks of its stages. */
  static StatePart queue(MachineModel model, MachineState s, int queue) {
    StatePart part =
        new StatePart(into ->
            RequestLayout.digest(
                model, queue, s.requests, s.requestValues, s.payload, s.releases, s.causes, into));
    AgentLayout agents = model.agents;
    boolean last = queue + 1 == agents.queues;
    part.components(s, agents.fetch[queue], last ? agents.components : agents.fetch[queue + 1]);
    int arranged = ClockIndex.arranged(model, queue);
    part.rows(s.clocks, arranged, arranged + 1);
    if (model.scan.arranges) {
      int before = CausalClockIndex.arranged(model, queue);
      part.rows(s.seen, before, before + 1);
    }
    if (model.scan.finds) {
      int found = CausalClockIndex.found(model, queue);
      part.rows(s.seen, found, found + 1);
    }
    if (model.scan.anyUnordered) {
      int inOrder = ClockIndex.inOrder(model, queue);
      part.rows(s.clocks, inOrder, inOrder + 1);
    }
    int room = RequestLayout.room(model);
    int fields = RequestLayout.HEADER + room * RequestLayout.FIELDS;
    part.ints(s.requests, queue * fields, (queue + 1) * fields, false);
    int values = RequestLayout.VALUES * room;
    part.longs(s.requestValues, queue * values, (queue + 1) * values, false);
    int payload = room * RequestLayout.bytes(model);
    part.longs(s.payload, queue * payload, (queue + 1) * payload, false);
    for (int i = 0; i < room; i++) {
      int request = queue * fields + RequestLayout.HEADER + i * RequestLayout.FIELDS;
      part.releases.add(new Reference(s.requests, request + RequestLayout.ROW));
      part.causes.add(new Reference(s.requests, request + RequestLayout.CAUSES));
    }
    return part.paged();
  }

  /** Divides all ranges into pages. */
  private StatePart paged() {
    IntPage some = new IntPage();
    for (Ints range : ints) {
      for (int done = 0; done < range.length; ) {
        int length = Math.min(range.length - done, PAGE - some.length);
        some.ints.add(new Ints(range.array, range.from + done, length, range.whole));
        some.length += length;
        done += length;
        some = some.length < PAGE ? some : next(some);
      }
    }
    for (Flags range : flags) {
      some.flags.add(range);
      some.length += range.length;
    }
    if (some.length > 0) {
      intPages.add(some);
    }
    LongPage page = new LongPage();
    for (Longs range : longs) {
      for (int done = 0; done < range.length; ) {
        int length = Math.min(range.length - done, PAGE - page.length);
        page.longs.add(new Longs(range.array, range.from + done, length, range.whole));
        page.length += length;
        done += length;
        if (page.length == PAGE) {
          longPages.add(page);
          page = new LongPage();
        }
      }
    }
    if (page.length > 0) {
      longPages.add(page);
    }
    return this;
  }

  private IntPage next(IntPage full) {
    intPages.add(full);
    return new IntPage();
  }

  /**
   * Adds the part's contents, clock snapshots by their contents and not by their numbers. Two
   * states have the same digest exactly if all their parts do.
   */
  void digest(Fingerprint into) {
    for (Ints range : ints) {
      if (range.whole) {
        into.add(range.array, range.from, range.length);
      }
    }
    for (Longs range : longs) {
      if (range.whole) {
        into.add(range.array, range.from, range.length);
      }
    }
    for (Flags range : flags) {
      for (int k = 0; k < range.length; k++) {
        into.add(range.array[range.from + k] ? 1 : 0);
      }
    }
    rest.accept(into);
  }

  /**
   * Whether parts hold all that changes: the rest of the state is empty. The counts of steps stay 0
   * without faults, and the enabled agents follow from the parts.
   */
  static boolean holdAll(MachineState s) {
    return s.locks.length + s.proxies.length + s.named.length == 0
        && s.updates.length + s.updateValues.length + s.updateCauses.length == 0;
  }

  /**
   * The part's contents, once its rows are {@link #settle settled}. The next call overwrites it
   * unless it is {@link #keep kept}.
   *
   * @param near a version whose pages are taken where they are equal
   */
  Version version(@Nullable Version near) {
    Version version = spare == null ? new Version(intPages.size(), longPages.size()) : spare;
    spare = version;
    version.own = 0;
    int hash = 0;
    for (int k = 0; k < intPages.size(); k++) {
      IntPage page = intPages.get(k);
      if (near != null && page.holds(near.ints[k])) {
        version.ints[k] = near.ints[k];
        version.hashes[k] = near.hashes[k];
      } else {
        version.ints[k] = page.copy();
        version.hashes[k] = Arrays.hashCode(version.ints[k]);
        version.own += page.length / 2;
      }
      hash = 31 * hash + version.hashes[k];
    }
    int ints = intPages.size();
    for (int k = 0; k < longPages.size(); k++) {
      LongPage page = longPages.get(k);
      if (near != null && page.holds(near.longs[k])) {
        version.longs[k] = near.longs[k];
        version.hashes[ints + k] = near.hashes[ints + k];
      } else {
        version.longs[k] = page.copy();
        version.hashes[ints + k] = Arrays.hashCode(version.longs[k]);
        version.own += page.length;
      }
      hash = 31 * hash + version.hashes[ints + k];
    }
    version.hash = hash;
    return version;
  }

  /** Nothing overwrites the last {@link #version} from now on. */
  void keep() {
    Version kept = spare;
    spare = null;
    for (int k = 0; kept != null && k < intPages.size(); k++) {
      intPages.get(k).keep(kept.ints[k]);
    }
    for (int k = 0; kept != null && k < longPages.size(); k++) {
      longPages.get(k).keep(kept.longs[k]);
    }
  }

  /**
   * Restores the part's contents.
   *
   * @param held the version that the arrays hold now, if that is known
   */
  void load(Version version, @Nullable Version held) {
    for (int k = 0; k < intPages.size(); k++) {
      if (held == null || held.ints[k] != version.ints[k]) {
        intPages.get(k).load(version.ints[k]);
      }
    }
    for (int k = 0; k < longPages.size(); k++) {
      if (held == null || held.longs[k] != version.longs[k]) {
        longPages.get(k).load(version.longs[k]);
      }
    }
  }

  /** Marks new rows that the part refers to. */
  void mark(InternedSnapshots releaseRows, InternedSnapshots causeRows) {
    releases.forEach(r -> releaseRows.mark(r.array[r.at]));
    causes.forEach(r -> causeRows.mark(r.array[r.at]));
  }

  /** Replaces references to new rows by their final numbers. */
  void settle(InternedSnapshots releaseRows, InternedSnapshots causeRows) {
    releases.forEach(r -> r.array[r.at] = releaseRows.number(r.array[r.at]));
    causes.forEach(r -> r.array[r.at] = causeRows.number(r.array[r.at]));
  }
}
