package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.kernel.HardwareTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Executes a sampled kernel's text without a GPU: interleaves the instructions of all its threads
 * on one memory. It shows outcomes of sequential consistency, which every weaker model also allows.
 */
final class KernelPlay {
  private static final int LANES = 2;
  private static final int GROUPS = 2;
  private static final int TURNS = 2;
  private static final long GPU_BYTES = 1L << 20;
  private static final long OUT = 1L << 30;
  private static final long MEET = 1L << 31;

  /** The number of copies of one launch. */
  static final int COPIES = LANES * GROUPS * TURNS;

  private final HardwareTest test;
  private final List<String[]> code = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<Long, Long> memory = new HashMap<>();
  private final List<Walk> threads = new ArrayList<>();
  private final Map<String, Meeting> meetings = new HashMap<>();
  private long clock;

  /** One thread, its position and its registers. */
  private static final class Walk {
    private final Map<String, Long> registers;
    private final Map<String, Long> parameters;
    private int at;

    /** The barrier for which it waits, which must end that often; null if it does not wait. */
    private @Nullable Meeting waitsFor;

    private int ends;

    Walk(Map<String, Long> registers, Map<String, Long> parameters) {
      this.registers = registers;
      this.parameters = parameters;
    }

    boolean waits() {
      return waitsFor != null && waitsFor.ended < ends;
    }
  }

  /** A barrier of one block: the number of arrivals since its last end. */
  private static final class Meeting {
    private int arrived;
    private int ended;

    void arrive(int expected) {
      if (++arrived == expected) {
        arrived = 0;
        ended++;
      }
    }
  }

  KernelPlay(HardwareTest test, String ptx) {
    this.test = test;
    ptx.lines().map(String::strip).forEach(this::read);
    for (int l = 0; l < test.initial().size(); l++) {
      for (int copy = 0; copy < COPIES; copy++) {
        memory.put(cell(l, copy), test.initial().get(l));
      }
    }
    for (int gpu = 0; gpu < test.gpus(); gpu++) {
      for (int block = 0; block < GROUPS * test.blocks(gpu); block++) {
        for (int thread = 0; thread < LANES * test.threadsOfBlock(); thread++) {
          threads.add(thread(gpu, block, thread));
        }
      }
    }
  }

  private void read(String line) {
    if (line.startsWith("$") && line.endsWith(":")) {
      labels.put(line.substring(0, line.length() - 1), code.size());
    } else if (line.endsWith(";") && !line.startsWith(".")) {
      code.add(line.substring(0, line.length() - 1).replaceAll("[,{}]", " ").split("\\s+"));
    }
  }

  private static Walk thread(int gpu, int block, int thread) {
    Map<String, Long> registers = new HashMap<>();
    registers.put("%tid.x", (long) thread);
    registers.put("%ctaid.x", (long) block);
    registers.put("%gpu", (long) gpu);
    registers.put("%lanemask_eq", 1L << thread % 32);
    Map<String, Long> parameters = new HashMap<>();
    for (int g = 0; g < 8; g++) {
      parameters.put("[cells+" + 8 * g + "]", GPU_BYTES * (g + 1L));
    }
    parameters.put("[cells]", GPU_BYTES);
    parameters.put("[out]", OUT);
    parameters.put("[meet]", MEET);
    parameters.put("[gpu]", (long) gpu);
    parameters.put("[seed]", 12_345L);
    parameters.put("[lanes]", (long) LANES);
    parameters.put("[groups]", (long) GROUPS);
    parameters.put("[turns]", (long) TURNS);
    return new Walk(registers, parameters);
  }

  private long cell(int location, int copy) {
    int gpu = (location + copy / 32) % test.gpus();
    return GPU_BYTES * (gpu + 1L) + HardwareTest.STRIDE * ((long) location * COPIES + copy);
  }

  /** Far more than the longest loops need. */
  private static final int MOST_TURNS = 3_000_000;

  /** Runs all threads to their ends, interleaved; false if they do not end. */
  boolean run(SplittableRandom random) {
    for (int turn = 0; !threads.isEmpty(); turn++) {
      if (turn == MOST_TURNS || threads.stream().allMatch(Walk::waits)) {
        return false;
      }
      int next = random.nextInt(threads.size());
      for (int steps = random.nextInt(1, 12); steps > 0; steps--) {
        if (!step(threads.get(next))) {
          threads.remove(next);
          break;
        }
      }
    }
    return true;
  }

  long[] outputs() {
    long[] all = new long[COPIES * test.outputs()];
    for (int i = 0; i < all.length; i++) {
      all[i] = Objects.requireNonNull(memory.get(OUT + 8L * i), "a word that nobody reported");
    }
    return all;
  }

  long[] cells() {
    long[] all = new long[COPIES * test.initial().size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = Objects.requireNonNull(memory.get(cell(i / COPIES, i % COPIES)));
    }
    return all;
  }

