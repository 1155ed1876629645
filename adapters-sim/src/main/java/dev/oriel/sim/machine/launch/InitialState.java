package dev.oriel.sim.machine.launch;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.PassedWords;
import dev.oriel.domain.program.Buffer;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.BitSet;
import java.util.Set;

/**
 * The initial state of an execution after earlier launches: registers that last, words that
 * synchronise, and words of plain memory. Packets are unwritten.
 */
public final class InitialState {
  /** No launch was before: all is 0. */
  public static final InitialState ZERO = new InitialState(new long[0], new long[0], new long[0]);

  /** Registers that last, lane by lane. */
  public final long[] registers;

  /** Values by number of the word. */
  public final long[] words;

  /** Aligned words of all memory, buffer by buffer. */
  public final long[] memory;

  public InitialState(long[] registers, long[] words, long[] memory) {
    this.registers = registers;
    this.words = words;
    this.memory = memory;
  }

  /** The initial state of the next execution, after this finished one. */
  public static InitialState left(MachineModel model, MachineState s, SyncWords words) {
    int count = 0;
    for (int l = 0; l < model.lanes; l++) {
      count += model.lane(l).persistent();
    }
    long[] registers = new long[count];
    int next = 0;
    for (int l = 0; l < model.lanes; l++) {
      LaneInstructions code = model.lane(l);
      System.arraycopy(s.registers, model.firstRegister[l], registers, next, code.persistent());
      next += code.persistent();
    }
    long[] values = new long[model.words.count];
    for (int w = 0; w < values.length; w++) {
      values[w] = packet(model, w) ? 0 : words.last(s, w);
    }
    long[] memory = new long[places(model)];
    next = 0;
    for (int b = 0; b < model.bytes.length; b++) {
      for (int at = 0; at + Long.BYTES <= model.bytes[b]; at += Long.BYTES) {
        memory[next++] =
            lasts(model, b) ? TaggedBytes.word(s.bytes, model.firstByte[b] + at, 8) : 0;
      }
    }
    return new InitialState(registers, values, memory);
  }

  /**
   * The words of {@link #memory} that lanes may read as words, by their numbers; none if lanes read
   * words of inputs, as these may decide what memory holds.
   */
  public static BitSet read(WorldCode code) {
    BitSet read = new BitSet();
    if (!InputWords.buffers(code.ranks().getFirst().program()).isEmpty()
        || !PassedWords.of(code.form()).isEmpty()) {
      return read;
    }
    Set<String> buffers = PassedWords.buffers(code.form());
    int next = 0;
    for (int r = 0; r < code.world(); r++) {
      for (Buffer buffer : code.form().buffers()) {
        int words = (int) (code.ranks().get(r).bytes(buffer.name()) / Long.BYTES);
        read.set(next, next + words, buffers.contains(buffer.name()));
        next += words;
      }
    }
    return read;
  }

  /** Sets a fresh state to these initial values. */
  public void into(MachineModel model, MachineState s) {
    if (this == ZERO) {
      return;
    }
    int next = 0;
    for (int l = 0; l < model.lanes; l++) {
      int count = model.lane(l).persistent();
      System.arraycopy(registers, next, s.registers, model.firstRegister[l], count);
      next += count;
    }
    next = 0;
    for (int b = 0; b < model.bytes.length; b++) {
      for (int at = 0; at + Long.BYTES <= model.bytes[b]; at += Long.BYTES) {
        TaggedBytes.putWord(s.bytes, model.firstByte[b] + at, Long.BYTES, memory[next++]);
      }
    }
    for (int w = 0; w < words.length; w++) {
      s.wordValues[model.words.firstValue[w]] = words[w];
    }
  }

  private static int places(MachineModel model) {
    int places = 0;
    for (int bytes : model.bytes) {
      places += bytes / Long.BYTES;
    }
    return places;
  }

  /** Whether the buffer's contents last from launch to launch, and are no packets. */
  private static boolean lasts(MachineModel model, int rankAndBuffer) {
    int buffer = rankAndBuffer % model.buffers;
    return model.scan.format[buffer] < 0
        && switch (model.space(buffer)) {
          case WINDOW, SCRATCH -> true;
          case INPUT, UNIFORM, OUTPUT, INOUT, SHARED -> false;
        };
  }

  private static boolean packet(MachineModel model, int word) {
    return model.words.isPacket(model, word);
  }
}
