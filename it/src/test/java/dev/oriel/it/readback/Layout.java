package dev.oriel.it.readback;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.SignalArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The addresses of everything that a kernel accesses: each object has {@code 1 << 28} addresses.
 */
final class Layout {
  /** Bytes of a slot of a kernel, and of a lane's line. */
  static final int LINE = 128;

  private static final int RANK_SHIFT = 36;
  private static final int THING_SHIFT = 28;
  private static final long GLOBAL = 1L << 44;
  private static final long INSIDE = (1L << THING_SHIFT) - 1;

  /** The memory of a rank besides its buffers. */
  enum Other {
    SLOTS,
    LINES,
    STATUS,
    ABORT,
    SINK,
    QUEUES,
    RINGS,
    COMPLETIONS,
    BELLS
  }

  private static final List<Other> OTHERS = List.of(Other.values());

  private final Program program;
  private final List<Buffer> buffers;
  private final long[][] sizes;
  private final int slot;

  Layout(Program program) {
    this(program, LINE);
  }

  /**
   * @param slot the number of bytes from slot to slot
   */
  Layout(Program program, int slot) {
    this.program = program;
    this.slot = slot;
    this.buffers = program.form().buffers();
    this.sizes = new long[program.world()][buffers.size()];
    for (int rank = 0; rank < sizes.length; rank++) {
      for (int b = 0; b < buffers.size(); b++) {
        sizes[rank][b] = program.rank(rank).bytes(buffers.get(b).name());
      }
    }
  }

  long buffer(int rank, String name) {
    return address(rank, program.form().bufferIndex(name));
  }

  long other(int rank, Other other) {
    return address(rank, buffers.size() + OTHERS.indexOf(other));
  }

  /** The slot in {@code owner}'s memory that {@code source} writes. */
  long slot(int owner, int source, String signal, long index) {
    long before = 0;
    long row = 0;
    boolean passed = false;
    for (SignalArray s : program.form().signals()) {
      passed |= s.name().equals(signal);
      before += passed ? 0 : program.rank(owner).slots(s.name());
      row += program.rank(owner).slots(s.name());
    }
    return other(owner, Other.SLOTS) + slot * (source * row + before + index);
  }

  /** The contents of memory before the first write. */
  int initial(long address) {
    if (thing(address) >= buffers.size()) {
      return 0;
    }
    long mixed = address * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 56);
  }

  /** Rejects bytes that do not exist. */
  void check(long address, int bytes) {
    if (address < GLOBAL || rank(address) >= program.world()) {
      throw new Mismatch("no memory: address=0x%x".formatted(address));
    }
    int thing = thing(address);
    if (thing < buffers.size() && (address & INSIDE) + bytes > sizes[rank(address)][thing]) {
      throw new Mismatch("outside: place=%s, bytes=%d".formatted(describe(address), bytes));
    }
  }

  /** The place in the words of reports. */
  String describe(long address) {
    if (address < GLOBAL || rank(address) >= program.world()) {
      return "0x%x".formatted(address);
    }
    int thing = thing(address);
    String name =
        thing < buffers.size()
            ? buffers.get(thing).name()
            : thing < buffers.size() + Other.values().length
                ? Other.values()[thing - buffers.size()].name().toLowerCase(Locale.ROOT)
                : "nothing";
    return "%s@%d[%d]".formatted(name, rank(address), address & INSIDE);
  }

  /** Whether steps determine the contents: not those of queues and sinks. */
  boolean compared(long address) {
    return thing(address) < buffers.size() + OTHERS.indexOf(Other.STATUS);
  }

  /**
   * The addresses of all ranks' buffers, then of all their slots, in the order of a kernel's
   * parameter.
   */
  List<Long> bases() {
    List<Long> bases = new ArrayList<>();
    for (int thing = 0; thing <= buffers.size(); thing++) {
      for (int rank = 0; rank < program.world(); rank++) {
        bases.add(address(rank, thing));
      }
    }
    return bases;
  }

  private static long address(int rank, int thing) {
    return GLOBAL | (long) rank << RANK_SHIFT | (long) thing << THING_SHIFT;
  }

  private static int rank(long address) {
    return (int) ((address & ~GLOBAL) >>> RANK_SHIFT);
  }

  private static int thing(long address) {
    return (int) (address >>> THING_SHIFT & 255);
  }
}
