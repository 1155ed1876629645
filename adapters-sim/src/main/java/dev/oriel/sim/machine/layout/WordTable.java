package dev.oriel.sim.machine.layout;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.rows.KeptRows;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which words synchronise: every signal slot, every packet, and every aligned 64-bit word of a
 * buffer whose words are changed or awaited. Words of one kind have the same readers and room.
 *
 * <pre>
 * kinds   signals first, then packets of each buffer, then words of each buffer
 * word    first message's number | messages | readers | messages' fields | for each message: founds
 * reader  view | for each await that is remembered, newest first: taken, comparison | own heads
 *         | found heads
 * found   for each reader: its tick when it first found the message, 0 if nothing hangs on that;
 *         | where interfaces hide writes, for each reader: its tick at the first consistency step
 *         after it knew of such a read, 0 if there was none
 * </pre>
 *
 * <p>What a lane released at a word of a buffer stands in each later strong write of its own there,
 * whoever wrote the word in between: these are its own heads.
 *
 * <p>A lane that reads a word without an acquire, and later with one, acquires what the first read
 * found, too: PTX takes both for one acquire pattern. These are its found heads, for words that
 * some lane reads in several ways.
 *
 * <p>Whoever knows of a strong read that found a message does not find an older one, although it
 * need not know the message's own writer: so reads count as the write does. They are noted only
 * where the reader did not learn of the write, which all who know of the read know as well then.
 */
public final class WordTable {
  /** Fields of a message: what its component, tick, scope and causal row are, and its heads. */
  public static final int AGENT = 0;

  public static final int TICK = 1;
  public static final int SCOPE = 2;
  public static final int CAUSES = 3;
  public static final int HEADS = 4;

  /** Of the scope's field: that the message is of an update, which found the one before it. */
  public static final int UPDATES = 4;

  /** Of the scope's field: that the message carries on what others than its writer released. */
  public static final int CARRIES = 8;

  private static final int SCOPES = 16;

  /** Fields of a reader: the message it found last, and the awaits that are remembered of it. */
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

  /** For each kind: of how many readers it is noted what they found, all of them or none. */
  public final int[] finders;

  /** For each kind: how many fields of a message say what readers found. */
  public final int[] founds;

  /** For each kind: awaits that are remembered of a reader. */
  public final int[] awaits;

  /** For each scope that matters, what messages and readers release. */
  private final int levels;

  /**
   * How many heads a message has: rows of what a reader learns from it. A release is learned of if
   * its scope and that of the acquire hold both lanes, so it matters how far the reader is from the
   * lane that released, which need not be the writer: an update carries on what it found.
   *
   * <pre>
   * within   by level: what was released no farther from the writer than that, for a reader so far
   *          from the writer
   * around   by level but the last: what was released exactly so far from it, for a nearer reader
   * of group by rank, and one more for all interfaces: what was released there, for readers of that
   *          GPU, and for all others
   * </pre>
   *
   * <p>Where every scope reaches everybody, the first one says it all.
   */
  public final int heads;

  /** Kinds whose readers have found heads. */
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

  /** For each word: whose memory it is, and where in its buffer (for a slot: source, index). */
  public final int[] owner;

  public final int[] offset;

  public final int message;

  /** Words of which an await has to try every value that satisfies it. */
  private final BitSet uneven;

  /** Where a message has the number of the store of its whole cell, 0 if it is of none. */
  public final int stored;

  WordTable(Model model) {
    int world = model.world;
    int buffers = model.buffers;
    signals = model.code.form().signals().size();
    firstOfWords = signals + buffers;
    kinds = firstOfWords + buffers;
    levels = model.levels;
    heads = levels == 1 ? 1 : 2 * levels - 1 + 2 * (world + 1);
    stored = HEADS + heads;
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
    firstPacket = Model.filled(world * buffers, -1);
    firstWord = Model.filled(world * buffers, -1);
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
    uneven = UnevenWords.of(model, this);
    for (int w = 0; w < count; w++) {
      if (kindOf[w] < signals) {
        uneven.set(w, model.scan.uneven(kindOf[w]));
      }
    }
  }

  /** The head of what was released exactly so far from the writer. */
  public int around(int level) {
    return levels + level;
  }

  /** The head of what was released in that rank, or by any interface, for its own GPU. */
  public int inGroup(int group) {
    return 2 * levels - 1 + 2 * group;
  }

  /** The same for all other agents. */
  public int outOfGroup(int group) {
    return inGroup(group) + 1;
  }

  /** Whether a later value of the word may release less than an earlier one. */
  public boolean uneven(int word) {
    return uneven.get(word);
  }

  private boolean mixed(Model model, int kind) {
    return !model.ordered
        && (kind < signals
            ? model.scan.mixedSlots.get(kind)
            : kind >= firstOfWords && model.scan.mixedWords.get(kind - firstOfWords));
  }

  private BitSet lanes(Model model, int kind) {
    if (kind < signals) {
      return model.scan.slotLanes[kind];
    }
    int buffer = (kind - signals) % model.buffers;
    return kind < signals + model.buffers
        ? model.scan.packetLanes[buffer]
        : model.scan.wordLanes[buffer];
  }

