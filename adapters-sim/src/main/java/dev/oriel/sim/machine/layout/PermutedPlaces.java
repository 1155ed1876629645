package dev.oriel.sim.machine.layout;

import dev.oriel.domain.packet.PacketFormat;

/**
 * New places of bytes and slots under a renaming of ranks, which moves memory that is laid out by
 * rank. A place that code names moves to the place that the lane's new name gives it. The renaming
 * is impossible if two operations move one place differently, or two places to one. Places that no
 * code names stay where there is room.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class PermutedPlaces {
  private final MachineModel model;
  private final int[] rank;

  /**
   * By rank * buffers + buffer: the new place of each byte, and the byte that moves here; -1 if
   * none.
   */
  private final int[][] to;

  private final int[][] from;
  private final int[] word;
  private final int[] wordFrom;

  public PermutedPlaces(MachineModel model, int[] rank) {
    this.model = model;
    this.rank = rank;
    to = new int[model.bytes.length][];
    from = new int[model.bytes.length][];
    for (int m = 0; m < to.length; m++) {
      to[m] = MachineModel.filled(model.bytes[m], -1);
      from[m] = MachineModel.filled(model.bytes[m], -1);
    }
    word = MachineModel.filled(model.words.count, -1);
    wordFrom = MachineModel.filled(model.words.count, -1);
  }

  private int memory(int owner, int buffer) {
    return owner * model.buffers + model.base[buffer];
  }

  private int renamed(int memory) {
    return rank[memory / model.buffers] * model.buffers + memory % model.buffers;
  }

  /** How many bytes move together: those of a packet, of a word, or of one store. */
  private int unit(int memory) {
    int buffer = memory % model.buffers;
    int unit =
        model.scan.format[buffer] >= 0
            ? model.scan.unit(buffer)
            : model.scan.wordBuffers.get(buffer) ? Long.BYTES : 1;
    return model.cells && model.scan.aligned.get(buffer) ? Math.max(AtomicCells.BYTES, unit) : unit;
  }

  /** The size of packets of that format that carry so many bytes. */
  public static long image(int format, long bytes) {
    return PacketFormat.values()[format].image(bytes);
  }

  /** Moves bytes of the owner's buffer there; false if that is impossible. */
  public boolean bytes(int owner, int buffer, long at, long into, long length) {
    int memory = memory(owner, buffer);
    int size = model.bytes[memory];
    int unit = unit(memory);
    long shift = into - at;
    if (at < 0 || length < 0 || at > size - length) {
      return shift == 0;
    }
    long begin = at / unit * unit;
    long end = (at + length + unit - 1) / unit * unit;
    if (shift % unit != 0 || (shift != 0 && end > size)) {
      return false;
    }
    boolean inside = length == 0 ? into >= 0 && into <= size : begin + shift >= 0;
    if (!inside || (length > 0 && end + shift > size && shift != 0)) {
      return false;
    }
    for (long i = begin; length > 0 && i < Math.min(end, size); i++) {
      if (!pair(to[memory], from[renamed(memory)], (int) i, (int) (i + shift))) {
        return false;
      }
    }
    return true;
  }

  /** Keeps every byte of the owner's buffer in its place; false if that is impossible. */
  public boolean stays(int owner, int buffer) {
    return bytes(owner, buffer, 0, 0, model.bytes[memory(owner, buffer)]);
  }

  /** Moves that slot of a source to that index; false if that is impossible. */
  public boolean slot(int owner, int signal, int source, long index, long into) {
    int slot = model.words.slot(owner, signal, source, index);
    int other = model.words.slot(rank[owner], signal, rank[source], into);
    return slot < 0 ? index == into : other >= 0 && pair(word, wordFrom, slot, other);
  }

  /** Keeps the index of every slot of the source; false if that is impossible. */
  public boolean slotsStay(int owner, int signal, int source) {
    boolean all = true;
    for (int i = 0; i < model.words.slots(owner, signal); i++) {
      all &= slot(owner, signal, source, i, i);
    }
    return all;
  }

  private static boolean pair(int[] to, int[] from, int at, int into) {
    if (to[at] < 0 && from[into] < 0) {
      to[at] = into;
      from[into] = at;
    }
    return to[at] == into && from[into] == at;
  }

  /** Finds places for bytes that no code names, and so for every word. */
  public void complete() {
    for (int m = 0; m < to.length; m++) {
      if (model.base[m % model.buffers] == m % model.buffers) {
        complete(to[m], from[renamed(m)], unit(m));
      }
    }
    WordLayout table = model.words;
    for (int w = 0; w < word.length; w++) {
      int kind = table.kindOf[w];
      if (kind < table.signals) {
        int slots = table.slots(table.owner[w], kind);
        int source = rank[table.offset[w] / slots];
        int first = table.slot(rank[table.owner[w]], kind, source, 0);
        for (int i = 0; word[w] < 0 && i < slots; i++) {
          pair(word, wordFrom, w, first + (table.offset[w] + i) % slots);
        }
      } else {
        int buffer = (kind - table.signals) % model.buffers;
        int memory = memory(table.owner[w], buffer);
        int at = to[memory][table.offset[w]];
        word[w] =
            table.isPacket(model, w)
                ? table.packet(model, rank[table.owner[w]], buffer, at)
                : table.word(renamed(memory), at);
      }
    }
  }

  private static void complete(int[] to, int[] from, int unit) {
    for (int i = 0; i < to.length; i++) {
      if (to[i] < 0 && from[i] < 0) {
        pair(to, from, i, i);
      }
    }
    int free = 0;
    for (int i = 0; i < to.length; i += unit) {
      while (to[i] < 0 && from[free] >= 0) {
        free += unit;
      }
      for (int b = i; b < Math.min(i + unit, to.length) && to[b] < 0; b++) {
        pair(to, from, b, free + b - i);
      }
    }
  }

  /** The place of that byte of the owner's buffer in its new owner's buffer. */
  public int at(int owner, int buffer, int offset) {
    return to[memory(owner, buffer)][offset];
  }

  /** The byte that moves to that place of the owner's buffer. */
  public int from(int owner, int buffer, int offset) {
    return from[memory(owner, buffer)][offset];
  }

  /** The new number of the word. */
  public int word(int of) {
    return word[of];
  }
}
