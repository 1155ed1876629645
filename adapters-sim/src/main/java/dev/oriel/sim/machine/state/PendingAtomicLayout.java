package dev.oriel.sim.machine.state;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.PermutedPlaces;

/**
 * Layout of pending atomics in a state, see {@code PendingAtomics}.
 *
 * <pre>
 * lane     count | atomics, oldest first
 * atomic   word | kind | scope | causal clock | place in the code | tick of its issue
 *          | number of the oldest message that the lane could read at the issue
 * </pre>
 */
public final class PendingAtomicLayout {
  public static final int WORD = 0;
  public static final int CHANGE = 1;
  public static final int SCOPE = 2;
  public static final int CAUSES = 3;
  public static final int SITE = 4;
  public static final int TICK = 5;
  public static final int OLDEST = 6;
  public static final int FIELDS = 7;

  /** Of each atomic: its operand, the value it is compared with, and the operand's provenance. */
  public static final int VALUES = 3;

  private PendingAtomicLayout() {}

  /** How many atomics a lane may have pending; 0 if no lane issues such atomics. */
  public static int room(MachineModel model) {
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

  /** Renames lanes and words; clock snapshots keep their numbers. */
  public static void relabel(
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

  /** Whether an atomic of that component on the word has yet to take effect. */
  public static boolean pending(MachineModel model, MachineState s, int component, int word) {
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

  /** The number of the oldest message of the word that a pending atomic may follow. */
  public static int oldest(MachineModel model, MachineState s, int word, int newest) {
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
  public static void moveUp(MachineModel model, MachineState s, int word, int number) {
    int size = s.updates.length / model.lanes;
    for (int header = 0; header < s.updates.length; header += size) {
      for (int e = header + 1; e < header + 1 + s.updates[header] * FIELDS; e += FIELDS) {
        boolean later = s.updates[e + WORD] == word && s.updates[e + OLDEST] >= number;
        s.updates[e + OLDEST] += later ? 1 : 0;
      }
    }
  }
}