  private void readers(int kind, BitSet lanes, Model model) {
    readerOf[kind] = Model.filled(model.lanes, -1);
    int[] perRank = new int[model.world];
    boolean everywhere = kind >= signals + model.buffers;
    for (int l = lanes.nextSetBit(0); l >= 0; l = lanes.nextSetBit(l + 1)) {
      // Slots and packets are read by lanes of their owner, words of buffers by anybody.
      int counter = everywhere ? 0 : model.rank(l);
      readerOf[kind][l] = perRank[counter]++;
    }
    readers[kind] = Arrays.stream(perRank).max().orElse(0);
    finders[kind] = finds(kind, model) ? readers[kind] : 0;
    founds[kind] = finders[kind] * (model.profile.hides() ? 2 : 1);
    laneOfReader[kind] = Model.filled(model.world * readers[kind], -1);
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
   * Whether it may matter what readers found. Packets are not strong; of slots that are written and
   * awaited as releases and acquires, and of those with one reader, all is known without.
   */
  private boolean finds(int kind, Model model) {
    boolean slots = kind < signals && readers[kind] > 1 && model.scan.relaxed.get(kind);
    return !model.ordered && (slots || kind >= signals + model.buffers);
  }

  public Grow full(Model model, int word) {
    return model.sizes.grow("messages of kind " + kindOf[word], room[kindOf[word]] + 1);
  }

  /** More awaits of one reader are to be remembered than there is room for. */
  public Grow forgetful(Model model, int word) {
    int kind = kindOf[word];
    return model.sizes.grow("awaits of kind " + kind, awaits[kind] + 1);
  }

  public int readerFields(int kind) {
    return TAKEN + 2 * awaits[kind] + readerHeads(kind);
  }

  /** How many own and found heads a reader of a word of that kind has. */
  public int readerHeads(int kind) {
    return ownHeads(kind) + (mixed.get(kind) ? levels : 0);
  }

  private int ownHeads(int kind) {
    return kind < firstOfWords ? 0 : levels;
  }

  /** Where the found heads of the reader of that number lie; -1 if it has none. */
  public int foundHeads(int word, int reader) {
    int kind = kindOf[word];
    return mixed.get(kind) ? own(word, reader) + ownHeads(kind) : -1;
  }

  /** Where the own heads of the reader of that number lie. */
  public int own(int word, int reader) {
    int kind = kindOf[word];
    return reader(kind, fields[word], reader) + TAKEN + 2 * awaits[kind];
  }

  /** Where the reader of that number lies in the fields of a word of that kind. */
  public int reader(int kind, int fields, int reader) {
    return fields + HEADER + readerFields(kind) * reader;
  }

  /** Where the messages lie in the fields of a word of that kind. */
  public int messages(int kind, int fields) {
    return reader(kind, fields, readers[kind]);
  }

  /** Where the message of that number lies, from the oldest one that the word holds. */
  public int message(int word, int index) {
    return firstMessage[word] + index * message;
  }

  /** Where it is noted when that reader first found the message; the readers stand in a row. */
  public int found(int word, int index, int reader) {
    int kind = kindOf[word];
    return firstMessage[word] + room[kind] * message + index * founds[kind] + reader;
  }

  /** Where it is noted when that reader made consistent what it knew somebody to have found. */
  public int shown(int word, int index, int reader) {
    return found(word, index, finders[kindOf[word]] + reader);
  }

  /**
   * Where it is noted what the value of the message of that number came from, where words carry
   * {@link dev.oriel.sim.machine.provenance.WordOrigins origins}.
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
  public int packet(Model model, int owner, int buffer, int offset) {
    return firstPacket[owner * model.buffers + buffer] + offset / model.scan.unit(buffer);
  }

  /** The memory that the word of a buffer lies in. */
  public int memory(Model model, int word) {
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
  public boolean isPacket(Model model, int word) {
    return kindOf[word] >= signals && kindOf[word] < signals + model.buffers;
  }

  public static void clear(Model model, int[] words) {
    WordTable table = model.words;
    for (int w = 0; w < table.count; w++) {
      int at = table.fields[w];
      words[at + 1] = 1;
      words[table.firstMessage[w] + AGENT] = -1;
    }
  }

  /** Mixes the words into a fingerprint: kept rows by what they hold, not by their number. */
  public static void digest(
      Model model,
      int[] words,
      long[] wordValues,
      KeptRows heads,
      KeptRows causes,
      Fingerprint into) {
    WordTable table = model.words;
    for (int w = 0; w < table.count; w++) {
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
        for (int v = 0; v < table.readerHeads(kind); v++) {
          into.add(heads.hash(words[own + v]));
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
        for (int v = 0; v < table.heads; v++) {
          into.add(heads.hash(words[field + HEADS + v]));
        }
        if (model.cells) {
          into.add(words[field + table.stored]);
        }
        for (int r = 0; r < table.founds[kind]; r++) {
          into.add(words[table.found(w, m, r)]);
        }
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
