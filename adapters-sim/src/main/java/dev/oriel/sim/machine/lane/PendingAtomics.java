package dev.oriel.sim.machine.lane;

import static dev.oriel.sim.machine.state.PendingAtomicLayout.CAUSES;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.CHANGE;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.FIELDS;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.OLDEST;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.SCOPE;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.SITE;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.TICK;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.VALUES;
import static dev.oriel.sim.machine.state.PendingAtomicLayout.WORD;

import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.PendingAtomicLayout;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;
import dev.oriel.sim.replay.ChoiceSource;

/**
 * Relaxed atomics without a result; they take effect later. A lane issues one and continues.
 * Atomics of one word take effect in order of issue. A lane waits for all of them when it ends,
 * uses the word itself, or releases or fences beyond its own threads. {@link PendingAtomicLayout}
 * holds them.
 *
 * <p>Acquires after the issue do not order the atomic. It may still enter coherence order before a
 * message that the lane is ordered after by then.
 */
public final class PendingAtomics {
  /** Whether any lane issues such an atomic; none does where every access takes effect at once. */
  public final boolean on;

  private final MachineModel model;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final ReleaseClocks releaseClocks;
  private final WordWrites writes;
  private final DataWords dataWords;
  private final FindingReporter reports;
  private final int room;

  public PendingAtomics(SharedSubsystems shared) {
    model = shared.model;
    clocks = shared.clocks;
    words = shared.words;
    releaseClocks = shared.releaseClocks;
    writes = shared.writes;
    dataWords = shared.dataWords;
    reports = shared.reports;
    room = PendingAtomicLayout.room(model);
    on = room > 0;
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
  public boolean any(MachineState s, int lane) {
    return on && s.updates[header(lane)] > 0;
  }

  /** Whether an atomic of the lane on one of those words has yet to take effect. */
  public boolean any(MachineState s, int lane, int firstWord, int count) {
    for (int i = 0; i < s.updates[header(lane)]; i++) {
      int word = s.updates[entry(lane, i) + WORD];
      if (word >= firstWord && word < firstWord + count) {
        return true;
      }
    }
    return false;
  }

  /** Whether an atomic of the lane on a word of that range has yet to take effect. */
  public boolean any(MachineState s, int lane, int rank, int buffer, long offset, long length) {
    int at = rank * model.buffers + model.base[buffer];
    if (!model.words.hasWords(at) || offset < 0 || offset + length > model.bytes[at]) {
      return false;
    }
    int first = model.words.word(at, (int) offset);
    int end = model.words.word(at, (int) (offset + length + Long.BYTES - 1));
    return any(s, lane, first, end - first);
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
  public void intent(MachineState s, int lane, StepFootprint into) {
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
  public void perform(MachineState s, int lane, ChoiceSource branch) {
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
    releaseClocks.ofLane(s, lane, scope, false);
    releaseClocks.own(s, word, lane);
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
      clocks.joinLeaderCauses(s, lane, s.updateCauses[lane]);
      s.updateCauses[lane] = 0;
    }
  }
}