  /** Executes one instruction; whether there are more. */
  private boolean step(Walk t) {
    if (t.waits()) {
      return true;
    }
    String[] words = code.get(t.at++);
    int first = 0;
    if (words[0].startsWith("@")) {
      boolean negated = words[0].startsWith("@!");
      if (value(t, words[0].substring(negated ? 2 : 1)) == (negated ? 1 : 0)) {
        return true;
      }
      first = 1;
    }
    String[] parts = words[first].split("\\.");
    String[] o = List.of(words).subList(first + 1, words.length).toArray(String[]::new);
    switch (parts[0]) {
      case "ret" -> {
        return false;
      }
      case "bra" -> t.at = Objects.requireNonNull(labels.get(o[0]), o[0]);
      case "trap" -> throw new AssertionError("trap");
      case "fence", "bar" -> {}
      case "barrier" -> arrive(t, parts[1].equals("sync"), value(t, o[0]), value(t, o[1]));
      case "st" -> memory.put(address(t, o[0]), value(t, o[1]));
      case "red" -> change(t, parts, o[0], value(t, o[1]), 0);
      case "atom" -> {
        long last = o.length > 3 ? value(t, o[3]) : 0;
        t.registers.put(o[0], change(t, parts, o[1], value(t, o[2]), last));
      }
      case "setp" -> {
        boolean holds = compare(parts, value(t, o[1]), value(t, o[2]));
        t.registers.put(o[0], holds && (o.length < 4 || value(t, o[3]) == 1) ? 1L : 0);
      }
      default -> t.registers.put(o[0], result(t, parts, o));
    }
    return true;
  }

  /** Counts are of whole warps, but only the simulated lanes exist. */
  private void arrive(Walk t, boolean waits, long barrier, long count) {
    String block = value(t, "%gpu") + " " + value(t, "%ctaid.x") + " " + barrier;
    Meeting meeting = meetings.computeIfAbsent(block, key -> new Meeting());
    t.waitsFor = waits ? meeting : null;
    t.ends = meeting.ended + 1;
    meeting.arrive(Math.toIntExact(count / 32 * LANES));
  }

  private long result(Walk t, String[] parts, String[] o) {
    return switch (parts[0]) {
      case "ld" ->
          parts[1].equals("param")
              ? Objects.requireNonNull(t.parameters.get(o[1]), o[1])
              : memory.getOrDefault(address(t, o[1]), 0L);
      case "mov", "cvt" -> o[1].equals("%clock64") ? clock += 256 : value(t, o[1]);
      case "selp" -> value(t, o[3]) == 1 ? value(t, o[1]) : value(t, o[2]);
      case "mad" -> value(t, o[1]) * value(t, o[2]) + value(t, o[3]);
      case "neg" -> -value(t, o[1]);
      case "not" -> ~value(t, o[1]);
      default -> reckoned(parts[0], value(t, o[1]), value(t, o[2]));
    };
  }

  private long change(Walk t, String[] parts, String place, long operand, long last) {
    long address = address(t, place);
    long old = memory.getOrDefault(address, 0L);
    String what = parts[4];
    long now =
        switch (what) {
          case "cas" -> old == operand ? last : old;
          case "exch" -> operand;
          default -> reckoned(what, old, operand);
        };
    memory.put(address, now);
    return old;
  }

  private static long reckoned(String what, long a, long b) {
    return switch (what) {
      case "add" -> a + b;
      case "sub" -> a - b;
      case "mul" -> a * b;
      case "div" -> Long.divideUnsigned(a, b);
      case "rem" -> Long.remainderUnsigned(a, b);
      case "and" -> a & b;
      case "or" -> a | b;
      case "xor" -> a ^ b;
      case "shr" -> a >>> b;
      case "min" -> Math.min(a, b);
      case "max" -> Math.max(a, b);
      default -> throw new AssertionError("unknown instruction: " + what);
    };
  }

  private static boolean compare(String[] parts, long a, long b) {
    boolean signed = parts[parts.length - 1].startsWith("s");
    int order = signed ? Long.compare(a, b) : Long.compareUnsigned(a, b);
    return switch (parts[1]) {
      case "eq" -> order == 0;
      case "ne" -> order != 0;
      case "lt" -> order < 0;
      case "le" -> order <= 0;
      case "gt" -> order > 0;
      case "ge" -> order >= 0;
      default -> throw new AssertionError("unknown comparison: " + parts[1]);
    };
  }

  private static long address(Walk t, String place) {
    return value(t, place.substring(1, place.length() - 1));
  }

  private static long value(Walk t, String operand) {
    if (operand.startsWith("%")) {
      return Objects.requireNonNull(t.registers.get(operand), operand);
    }
    return operand.startsWith("0x")
        ? Long.parseUnsignedLong(operand.substring(2), 16)
        : Long.parseLong(operand);
  }
}
