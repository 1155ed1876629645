package dev.oriel.sim.machine.layout;

import dev.oriel.sim.machine.finding.StateCapacityException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.rows.ClockSnapshots;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Layout of the words that synchronise. They are every signal slot, every packet, and every aligned
 * 64-bit word of a buffer whose words are changed or awaited. Words of one kind have the same
 * readers and room.
 *
 * <pre>
 * kinds   signals first, then packets of each buffer, then words of each buffer
 * word    first message's number | messages | readers | messages' fields | for each message: founds
 * reader  view | for each await that is remembered, newest first: taken, comparison | own clocks
 *         | observed clocks
 * found   for each reader: its tick when it first read the message, 0 if nothing depends on that;
 *         | where interfaces hide writes, for each reader: its tick at the first step that makes
 *         writes visible after it is ordered after such a read, 0 if there was none
 * </pre>
 *
 * <p>A lane's own clocks hold what it released at a word of a buffer. Each later strong write of
 * the lane there releases them again, even if others wrote the word since.
 *
 * <p>A lane may read a word first without an acquire and later with one. It then acquires what the
 * first read observed, too: PTX takes both for one acquire pattern. The observed clocks hold this,
 * for words that some lane reads in several ways.
 *
 * <p>An agent that is ordered after a strong read of a message does not read an older message. This
 * holds even if it is not ordered after the message's writer. So a read of a message counts like
 * the write itself. Reads are recorded only where the reader did not become ordered after the
 * write; otherwise an agent ordered after the read is ordered after the write anyway.
 */
public final class WordLayout {
  /** Fields of a message: its component, tick, scope and causal clock, then its release clocks. */
  public static final int AGENT = 0;

  public static final int TICK = 1;
  public static final int SCOPE = 2;
  public static final int CAUSES = 3;
  public static final int RELEASES = 4;

  /** The release clock for readers of the writer's own lane. */
  public static final int FOR_LANE = 1;

  private static final int FIRST_CLUSTER = 2;

  /** Bit in the scope field: an atomic wrote the message, and read the one before it. */
  public static final int UPDATES = 4;

  /** Bit in the scope field: the message carries on what agents other than its writer released. */
  public static final int CARRIES = 8;

  /** Bit in the scope field: a write of only a part of a packet made the message. */
  public static final int PARTS = 16;

  private static final int SCOPES = 32;

  /** Fields of a reader: the message it read last, and its remembered awaits. */
  public static final int VIEW = 0;

  public static final int TAKEN = 1;
  public static final int COMPARISON = 2;

  static final int HEADER = 2;
  private static final int FIRST_ROOM = 2;
  private static final int FIRST_AWAITS = 2;

  public final int count;
  final int kinds;
  private final int firstOfWords;
  public final int signals;

  /** For each word: its kind, where its fields start, where its values start. */
  public final int[] kindOf;

  public final int[] fields;
  public final int[] values;

  /** For each word: where its messages' fields and values start. */
  public final int[] firstMessage;

  public final int[] firstValue;
  public final int fieldCount;
  public final int valueCount;

  /** For each kind: messages that a word holds, and how many readers it has. */
  public final int[] room;

  public final int[] readers;

  /** For each kind: the readers whose reads are recorded, all of them or none. */
  public final int[] finders;

  /** For each kind: how many fields of a message record reads. */
  public final int[] founds;

  /** For each kind: how many awaits of a reader are remembered. */
  public final int[] awaits;

  /** How many scopes are distinguished. */
  private final int levels;

  /** How many clusters have several lanes. */
  private final int clusters;

  private final int world;

  /**
   * How many release clocks a message has. A reader acquires a release if the scopes of that
   * release and of the acquire hold both lanes. So the clocks are distinguished by the place of the
   * agent that released. This need not be the writer, as an atomic carries on what it read.
   *
   * <pre>
   * any          what any agent released with system scope, for interfaces
   * for lane     what the writer released, for its own lane
   * in cluster   by cluster: what its lanes released, for readers of that cluster
   * in group     by rank: what its GPU released, for readers of that GPU
   * out of group by rank, and one more for all interfaces: what was released there with system
   *              scope, for all other readers
   * </pre>
   *
   * <p>Where every scope reaches every agent, the first clock suffices.
   */
  public final int releaseCount;

  /** Kinds whose readers have observed clocks. */
  private final BitSet mixed = new BitSet();

  /** For each kind and lane: the number of that reader, -1 if it is none. */
  private final int[][] readerOf;

  /** For each kind, by rank * readers + number: the lane of that reader, -1 for none. */
  private final int[][] laneOfReader;

