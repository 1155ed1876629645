package dev.oriel.sim.machine;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.PermutedPlaces;
import dev.oriel.sim.replay.ChoiceSource;
import org.jspecify.annotations.Nullable;

/**
 * Relaxed atomics without a result; they take effect later. A lane issues one and continues.
 * Atomics of one word take effect in order of issue. A lane waits for all of them when it ends,
 * uses the word itself, or releases or fences beyond its own threads.
 *
 * <pre>
 * lane     count | atomics, oldest first
 * atomic   word | kind | scope | causal clock | place in the code | tick of its issue
 *          | number of the oldest message that the lane could read at the issue
 * </pre>
 *
 * <p>Acquires after the issue do not order the atomic. It may still enter coherence order before a
 * message that the lane is ordered after by then.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class PendingAtomics {
  private static final int WORD = 0;
  private static final int CHANGE = 1;
  private static final int SCOPE = 2;
  private static final int CAUSES = 3;
  private static final int SITE = 4;
  private static final int TICK = 5;
  private static final int OLDEST = 6;
  private static final int FIELDS = 7;

  /** Of each atomic: its operand, the value it is compared with, and the operand's provenance. */
  private static final int VALUES = 3;

  /** Whether any lane issues such an atomic; none does where every access takes effect at once. */
  final boolean on;

  private final MachineModel model;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final ReleaseClocks heads;
  private final WordWrites writes;
  private final DataWords dataWords;
  private final FindingReporter reports;
  private final int room;

  PendingAtomics(SharedSubsystems shared) {
    model = shared.model;
    clocks = shared.clocks;
    words = shared.words;
    heads = shared.heads;
    writes = shared.writes;
    dataWords = shared.dataWords;
    reports = shared.reports;
    room = room(model);
    on = room > 0;
  }

  private static int room(MachineModel model) {
    return model.scan.updates && !model.profile.ordered()
        ? model.sizes.of("updates under way", 2)
        : 0;
  }

  static int fields(MachineModel model) {
    return room(model) == 0 ? 0 : model.lanes * (1 + FIELDS * room(model));
  }

  static int values(MachineModel model) {
    return VALUES * model.lanes * room(model);
  }

  static void digest(MachineModel model, MachineState s, Fingerprint into) {
    int room = room(model);
    for (int l = 0; room > 0 && l < model.lanes; l++) {
      int at = l * (1 + FIELDS * room);
      into.add(s.updates[at] * 31L + s.causes.hash(s.updateCauses[l]));
      for (int i = 0; i < s.updates[at]; i++) {
        for (int f = 0; f < FIELDS; f++) {
          int field = s.updates[at + 1 + i * FIELDS + f];
          into.add(f == CAUSES ? s.causes.hash(field) : field);
        }
        for (int v = 0; v < VALUES; v++) {
          into.add(s.updateValues[VALUES * (l * room + i) + v]);
        }
      }
    }
  }

  /** Visits all atomics as {@link #digest} does, without the launches before. */
  static void visit(
      MachineModel model,
      MachineState s,
      LaunchRelativeDigest relative,
      @Nullable Fingerprint into) {
    int room = room(model);
    for (int l = 0; room > 0 && l < model.lanes; l++) {
      int at = l * (1 + FIELDS * room);
      long found = relative.cause(s, s.updateCauses[l]);
      if (into != null) {
        into.add(s.updates[at] * 31L + found);
      }
      for (int i = 0; i < s.updates[at]; i++) {
        int e = at + 1 + i * FIELDS;
        int word = s.updates[e + WORD];
        long causes = relative.cause(s, s.updates[e + CAUSES]);
        int tick = relative.tickOf(model.agents.leader[l], s.updates[e + TICK]);
        if (into != null) {
          into.add(word);
          into.add(s.updates[e + CHANGE]);
          into.add(s.updates[e + SCOPE]);
          into.add(causes);
          into.add(s.updates[e + SITE]);
          into.add(tick);
          into.add(s.updates[e + OLDEST] - s.words[model.words.fields[word]]);
          int values = VALUES * (l * room + i);
          boolean adds = s.updates[e + CHANGE] == Atomic.ADD.ordinal();
          into.add(adds ? s.updateValues[values] : relative.valueOf(word, s.updateValues[values]));
          into.add(relative.operandOf(word, s.updateValues[values + 1]));
          into.add(relative.origin(s.updateValues[values + 2]));
        }
      }
    }
  }

  /** Renames lanes and words; clock snapshots keep their numbers. */
  static void relabel(
      MachineModel model, MachineState from, MachineState to, int[] lane, PermutedPlaces places) {
    int room = room(model);
    for (int l = 0; room > 0 && l < model.lanes; l++) {
      int size = 1 + FIELDS * room;
      int into = lane[l] * size;
      System.arraycopy(from.updates, l * size, to.updates, into, size);
      for (int i = 0; i < from.updates[l * size]; i++) {
        int word = into + 1 + i * FIELDS + WORD;
        to.updates[word] = places.word(to.updates[word]);
      }
      int values = VALUES * room;
      System.arraycopy(from.updateValues, l * values, to.updateValues, lane[l] * values, values);
      to.updateCauses[lane[l]] = from.updateCauses[l];
    }
  }

  private int header(int lane) {
    return lane * (1 + FIELDS * room);
  }

  private int entry(int lane, int number) {
    return header(lane) + 1 + number * FIELDS;
  }

  private int value(int lane, int number) {
    return VALUES * (lane * room + number);
  }

  /** Whether an atomic of the lane has yet to take effect. */
  boolean any(MachineState s, int lane) {
    return on && s.updates[header(lane)] > 0;
  }

  /** Whether an atomic of the lane on one of those words has yet to take effect. */
  boolean any(MachineState s, int lane, int firstWord, int count) {
    for (int i = 0; i < s.updates[header(lane)]; i++) {
      int word = s.updates[entry(lane, i) + WORD];
      if (word >= firstWord && word < firstWord + count) {
        return true;
      }
    }
    return false;
  }

  /** Whether an atomic of the lane on a word of that range has yet to take effect. */
  boolean any(MachineState s, int lane, int rank, int buffer, long offset, long length) {
    int at = rank * model.buffers + model.base[buffer];
    if (!model.words.hasWords(at) || offset < 0 || offset + length > model.bytes[at]) {
      return false;
    }
    int first = model.words.word(at, (int) offset);
    int end = model.words.word(at, (int) (offset + length + Long.BYTES - 1));
    return any(s, lane, first, end - first);
  }

  /** Whether an atomic of that component on the word has yet to take effect. */
  static boolean pending(MachineModel model, MachineState s, int component, int word) {
    int lane = model.agents.laneOf[component];
    if (s.updates.length == 0 || lane < 0 || model.agents.leader[lane] != component) {
      return false;
    }
    int header = lane * (s.updates.length / model.lanes);
    for (int i = 0; i < s.updates[header]; i++) {
      if (s.updates[header + 1 + i * FIELDS + WORD] == word) {
        return true;
      }
    }
    return false;
  }

  /** The lane issues an atomic. */
  void issue(
      MachineState s,
      int lane,
      int word,
      int change,
      long operand,
      long compare,
      long origin,
      int scope) {
    int count = s.updates[header(lane)];
    if (count == room) {
      throw model.sizes.grow("updates under way", room + 1);
    }
    int e = entry(lane, count);
    s.updates[e + WORD] = word;
    s.updates[e + CHANGE] = change;
    s.updates[e + SCOPE] = scope;
    s.updates[e + CAUSES] = clocks.causes(s, lane, false);
    s.updates[e + SITE] = s.at[lane];
    s.updates[e + TICK] = clocks.tick(s, model.agents.leader[lane]);
    s.updates[e + OLDEST] = words.number(s, word, words.oldest(s, word, lane));
    s.updateValues[value(lane, count)] = operand;
    s.updateValues[value(lane, count) + 1] = compare;
    s.updateValues[value(lane, count) + 2] = origin;
    s.updates[header(lane)]++;
    words.footprint.changed(word);
  }

  /** Notes the words that the lane's atomics may change next. */
  void intent(MachineState s, int lane, StepFootprint into) {
    for (int i = 0; i < s.updates[header(lane)]; i++) {
      into.changed(s.updates[entry(lane, i) + WORD]);
    }
  }

  private boolean first(MachineState s, int lane, int number) {
    for (int i = 0; i < number; i++) {
      if (s.updates[entry(lane, i) + WORD] == s.updates[entry(lane, number) + WORD]) {
        return false;
      }
    }
    return true;
  }

  /** One of the lane's atomics takes effect: the oldest of its word. */
  void perform(MachineState s, int lane, ChoiceSource branch) {
    int ways = 0;
    for (int i = 0; i < s.updates[header(lane)]; i++) {
      ways += first(s, lane, i) ? 1 : 0;
    }
    int left = branch.choose(ways);
    int number = 0;
    while (!first(s, lane, number) || left-- > 0) {
      number++;
    }
    perform(s, lane, number, branch);
  }

  private void perform(MachineState s, int lane, int number, ChoiceSource branch) {
    int e = entry(lane, number);
    int word = s.updates[e + WORD];
    int change = s.updates[e + CHANGE];
    int scope = s.updates[e + SCOPE];
    reports.performs(s, lane, s.updates[e + SITE]);
    boolean reads = words.reads(change, false);
    int after = words.predecessorFrom(s, word, oldest(s, lane, e), branch);
    words.requireReached(s, word, after, lane, scope);
    int found = 0;
    if (reads) {
      found = words.takeUnseen(s, word, after, lane, scope);
    } else {
      words.replace(s, word, after, lane, scope);
    }
    s.updateCauses[lane] = s.causes.joined(s.updateCauses[lane], found);
    int causes = s.causes.joined(s.updates[e + CAUSES], found);
    heads.ofLane(s, lane, scope, false);
    heads.own(s, word, lane);
    long operand = s.updateValues[value(lane, number)];
    long compare = s.updateValues[value(lane, number) + 1];
    int leader = model.agents.leader[lane];
    int issued = s.updates[e + TICK];
    writes.from(s.updateValues[value(lane, number) + 2]);
    writes.write(s, leader, word, after, change, operand, compare, scope, causes, false, reads);
    words.happened(s, word, writes.entered(), issued);
    dataWords.changed(s, word);
    drop(s, lane, number);
  }

  /** The first message after which the atomic may enter: none before the lane's earlier writes. */
  private int oldest(MachineState s, int lane, int entry) {
    int word = s.updates[entry + WORD];
    int oldest = s.updates[entry + OLDEST] - words.number(s, word, 0);
    int own = words.count(s, word) - 1;
    while (own > oldest && words.agent(s, word, own) != model.agents.leader[lane]) {
      own--;
    }
    return own;
  }

  /** The number of the oldest message of the word that a pending atomic may follow. */
  static int oldest(MachineModel model, MachineState s, int word, int newest) {
    int oldest = newest;
    int size = s.updates.length / model.lanes;
    for (int header = 0; header < s.updates.length; header += size) {
      for (int e = header + 1; e < header + 1 + s.updates[header] * FIELDS; e += FIELDS) {
        oldest = s.updates[e + WORD] == word ? Math.min(oldest, s.updates[e + OLDEST]) : oldest;
      }
    }
    return oldest;
  }

  /** Renumbers after a message entered the word before those from that number on. */
  static void moveUp(MachineModel model, MachineState s, int word, int number) {
    int size = s.updates.length / model.lanes;
    for (int header = 0; header < s.updates.length; header += size) {
      for (int e = header + 1; e < header + 1 + s.updates[header] * FIELDS; e += FIELDS) {
        boolean later = s.updates[e + WORD] == word && s.updates[e + OLDEST] >= number;
        s.updates[e + OLDEST] += later ? 1 : 0;
      }
    }
  }

  private void drop(MachineState s, int lane, int number) {
    int left = --s.updates[header(lane)] - number;
    System.arraycopy(
        s.updates, entry(lane, number + 1), s.updates, entry(lane, number), left * FIELDS);
    System.arraycopy(
        s.updateValues,
        value(lane, number + 1),
        s.updateValues,
        value(lane, number),
        VALUES * left);
  }

  /**
   * All atomics of the lane have taken effect: orders the lane after the messages that they read.
   */
  void over(MachineState s, int lane) {
    if (on && s.updateCauses[lane] != 0) {
      clocks.standsToo(s, lane, s.updateCauses[lane]);
      s.updateCauses[lane] = 0;
    }
  }
}
