package dev.oriel.sim.machine.launch;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.MachineModel;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which slots may be written, which words hold values of registers, and who may read packets. */
final class WordUses {
  private static final PacketFormat[] FORMATS = PacketFormat.values();

  private final MachineModel model;
  private final OperandTable operands;

  /** Launches in which an address takes all its values. */
  private final int launches;

  /** Slots that some instruction may write, by word. */
  final BitSet written = new BitSet();

  /** Words of buffers that instructions change or await one by one, by {@link #place}. */
  private final BitSet valued = new BitSet();

  /** For each packet, by word: the lanes that may read it. */
  private final BitSet[] readers;

  /** For each memory, by rank and buffer: its packets and words. */
  private final BitSet[] wordsOf;

  WordUses(MachineModel model, LaneDefinitions[] lanes, int launches) {
    this.model = model;
    this.launches = launches;
    operands = model.code.operands();
    readers = new BitSet[model.words.count];
    Arrays.setAll(readers, w -> new BitSet());
    wordsOf = new BitSet[model.world * model.buffers];
    Arrays.setAll(wordsOf, m -> new BitSet());
    for (int w = 0; w < model.words.count; w++) {
      int buffer = model.words.kindOf[w] - model.words.signals;
      if (buffer >= 0 && buffer < model.buffers) {
        wordsOf[model.words.owner[w] * model.buffers + buffer].set(w);
      }
    }
    for (int l = 0; l < model.lanes; l++) {
      lane(l, lanes[l]);
    }
  }

  private void lane(int l, LaneDefinitions lane) {
    int[] ops = model.lane(l).ops();
    int self = model.rank(l);
    int own = ~operands.constant(self);
    for (int at = lane.reached.nextSetBit(0); at >= 0; at = lane.reached.nextSetBit(at + 1)) {
      switch (ops[at]) {
        case LaneOpcode.COPY -> packets(l, lane, ops, at);
        case LaneOpcode.WRITE_SLOT -> slots(written, ops[at + 3], ops[at + 1], self, ops[at + 2]);
        case LaneOpcode.STORE, LaneOpcode.POLL_WORD -> word(own, ops[at + 1], ops[at + 2]);
        case LaneOpcode.RMW -> word(ops[at + 3], ops[at + 2], ops[at + 4]);
        case LaneOpcode.LOCK -> word(ops[at + 2], ops[at + 1], ops[at + 3]);
        case LaneOpcode.POST -> post(self, ops, at + 6, ops[at + 1], ~ops[at + 2]);
        default -> {}
      }
    }
  }

  private void post(int self, int[] ops, int a, int request, int to) {
    int own = ~operands.constant(self);
    switch (request) {
      case Request.SLOT -> slots(written, to, ops[a], self, ops[a + 1]);
      case Request.WRITE_AND_SIGNAL -> slots(written, to, ops[a + 5], self, ops[a + 6]);
      case Request.CHANGE -> {
        word(to, ops[a + 2], ops[a + 3]);
        if (ops[a] >= 0) {
          word(own, ops[a], ops[a + 1]);
        }
      }
      case Request.LOCK -> word(to, ops[a], ops[a + 1]);
      case Request.COUNT -> word(own, ops[a], ops[a + 1]);
      default -> {}
    }
  }

  private void slots(BitSet into, int owners, int signal, int source, int index) {
    for (int owner : model.code.mayName(owners)) {
      add(into, owner, signal, source, operands.always(index, -1));
    }
  }

  /** The slots of one owner and those sources; of every index, if it is not constant. */
  BitSet read(int owner, int signal, int sources, int index) {
    BitSet read = new BitSet();
    for (int source : model.code.mayName(sources)) {
      add(read, owner, signal, source, operands.always(index, -1));
    }
    return read;
  }

  private void add(BitSet into, int owner, int signal, int source, long only) {
    for (int i = 0; i < model.words.slots(owner, signal); i++) {
      if (only < 0 || only == i) {
        into.set(model.words.slot(owner, signal, source, i));
      }
    }
  }

  private void word(int owners, int buffer, int offset) {
    for (int owner : model.code.mayName(owners)) {
      int first = place(owner, model.base[buffer]);
      int[] range = range(owner, buffer, offset, Long.BYTES);
      valued.set(first + range[0], first + range[1]);
    }
  }

  /** The first word that bytes at that offset may touch, and one past the last. */
  int[] range(int owner, int buffer, int offset, long bytes) {
    int words = (model.bytes[owner * model.buffers + buffer] + Long.BYTES - 1) / Long.BYTES;
    long from = operands.always(offset, -1);
    if (from < 0 || bytes < 0 || from >= (long) words * Long.BYTES) {
      return new int[] {0, words};
    }
    long end = Math.min(words, (from + bytes + Long.BYTES - 1) / Long.BYTES);
    return new int[] {(int) (from / Long.BYTES), (int) Math.max(end, from / Long.BYTES)};
  }

  /** Whether an instruction changes or awaits the single word at that offset. */
  boolean valued(int owner, int buffer, int offset) {
    return valued.get(place(owner, model.base[buffer]) + offset / Long.BYTES);
  }

  /** Whether that holds for any word of the range. */
  boolean anyValued(int owner, int buffer, int[] range) {
    int first = place(owner, model.base[buffer]);
    int next = valued.nextSetBit(first + range[0]);
    return next >= 0 && next < first + range[1];
  }

  /** Whether that holds for every word of the range. */
  boolean allValued(int owner, int buffer, int[] range) {
    int first = place(owner, model.base[buffer]);
    return valued.nextClearBit(first + range[0]) >= first + range[1];
  }

  /** The number of the first word of that memory, among words of all memory. */
  private int place(int rank, int base) {
    return model.firstByte[rank * model.buffers + base] / Long.BYTES + rank * model.buffers + base;
  }

  private void packets(int l, LaneDefinitions lane, int[] ops, int at) {
    long bytes = operands.always(ops[at + 1], Integer.MAX_VALUE);
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int place = CopyLayout.source(ops, at, i);
      if (ops[place + CopyLayout.FORMAT] >= 0) {
        long image =
            bytes < 0 || bytes >= Integer.MAX_VALUE
                ? Integer.MAX_VALUE
                : FORMATS[ops[place + CopyLayout.FORMAT]].image(bytes);
        long[] begins = lane.values(ops[place + CopyLayout.OFFSET], launches);
        packets(l, model.base[ops[place + CopyLayout.BUFFER]], begins, image);
      }
    }
  }

  private void packets(int l, int buffer, long @Nullable [] begins, long image) {
    BitSet words = wordsOf[model.rank(l) * model.buffers + buffer];
    for (int w = words.nextSetBit(0); w >= 0; w = words.nextSetBit(w + 1)) {
      long offset = model.words.offset[w];
      boolean within =
          begins == null
              || Arrays.stream(begins).anyMatch(begin -> offset >= begin && offset - begin < image);
      if (within) {
        readers[w].set(l);
      }
    }
  }

  /** Whether the lane may read the packet. */
  boolean mayRead(int packet, int lane) {
    return readers[packet].get(lane);
  }
}