  /** By owner * signals + signal, and by owner * buffers + buffer: the first word; -1 for none. */
  private final int[] firstSlot;

  private final int[] slotsOfSource;
  private final int[] firstPacket;
  private final int[] firstWord;

  /**
   * For each word: the rank of its memory, and its place in the buffer (for a slot: source, index).
   */
  public final int[] owner;

  public final int[] offset;

  public final int message;

  /** Words for which an await must try every value that satisfies it. */
  private final BitSet uneven;

  /** The field with the number of the store of the message's whole cell, 0 if it is of none. */
  public final int stored;

  WordLayout(MachineModel model) {
    world = model.world;
    int buffers = model.buffers;
    signals = model.code.form().signals().size();
    firstOfWords = signals + buffers;
    kinds = firstOfWords + buffers;
    levels = model.levels;
    clusters = model.clusters();
    releaseCount = levels == 1 ? 1 : FIRST_CLUSTER + clusters + 2 * world + 1;
    stored = RELEASES + releaseCount;
    message = stored + (model.cells ? 1 : 0);
    room = new int[kinds];
    readers = new int[kinds];
    finders = new int[kinds];
    founds = new int[kinds];
    awaits = new int[kinds];
    readerOf = new int[kinds][];
    laneOfReader = new int[kinds][];
    firstSlot = new int[world * signals];
    slotsOfSource = new int[world * signals];
    firstPacket = MachineModel.filled(world * buffers, -1);
    firstWord = MachineModel.filled(world * buffers, -1);
    for (int k = 0; k < kinds; k++) {
      readers(k, lanes(model, k), model);
      mixed.set(k, mixed(model, k));
    }
    Growing kindOfGrowing = new Growing();
    Growing owners = new Growing();
    Growing offsets = new Growing();
    for (int r = 0; r < world; r++) {
      for (int s = 0; s < signals; s++) {
        int slots = model.code.ranks().get(r).slots(model.signal(s));
        firstSlot[r * signals + s] = kindOfGrowing.size;
        slotsOfSource[r * signals + s] = slots;
        for (int i = 0; i < slots * world; i++) {
          kindOfGrowing.add(s);
          owners.add(r);
          offsets.add(i);
        }
      }
      for (int b = 0; b < buffers; b++) {
        int size = model.bytes[r * buffers + b];
        if (model.scan.format[b] >= 0) {
          firstPacket[r * buffers + b] = kindOfGrowing.size;
          for (int i = 0; i < size / model.scan.unit(b); i++) {
            kindOfGrowing.add(signals + b);
            owners.add(r);
            offsets.add(i * model.scan.unit(b));
          }
        }
        if (model.scan.wordBuffers.get(b)) {
          firstWord[r * buffers + b] = kindOfGrowing.size;
          for (int i = 0; i < size / Long.BYTES; i++) {
            kindOfGrowing.add(signals + buffers + b);
            owners.add(r);
            offsets.add(i * Long.BYTES);
          }
        }
      }
    }
    count = kindOfGrowing.size;
    kindOf = kindOfGrowing.array();
    owner = owners.array();
    offset = offsets.array();
    fields = new int[count];
    values = new int[count];
    firstMessage = new int[count];
    firstValue = new int[count];
    int field = 0;
    int value = 0;
    for (int w = 0; w < count; w++) {
      int k = kindOf[w];
      fields[w] = field;
      values[w] = value;
      firstMessage[w] = messages(k, field);
      firstValue[w] = value + awaits[k] * readers[k];
      int ofMessages = (message + founds[k]) * room[k];
      field = Math.addExact(field, HEADER + readerFields(k) * readers[k] + ofMessages);
      value += awaits[k] * readers[k] + (model.origins.on ? 2 : 1) * room[k];
    }
    fieldCount = field;
    valueCount = value;
    uneven = NonMonotoneReleases.of(model, this);
    for (int w = 0; w < count; w++) {
      if (kindOf[w] < signals) {
        uneven.set(w, model.scan.uneven(kindOf[w]));
      }
    }
  }

  /** The release clock of what the lanes of that cluster released, for their cluster. */
  public int inCluster(int cluster) {
    return FIRST_CLUSTER + cluster;
  }

  /** The release clock of what that rank's GPU released, for this GPU. */
  public int inGroup(int rank) {
    return FIRST_CLUSTER + clusters + rank;
  }

  /** The release clock of what that rank, or any interface, released for all agents. */
  public int outOfGroup(int group) {
    return FIRST_CLUSTER + clusters + world + group;
  }

  /** Whether a later value of the word may release less than an earlier one. */
  public boolean uneven(int word) {
    return uneven.get(word);
  }

