package dev.oriel.sim.machine.memory;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AtomicCells;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;

/** Words in buffers: packets, and words that are changed or awaited in place. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class DataWords {
  private final MachineModel model;
  private final WordLayout table;
  private final SyncWords words;
  private final WordWrites writes;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;

  /** Whether races are looked for, so that a flag that comes to a place again is one. */
  private final boolean races;

  /**
   * Whether, in any execution so far, a flag came to a place whose earlier packets still had it,
   * and that is no race.
   */
  private boolean recurs;

  /** The same of the flag 0, which plain bytes and memory that was never written may hold. */
  private boolean zeroRecurs;

  private boolean zeroAwaited;

  DataWords(
      MachineModel model,
      SyncWords words,
      WordWrites writes,
      SimulatedMemory memory,
      ComponentClocks clocks,
      DetectorSet detectors) {
    this.model = model;
    this.table = model.words;
    this.words = words;
    this.writes = writes;
    this.memory = memory;
    this.clocks = clocks;
    races = detectors.finds(Kind.RACE) && !model.ordered;
  }

  /**
   * An interface writes bytes. If it places each write from front to back, a reader of a word is
   * ordered after the bytes up to that word, and not after later ones. Then the bytes of each word
   * or packet are an event of their own.
   */
  public void place(
      MachineState s,
      int component,
      int rank,
      int named,
      int offset,
      int length,
      long[] from,
      int at,
      int causes) {
    int seen = CausalClockIndex.kept(causes);
    memory.checked(rank, named, offset, length);
    int done = 0;
    do {
      int bytes = Math.min(length - done, untilWordEnds(rank, named, offset + done, length));
      if (done > 0) {
        clocks.advance(s, component);
      }
      memory.write(s, component, rank, named, offset + done, bytes, from, at + done, seen);
      written(s, component, rank, named, offset + done, bytes, causes);
      done += bytes;
    } while (done < length);
  }

  /** The bytes up to the end of a word or packet that may be awaited; {@code all} if none may. */
  private int untilWordEnds(int rank, int named, int offset, int all) {
    if (!awaited(rank, named)) {
      return all;
    }
    int format = model.scan.format[model.base[named]];
    int unit = format < 0 ? Long.BYTES : PacketFormat.values()[format].bytes();
    return unit - offset % unit;
  }

  /** Whether lanes may await what an interface writes to the buffer, word by word or in packets. */
  public boolean awaited(int rank, int named) {
    int buffer = model.base[named];
    return model.whole
        && (model.scan.format[buffer] >= 0 || table.hasWords(rank * model.buffers + buffer));
  }

  /** Notes the words and packets in the bytes, if an interface's write of them may be awaited. */
  public void intent(int rank, int named, int from, int length, StepFootprint into) {
    if (!awaited(rank, named)) {
      return;
    }
    int buffer = model.base[named];
    int at = rank * model.buffers + buffer;
    int limit = Math.min(from + length, model.bytes[at]);
    if (model.scan.format[buffer] >= 0) {
      int unit = PacketFormat.values()[model.scan.format[buffer]].bytes();
      for (int p = from / unit * unit; p < limit && p + unit <= model.bytes[at]; p += unit) {
        into.changed(table.packet(model, rank, buffer, p));
      }
    }
    int end = table.hasWords(at) ? limit / Long.BYTES * Long.BYTES : 0;
    for (int p = from / Long.BYTES * Long.BYTES; p < end; p += Long.BYTES) {
      into.changed(table.word(at, p));
    }
  }

  /** Updates the words within bytes that were written. */
  public void written(
      MachineState s, int agent, int rank, int named, int from, int length, int causes) {
    written(s, agent, rank, named, from, length, 0, causes);
  }

  /** The same, where the first {@code whole} bytes were written by whole cells. */
  public void written(
      MachineState s, int agent, int rank, int named, int from, int length, int whole, int causes) {
    if (length == 0) {
      return;
    }
    int buffer = model.base[named];
    int at = rank * model.buffers + buffer;
    int start = model.firstByte[at];
    if (model.scan.format[buffer] >= 0) {
      PacketFormat format = PacketFormat.values()[model.scan.format[buffer]];
      int unit = format.bytes();
      int last = from + length;
      for (int p = from / unit * unit; p < last && p + unit <= model.bytes[at]; p += unit) {
        int word = table.packet(model, rank, buffer, p);
        long flag = flag(format, s.bytes, start + p);
        recurs |= !races && !recurs && flag != 0 && holds(s, word, flag);
        zeroRecurs |= !races && !zeroRecurs && flag == 0 && holds(s, word, flag);
        writes.packet(s, agent, word, flag, from <= p && p + unit <= last, causes);
      }
    }
    if (table.hasWords(at)) {
      int end = Math.min(from + length, model.bytes[at] / Long.BYTES * Long.BYTES);
      for (int p = from / Long.BYTES * Long.BYTES; p < end; p += Long.BYTES) {
        long value = TaggedBytes.word(s.bytes, start + p, Long.BYTES);
        int cell = whole > 0 && p < from + whole ? model.agents.cells.of(at, p) : -1;
        if (cell >= 0 && p % AtomicCells.BYTES == 0) {
          clocks.advance(s, cell);
        }
        writes.from(model.origins.of(s.bytes, start + p, Long.BYTES));
        writes.overwrite(s, agent, table.word(at, p), value, cell, causes);
      }
    }
  }

  /** Whether a read may still find that value of the word. */
  private boolean holds(MachineState s, int word, long value) {
    for (int i = words.count(s, word) - 1; i >= 0; i--) {
      if (words.value(s, word, i) == value) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a packet's flag came to a place where a read may still find an earlier packet with the
   * same flag and races are not looked for, or a move took a packet of which only a part was
   * written last. Which bytes a move takes then depends on when it is executed, and its flag does
   * not say it.
   */
  public boolean recurs() {
    return recurs || (zeroRecurs && zeroAwaited) || words.partial();
  }

  /** A move takes packets with that flag. */
  public void awaits(long flag) {
    zeroAwaited |= flag == 0;
  }

  /** The word at that place, which must be aligned. */
  public int word(int rank, int buffer, long offset) {
    int at = memory.checked(rank, buffer, offset, Long.BYTES);
    if (at % Long.BYTES != 0) {
      throw new FindingException(
          new Finding(
              Finding.Kind.BOUNDS,
              "word not aligned: buffer=%s, owner=%d, offset=%d; use a multiple of 8"
                  .formatted(model.buffer(buffer), rank, offset)));
    }
    return table.word(rank * model.buffers + buffer, at);
  }

  /** Notes a synchronising access of a word as an access of its bytes. */
  public void touched(MachineState s, int component, int word, boolean write, int seen) {
    int buffer = buffer(word);
    int rank = table.owner[word];
    int marks = write ? ShadowLayout.STRONG | ShadowLayout.WRITE : ShadowLayout.STRONG;
    memory.access(s, component, rank, buffer, table.offset[word], Long.BYTES, marks, seen);
  }

  /** Sets the word's bytes to its last value, and their previous value to the one before it. */
  public void changed(MachineState s, int word) {
    int at = model.firstByte[table.owner[word] * model.buffers + buffer(word)] + table.offset[word];
    int last = words.count(s, word) - 1;
    if (writes.entered() == last) {
      if (s.before.length > 0) {
        System.arraycopy(s.bytes, at, s.before, at, Long.BYTES);
      }
      model.origins.put(s.bytes, at, Long.BYTES, words.last(s, word), words.origin(s, word, last));
    } else if (writes.entered() == last - 1 && s.before.length > 0) {
      long origin = words.origin(s, word, last - 1);
      model.origins.put(s.before, at, Long.BYTES, words.value(s, word, last - 1), origin);
    }
  }

  private int buffer(int word) {
    return table.kindOf[word] - table.signals - model.buffers;
  }

  /** The flag of a packet's bytes, or -1 if its two flags differ. */
  private static long flag(PacketFormat format, long[] bytes, int at) {
    return switch (format) {
      case PKT8 -> TaggedBytes.word(bytes, at + 4, 4);
      case PKT16 -> {
        long flag = TaggedBytes.word(bytes, at + 4, 4);
        yield flag == TaggedBytes.word(bytes, at + 12, 4) ? flag : -1;
      }
      case LINE128 -> TaggedBytes.word(bytes, at + 120, 8);
    };
  }
}
