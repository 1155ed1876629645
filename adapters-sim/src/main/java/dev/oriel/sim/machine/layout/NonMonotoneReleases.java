package dev.oriel.sim.machine.layout;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import java.util.BitSet;

/**
 * Words of buffers of which a later value may release less than an earlier one. An await of such a
 * word tries every value that satisfies it; of any other word it tries the oldest one only.
 *
 * <p>A word is even if each value releases at least what earlier values released. There are three
 * such cases. All its writers are weak and release nothing. Or one lane or one queue alone writes
 * it, and its later strong writes carry its earlier releases on. Or every write is an atomic, which
 * carries on what it read, and all scopes reach every agent. In the last two cases all writes name
 * one scope.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class NonMonotoneReleases {
  private static final int NOBODY = -1;
  private static final int SEVERAL = -2;
  private static final int SET = Atomic.SET.ordinal();
  private static final int FETCH = Atomic.FETCH.ordinal();
  private static final long ANY = -1;

  /** Queues of one lane to one peer that are distinguished at most. */
  private static final int QUEUES = 64;

  private final MachineModel model;
  private final WordLayout table;

  /** For each word: its only strong writer, and the only scope that its strong writers name. */
  private final int[] writer;

  private final int[] scope;

  /** Words with a strong write that does not read the old value, and words with a weak write. */
  private final BitSet stored = new BitSet();

  private final BitSet plain = new BitSet();

  private final NarrowScopes narrow;

  private NonMonotoneReleases(MachineModel model, WordLayout table) {
    this.model = model;
    this.table = table;
    writer = MachineModel.filled(table.count, NOBODY);
    scope = MachineModel.filled(table.count, NOBODY);
    narrow = new NarrowScopes(table.count, CodeScan.within(model.code));
  }

  /** The words, by number. */
  static BitSet of(MachineModel model, WordLayout table) {
    NonMonotoneReleases words = new NonMonotoneReleases(model, table);
    for (int l = 0; l < model.lanes; l++) {
      words.lane(l);
    }
    BitSet uneven = new BitSet();
    for (int w = 0; w < table.count; w++) {
      uneven.set(w, words.uneven(w));
    }
    return uneven;
  }

  private boolean uneven(int word) {
    if (writer[word] == NOBODY) {
      return false;
    }
    boolean alike = writer[word] != SEVERAL || (!stored.get(word) && model.levels == 1);
    return plain.get(word) || scope[word] == SEVERAL || !alike || narrow.narrow(word);
  }

  private void lane(int lane) {
    LaneInstructions code = model.lane(lane);
    int[] ops = code.ops();
    int self = code.rank();
    for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
      switch (ops[at]) {
        case LaneOpcode.RMW -> {
          if (ops[at + 5] != FETCH) {
            boolean finds = ops[at + 1] >= 0 || ops[at + 5] != SET;
            for (int owner : model.code.mayName(ops[at + 3])) {
              strong(owner, ops[at + 2], ops[at + 4], lane * (1 + QUEUES), ops[at + 9], finds);
            }
          }
        }
        case LaneOpcode.LOCK -> {
          for (int owner : model.code.mayName(ops[at + 2])) {
            strong(owner, ops[at + 1], ops[at + 3], lane * (1 + QUEUES), ops[at + 4], true);
          }
        }
        case LaneOpcode.POLL_WORD -> {
          int[] range = words(self, ops[at + 1], ops[at + 2], Long.BYTES);
          for (int w = range[0]; w < range[1]; w++) {
            narrow.read(w, ops[at + 6]);
          }
        }
        case LaneOpcode.STORE -> plain(self, ops[at + 1], ops[at + 2], ops[at + 3]);
        case LaneOpcode.COPY -> {
          for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
            int place = CopyLayout.destination(at, d);
            plain(ops[place + CopyLayout.RANKS], ops[place + CopyLayout.BUFFER]);
          }
        }
        case LaneOpcode.BULK -> plain(ops[at + 3], ops[at + 2]);
        case LaneOpcode.POST -> post(lane, ops, at);
        default -> {}
      }
    }
  }

  private void post(int lane, int[] ops, int at) {
    int to = ~ops[at + 2];
    long number = model.code.operands().always(ops[at + 3], ANY);
    boolean alone = ops[at + 5] == 0 && number >= 0 && number < QUEUES;
    int by = alone ? lane * (1 + QUEUES) + 1 + (int) number : SEVERAL;
    int self = model.rank(lane);
    int a = at + 6;
    switch (ops[at + 1]) {
      case Request.WRITE, Request.WRITE_AND_SIGNAL -> plain(to, ops[a + 2]);
      case Request.READ -> plainOf(self, ops[a]);
      case Request.CHANGE -> {
        if (ops[a] >= 0) {
          plain(self, ops[a], ops[a + 1], Long.BYTES);
        }
        for (int owner : model.code.mayName(to)) {
          strong(
              owner,
              ops[a + 2],
              ops[a + 3],
              by,
              MachineModel.SYS,
              ops[a + 4] != SET || ops[a] >= 0);
        }
      }
      case Request.LOCK -> {
        for (int owner : model.code.mayName(to)) {
          strong(owner, ops[a], ops[a + 1], by, MachineModel.SYS, true);
        }
      }
      case Request.COUNT -> strong(self, ops[a], ops[a + 1], by, MachineModel.SYS, true);
      default -> {}
    }
  }

  /** The first word that so many bytes at that offset may touch, and one past the last. */
  private int[] words(int owner, int buffer, int offset, int length) {
    int memory = owner * model.buffers + model.base[buffer];
    if (!table.hasWords(memory)) {
      return new int[] {0, 0};
    }
    int words = model.bytes[memory] / Long.BYTES;
    int first = table.word(memory, 0);
    long from = model.code.operands().always(offset, ANY);
    if (from < 0 || from >= (long) words * Long.BYTES) {
      return new int[] {first, first + words};
    }
    int end = (int) Math.min(words, (from + length + Long.BYTES - 1) / Long.BYTES);
    return new int[] {first + (int) from / Long.BYTES, first + end};
  }

  private void strong(int owner, int buffer, int offset, int by, int named, boolean finds) {
    int[] range = words(owner, buffer, offset, Long.BYTES);
    for (int w = range[0]; w < range[1]; w++) {
      writer[w] = writer[w] == NOBODY || writer[w] == by ? by : SEVERAL;
      scope[w] = scope[w] == NOBODY || scope[w] == named ? named : SEVERAL;
      stored.set(w, stored.get(w) || !finds);
      if (by >= 0 && by % (1 + QUEUES) == 0) {
        narrow.changed(w, named, model.rank(by / (1 + QUEUES)), owner);
      } else {
        narrow.far(w, named);
      }
      callers(w, buffer);
    }
  }

  /** A caller fills its buffers by weak writes. */
  private void callers(int word, int buffer) {
    Space space = model.space(buffer);
    plain.set(word, plain.get(word) || space.callers());
  }

  private void plain(int owner, int buffer, int offset, int length) {
    int[] range = words(owner, buffer, offset, length);
    plain.set(range[0], range[1]);
  }

  private void plain(int ranks, int buffer) {
    for (int owner : model.code.mayName(ranks)) {
      plainOf(owner, buffer);
    }
  }

  /** Notes that any word of the buffer may be written. */
  private void plainOf(int owner, int buffer) {
    int memory = owner * model.buffers + model.base[buffer];
    if (table.hasWords(memory)) {
      int first = table.word(memory, 0);
      plain.set(first, first + model.bytes[memory] / Long.BYTES);
    }
  }
}