  private boolean mixed(MachineModel model, int kind) {
    return !model.ordered
        && (kind < signals
            ? model.scan.mixedSlots.get(kind)
            : kind >= firstOfWords && model.scan.mixedWords.get(kind - firstOfWords));
  }

  private BitSet lanes(MachineModel model, int kind) {
    if (kind < signals) {
      return model.scan.slotLanes[kind];
    }
    int buffer = (kind - signals) % model.buffers;
    return kind < signals + model.buffers
        ? model.scan.packetLanes[buffer]
        : model.scan.wordLanes[buffer];
  }

  private void readers(int kind, BitSet lanes, MachineModel model) {
    readerOf[kind] = MachineModel.filled(model.lanes, -1);
    int[] perRank = new int[model.world];
    boolean everywhere = kind >= signals + model.buffers;
    for (int l = lanes.nextSetBit(0); l >= 0; l = lanes.nextSetBit(l + 1)) {
      // Slots and packets are read by lanes of their owner, words of buffers by any lane.
      int counter = everywhere ? 0 : model.rank(l);
      readerOf[kind][l] = perRank[counter]++;
    }
    readers[kind] = Arrays.stream(perRank).max().orElse(0);
    finders[kind] = finds(kind, model) ? readers[kind] : 0;
    founds[kind] = finders[kind] * (model.profile.hides() ? 2 : 1);
    laneOfReader[kind] = MachineModel.filled(model.world * readers[kind], -1);
    for (int l = lanes.nextSetBit(0); l >= 0; l = lanes.nextSetBit(l + 1)) {
      for (int r = 0; r < model.world; r++) {
        if (everywhere || r == model.rank(l)) {
          laneOfReader[kind][r * readers[kind] + readerOf[kind][l]] = l;
        }
      }
    }
    room[kind] = model.sizes.of("messages of kind " + kind, FIRST_ROOM);
    awaits[kind] = model.sizes.of("awaits of kind " + kind, FIRST_AWAITS);
  }

  /**
   * Whether reads must be recorded. Packets are not strong. Slots that are written with release and
   * awaited with acquire, and slots with one reader, need no record: their clocks suffice.
   */
  private boolean finds(int kind, MachineModel model) {
    boolean slots = kind < signals && readers[kind] > 1 && model.scan.relaxed.get(kind);
    return !model.ordered && (slots || kind >= signals + model.buffers);
  }

  public StateCapacityException full(MachineModel model, int word) {
    return model.sizes.grow("messages of kind " + kindOf[word], room[kindOf[word]] + 1);
  }

  /** Asks for more room: more awaits of one reader must be remembered than fit. */
  public StateCapacityException forgetful(MachineModel model, int word) {
    int kind = kindOf[word];
    return model.sizes.grow("awaits of kind " + kind, awaits[kind] + 1);
  }

  public int readerFields(int kind) {
    return TAKEN + 2 * awaits[kind] + readerReleases(kind);
  }

  /** How many own and observed clocks a reader of a word of that kind has. */
  public int readerReleases(int kind) {
    return ownReleases(kind) + (mixed.get(kind) ? levels : 0);
  }

  private int ownReleases(int kind) {
    return kind < firstOfWords ? 0 : levels;
  }

  /** The first field of the observed clocks of that reader; -1 if it has none. */
  public int foundReleases(int word, int reader) {
    int kind = kindOf[word];
    return mixed.get(kind) ? own(word, reader) + ownReleases(kind) : -1;
  }

  /** The first field of the own clocks of that reader. */
  public int own(int word, int reader) {
    int kind = kindOf[word];
    return reader(kind, fields[word], reader) + TAKEN + 2 * awaits[kind];
  }

  /** The first field of that reader, in the fields of a word of that kind. */
  public int reader(int kind, int fields, int reader) {
    return fields + HEADER + readerFields(kind) * reader;
  }

  /** The first field of the messages, in the fields of a word of that kind. */
  public int messages(int kind, int fields) {
    return reader(kind, fields, readers[kind]);
  }

  /**
   * The first field of the message with that index, counted from the oldest that the word holds.
   */
  public int message(int word, int index) {
    return firstMessage[word] + index * message;
  }

  /** The field with the tick at which that reader first read the message; readers are adjacent. */
  public int found(int word, int index, int reader) {
    int kind = kindOf[word];
    return firstMessage[word] + room[kind] * message + index * founds[kind] + reader;
  }

  /**
   * The field with the tick at which that reader made a message visible, once a read had returned
   * it.
   */
  public int shown(int word, int index, int reader) {
    return found(word, index, finders[kindOf[word]] + reader);
  }

  /**
   * The place of the provenance of a message's value, where words carry {@link
   * dev.oriel.sim.machine.provenance.WordProvenance origins}.
   */
  public int origin(int word, int index) {
    return firstValue[word] + room[kindOf[word]] + index;
  }

  /** The slot of that source and index at the owner; -1 if the index is outside its row. */
  public int slot(int owner, int signal, int source, long index) {
    int perSource = slotsOfSource[owner * signals + signal];
    return index < 0 || index >= perSource
        ? -1
        : firstSlot[owner * signals + signal] + source * perSource + (int) index;
  }

  /** How many slots each source has at that owner. */
  public int slots(int owner, int signal) {
    return slotsOfSource[owner * signals + signal];
  }

  /** The packet at that offset of the owner's buffer, which holds packets. */
  public int packet(MachineModel model, int owner, int buffer, int offset) {
    return firstPacket[owner * model.buffers + buffer] + offset / model.scan.unit(buffer);
  }

  /** The memory that holds the word of a buffer. */
  public int memory(MachineModel model, int word) {
    return owner[word] * model.buffers + kindOf[word] - firstOfWords;
  }

  /** Whether words of the buffer synchronise. */
  public boolean hasWords(int rankAndBuffer) {
    return firstWord[rankAndBuffer] >= 0;
  }

  /** The word at that offset of the owner's buffer. */
  public int word(int rankAndBuffer, int offset) {
    return firstWord[rankAndBuffer] + offset / Long.BYTES;
  }

  /** The lane's number among the readers of a word; -1 if it is none. */
  public int reader(int word, int lane) {
    return readerOf[kindOf[word]][lane];
  }

  /** The lane of that reader of a word; -1 if there is none. */
  public int laneOf(int word, int reader) {
    int kind = kindOf[word];
    return laneOfReader[kind][owner[word] * readers[kind] + reader];
  }

  /** Whether the word is a packet, which threads of a worker take. */
  public boolean isPacket(MachineModel model, int word) {
    return kindOf[word] >= signals && kindOf[word] < signals + model.buffers;
  }

  public static void clear(MachineModel model, int[] words) {
    WordLayout table = model.words;
    for (int w = 0; w < table.count; w++) {
      int at = table.fields[w];
      words[at + 1] = 1;
      words[table.firstMessage[w] + AGENT] = -1;
    }
  }

  /** Adds the words to a fingerprint: clock snapshots by their contents, not by their numbers. */
  public static void digest(
      MachineModel model,
      int[] words,
      long[] wordValues,
      ClockSnapshots releases,
      ClockSnapshots causes,
      Fingerprint into) {
    for (int w = 0; w < model.words.count; w++) {
      digest(model, w, words, wordValues, releases, causes, into);
    }
  }

  /** Adds one word, snapshots by their contents. */
  public static void digest(
      MachineModel model,
      int w,
      int[] words,
      long[] wordValues,
      ClockSnapshots releases,
      ClockSnapshots causes,
      Fingerprint into) {
    WordLayout table = model.words;
    int kind = table.kindOf[w];
    int at = table.fields[w];
    int messages = table.messages(kind, at);
    into.add(words[at]);
    into.add(words[at + 1]);
    for (int r = 0; r < table.readers[kind]; r++) {
      int own = table.own(w, r);
      for (int i = table.reader(kind, at, r); i < own; i++) {
        into.add(words[i]);
      }
      for (int v = 0; v < table.readerReleases(kind); v++) {
        into.add(releases.hash(words[own + v]));
      }
    }
    int values = table.values[w];
    for (int i = 0; i < table.awaits[kind] * table.readers[kind] + words[at + 1]; i++) {
      into.add(wordValues[values + i]);
    }
    for (int m = 0; model.origins.on && m < words[at + 1]; m++) {
      into.add(wordValues[table.origin(w, m)]);
    }
    for (int m = 0; m < words[at + 1]; m++) {
      int field = messages + m * table.message;
      into.add(words[field + AGENT]);
      into.add(words[field + TICK] * (long) SCOPES + words[field + SCOPE]);
      into.add(causes.hash(words[field + CAUSES]));
      for (int v = 0; v < table.releaseCount; v++) {
        into.add(releases.hash(words[field + RELEASES + v]));
      }
      if (model.cells) {
        into.add(words[field + table.stored]);
      }
      for (int r = 0; r < table.founds[kind]; r++) {
        into.add(words[table.found(w, m, r)]);
      }
    }
  }

  /** A list of numbers that grows. */
  private static final class Growing {
    private int[] items = new int[64];
    private int size;

    void add(int item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, 2 * size);
      }
      items[size++] = item;
    }

    int[] array() {
      return Arrays.copyOf(items, size);
    }
  }
}
