package dev.oriel.sim.litmus.kernel;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints a litmus test as one PTX kernel that runs many copies of it at once.
 *
 * <pre>
 * copy i        words of its own, one sector each; word l is on GPU (l + i / 32) % gpus
 * thread        sometimes reads all words, so that its cache holds the initial values;
 *               waits for the copy's other threads for a limited time; then waits a random time,
 *               equal within a warp; executes the test's code; reports registers
 * loop          ends after a limited number of rounds, which is reported, too: the awaited thread
 *               may have given up, or may not run
 * block         as many copies as it has lanes, each thread of the test in warps of its own
 * </pre>
 */
final class KernelPrinter {
  /** Polls of the rendezvous before a thread continues alone. */
  private static final int MAX_POLLS = 2048;

  /** Rounds of all loops of a thread: some milliseconds of polling. */
  private static final int ROUNDS = 4096;

  private final HardwareTest hardware;
  private final LitmusTest test;
  private final LaunchGrid grid;
  private final BlockBarriers barriers;
  private final String target;
  private final StringBuilder body = new StringBuilder();
  private final Map<String, String> registers = new LinkedHashMap<>();

  /** The registers with a thread's count of rounds, and whether it gave up. */
  private String rounds = "";

  private String gone = "";

  private int words = 40;
  private int predicates = 8;

  KernelPrinter(HardwareTest hardware, String target) {
    this.hardware = hardware;
    this.test = hardware.test();
    this.grid = hardware.grid();
    this.barriers = new BlockBarriers(test);
    this.target = target;
  }

  String text() {
    for (LitmusThread thread : test.threads()) {
      dispatch(thread);
    }
    body.append("    ret;\n");
    for (LitmusThread thread : test.threads()) {
      thread(thread);
    }
    return """
    // The litmus test %s, many copies at once.
    .version 8.0
    .target %s
    .address_size 64
    .visible .entry %s(
        .param .align 8 .b8 cells[64], .param .u64 out, .param .u64 meet, .param .u64 gpu,
        .param .u64 seed, .param .u64 lanes, .param .u64 groups, .param .u64 turns)%s
    {
        .reg .b64 %%rd<%s>;
        .reg .b32 %%r<9>;
        .reg .pred %%p<%s>;
        // rd0 gpu, rd1 lane, rd2 thread of the block, rd3 block of the copy, rd4 group, rd5 turn
        // rd6 lanes, rd7 groups, rd8 turns, rd9 copies, rd10 this copy
        ld.param.u64 %%rd0, [gpu];
        ld.param.u64 %%rd6, [lanes];
        ld.param.u64 %%rd7, [groups];
        ld.param.u64 %%rd8, [turns];
        mul.lo.u64 %%rd9, %%rd6, %%rd7;
        mul.lo.u64 %%rd9, %%rd9, %%rd8;
        mov.u32 %%r0, %%tid.x;
        cvt.u64.u32 %%rd11, %%r0;
        rem.u64 %%rd1, %%rd11, %%rd6;
        div.u64 %%rd2, %%rd11, %%rd6;
        mov.u32 %%r1, %%ctaid.x;
        cvt.u64.u32 %%rd12, %%r1;
        rem.u64 %%rd13, %%rd12, %s;
        div.u64 %%rd12, %%rd12, %s;
        rem.u64 %%rd4, %%rd12, %%rd7;
        div.u64 %%rd3, %%rd12, %%rd7;
        mad.lo.u64 %%rd3, %%rd3, %s, %%rd13;
        mov.u64 %%rd5, 0;
    %s}
    """
        .formatted(
            test.name().replaceAll("\\p{Cntrl}", "?"),
            target,
            HardwareTest.ENTRY,
            grid.clusterSize() > 1 ? " .reqnctapercluster " + grid.clusterSize() : "",
            words,
            predicates,
            grid.clusterSize(),
            grid.clusterSize(),
            grid.clusterSize(),
            body.toString().indent(0));
  }

  private void op(String format, Object... operands) {
    body.append("    ").append(String.format(Locale.ROOT, format, operands)).append(";\n");
  }

  private void place(String label) {
    body.append(label).append(":\n");
  }

  private String word() {
    return "%rd" + words++;
  }

  private String predicate() {
    return "%p" + predicates++;
  }

  private void dispatch(LitmusThread thread) {
    op("setp.eq.u64 %%p0, %%rd0, %d", grid.gpu(thread));
    op("setp.eq.and.u64 %%p0, %%rd3, %d, %%p0", grid.block(thread));
    op("setp.eq.and.u64 %%p0, %%rd2, %d, %%p0", grid.place(thread));
    op("@%%p0 bra $P%d", thread.number());
  }

  private void thread(LitmusThread thread) {
    int number = thread.number();
    registers.clear();
    place("$P" + number);
    place("$P%s_turn".formatted(number));
    op("setp.ge.u64 %%p0, %%rd5, %%rd8");
    op("@%%p0 ret");
    op("mad.lo.u64 %%rd10, %%rd5, %%rd7, %%rd4");
    op("mad.lo.u64 %%rd10, %%rd10, %%rd6, %%rd1");
    List<String> cells = cells();
    random(number);
    stale(number, cells);
    meet(number);
    pause(number);
    code(thread, cells);
    report(thread);
    if (barriers.needsEnd(thread)) {
      barrier("sync", BlockBarriers.end(), (int) grid.company(thread).count());
    }
    op("add.u64 %%rd5, %%rd5, 1");
    op("bra $P%d_turn", number);
  }

  /** The addresses of the copy's words. */
  private List<String> cells() {
    List<String> cells = new ArrayList<>();
    for (int l = 0; l < test.locations().size(); l++) {
      String cell = word();
      op("shr.u64 %%rd15, %%rd10, 5");
      op("add.u64 %%rd15, %%rd15, %d", l);
      op("rem.u64 %%rd15, %%rd15, %d", grid.gpus());
      // A parameter needs a constant address, so the code reads each GPU's base and selects one.
      op("ld.param.u64 %s, [cells]", cell);
      for (int g = 1; g < grid.gpus(); g++) {
        op("ld.param.u64 %%rd16, [cells+%d]", 8 * g);
        op("setp.eq.u64 %%p0, %%rd15, %d", g);
        op("selp.b64 %s, %%rd16, %s, %%p0", cell, cell);
      }
      op("mad.lo.u64 %%rd17, %%rd9, %d, %%rd10", l);
      op("mad.lo.u64 %s, %%rd17, %d, %s", cell, HardwareTest.STRIDE, cell);
      cells.add(cell);
    }
    return cells;
  }

  /** Random numbers: by copy and thread into rd20, by warp of copies and thread into rd24. */
  private void random(int number) {
    op("ld.param.u64 %%rd18, [seed]");
    mixed("%rd20", "%rd10", number);
    // No other copy has this number, so no random number occurs twice.
    op("shr.u64 %%rd24, %%rd10, 5");
    op("not.b64 %%rd24, %%rd24");
    mixed("%rd24", "%rd24", number);
  }

  private void mixed(String to, String from, int number) {
    op("mad.lo.u64 %s, %s, 0x9E3779B97F4A7C15, %%rd18", to, from);
    op("add.u64 %s, %s, %d", to, to, 0x632BE59BD9B4E019L * (number + 1));
    for (long factor : new long[] {0xBF58476D1CE4E5B9L, 0x94D049BB133111EBL}) {
      op("shr.u64 %%rd21, %s, 29", to);
      op("xor.b64 %s, %s, %%rd21", to, to);
      op("mul.lo.u64 %s, %s, %d", to, to, factor);
    }
    op("shr.u64 %%rd21, %s, 31", to);
    op("xor.b64 %s, %s, %%rd21", to, to);
  }

  /** Reads all words beforehand in every second copy: weak reads may then return cached values. */
  private void stale(int number, List<String> cells) {
    op("and.b64 %%rd21, %%rd20, 1");
    op("setp.eq.u64 %%p1, %%rd21, 0");
    op("@%%p1 bra $P%d_fresh", number);
    for (String cell : cells) {
      op("ld.weak.global.u64 %%rd22, [%s]", cell);
      // No word holds this value; the compiler does not know that, and keeps the read.
      op("setp.eq.u64 %%p2, %%rd22, 0x7A57E0DDC0FFEE11");
      op("@%%p2 trap");
    }
    place("$P%s_fresh".formatted(number));
  }

  private void meet(int number) {
    op("ld.param.u64 %%rd23, [meet]");
    op("mad.lo.u64 %%rd23, %%rd10, 4, %%rd23");
    op("red.relaxed.sys.global.add.u32 [%%rd23], 1");
    op("mov.u32 %%r2, 0");
    place("$P%s_meet".formatted(number));
    op("ld.relaxed.sys.global.u32 %%r3, [%%rd23]");
    op("add.u32 %%r2, %%r2, 1");
    op("setp.lt.u32 %%p3, %%r2, %d", MAX_POLLS);
    op("setp.lt.and.u32 %%p3, %%r3, %d, %%p3", test.threads().size());
    op("@%%p3 bra $P%d_meet", number);
  }

  /** Up to 256 cycles, in one of four cases up to 4,096: more than the skew between GPUs. */
  private void pause(int number) {
    op("and.b64 %%rd25, %%rd24, 0xfff");
    op("and.b64 %%rd26, %%rd24, 0x300000");
    op("setp.ne.u64 %%p4, %%rd26, 0");
    op("@%%p4 and.b64 %%rd25, %%rd25, 0xff");
    op("mov.u64 %%rd27, %%clock64");
    place("$P%s_pause".formatted(number));
    op("mov.u64 %%rd28, %%clock64");
    op("sub.u64 %%rd28, %%rd28, %%rd27");
    op("setp.lt.u64 %%p5, %%rd28, %%rd25");
    op("@%%p5 bra $P%d_pause", number);
  }

  private void code(LitmusThread thread, List<String> cells) {
    thread.registers().forEach((name, value) -> op("mov.u64 %s, %d", register(name), value));
    // A register that a branch skips holds zero, as in the model.
    test.observed(thread.number()).stream()
        .filter(name -> !thread.registers().containsKey(name))
        .forEach(name -> op("mov.u64 %s, 0", register(name)));
    for (LitmusInstruction instruction : thread.code()) {
      String to = LiveRegisters.assigned(instruction);
      if (to != null && !registers.containsKey(to)) {
        op("mov.u64 %s, 0", register(to));
      }
    }
    if (hardware.waiting().contains(thread)) {
      rounds = word();
      gone = word();
      op("mov.u64 %s, 0", rounds);
      op("mov.u64 %s, 0", gone);
    }
    for (int at = 0; at < thread.code().size(); at++) {
      place("$P%s_%s".formatted(thread.number(), at));
      instruction(thread, at, cells);
    }
    place("$P%s_%s".formatted(thread.number(), thread.code().size()));
  }

  /**
   * Each warp of copies has its own barrier with the warps of the other threads of these copies.
   */
  private void barrier(String what, int number, int members) {
    op("cvt.u32.u64 %%r8, %%rd1");
    op("shr.u32 %%r8, %%r8, 5");
    op("add.u32 %%r8, %%r8, %d", number * BlockBarriers.WARPS);
    op("barrier.%s %%r8, %d", what, 32 * members);
  }

  private String register(String name) {
    return registers.computeIfAbsent(name, n -> word());
  }

  private String value(InstructionOperand operand) {
    return switch (operand) {
      case InstructionOperand.Constant constant -> Long.toString(constant.value());
      case InstructionOperand.Register register -> register(register.name());
    };
  }

  private void instruction(LitmusThread thread, int at, List<String> cells) {
    LitmusInstruction instruction = thread.code().get(at);
    switch (instruction) {
      case LitmusInstruction.Load l ->
          op(
              "ld%s.global.u64 %s, [%s]",
              ordered(l.order(), l.scope()), register(l.to()), cells.get(l.location()));
      case LitmusInstruction.Store s ->
          op(
              "st%s.global.u64 [%s], %s",
              ordered(s.order(), s.scope()), cells.get(s.location()), value(s.value()));
      case LitmusInstruction.Atomic a -> atomic(a, cells.get(a.location()));
      case LitmusInstruction.Fence f ->
          op("fence.%s.%s", f.order() == MemoryOrder.SC ? "sc" : "acq_rel", lower(f.scope()));
      case LitmusInstruction.Move m -> op("mov.u64 %s, %s", register(m.to()), value(m.value()));
      case LitmusInstruction.Compute c when ValueComparison.of(c.op()) != null -> {
        String if_ = predicate();
        op("setp.%s.s64 %s, %s, %s", lower(c.op()), if_, value(c.a()), value(c.b()));
        op("selp.u64 %s, 1, 0, %s", register(c.to()), if_);
      }
      case LitmusInstruction.Compute c ->
          op("%s %s, %s, %s", computing(c.op()), register(c.to()), value(c.a()), value(c.b()));
      case LitmusInstruction.Jump j -> {
        if (HardwareTest.goesBack(j, at)) {
          round(thread);
        }
        op("bra $P%d_%d", thread.number(), j.target());
      }
      case LitmusInstruction.Branch b -> {
        String if_ = predicate();
        op("setp.%s.s64 %s, %s, %s", lower(b.comparison()), if_, value(b.a()), value(b.b()));
        if (HardwareTest.goesBack(b, at)) {
          op("@!%s bra $P%d_%d", if_, thread.number(), at + 1);
          round(thread);
          op("bra $P%d_%d", thread.number(), b.target());
        } else {
          op("@%s bra $P%d_%d", if_, thread.number(), b.target());
        }
      }
      case LitmusInstruction.Barrier b when barriers.alone(thread, b) -> {
        op("mov.u32 %%r4, %%lanemask_eq");
        op("bar.warp.sync %%r4");
      }
      case LitmusInstruction.Barrier b ->
          barrier(
              b.waits() ? "sync" : "arrive",
              barriers.number(thread, b),
              barriers.members(thread, b));
      case LitmusInstruction.ProxyFence f -> throw new IllegalArgumentException("left out: " + f);
    }
  }

  /** Before a backward jump: another round, or the end of the loop. */
  private void round(LitmusThread thread) {
    String over = predicate();
    op("add.u64 %s, %s, 1", rounds, rounds);
    op("setp.gt.u64 %s, %s, %d", over, rounds, ROUNDS);
    op("@%s mov.u64 %s, 1", over, gone);
    op("@%s bra $P%d_%d", over, thread.number(), thread.code().size());
  }

  private void atomic(LitmusInstruction.Atomic a, String cell) {
    String order =
        ordered(a.order() == MemoryOrder.WEAK ? MemoryOrder.RELAXED : a.order(), a.scope());
    String operand = value(a.value());
    if (a.op() == ArithmeticOp.SUB) {
      String negative = word();
      op("mov.u64 %s, %s", negative, operand);
      op("neg.s64 %s, %s", negative, negative);
      operand = negative;
    }
    String to = a.to() == null ? word() : register(a.to());
    if (a.expected() != null) {
      op("atom%s.global.cas.b64 %s, [%s], %s, %s", order, to, cell, value(a.expected()), operand);
    } else if (a.op() == null) {
      op("atom%s.global.exch.b64 %s, [%s], %s", order, to, cell, operand);
    } else if (a.to() == null) {
      op("red%s.global.%s [%s], %s", order, updating(a.op()), cell, operand);
    } else {
      op("atom%s.global.%s %s, [%s], %s", order, updating(a.op()), to, cell, operand);
    }
  }

  private static String updating(ArithmeticOp op) {
    return switch (op) {
      case ADD, SUB -> "add.u64";
      case AND -> "and.b64";
      case OR -> "or.b64";
      case XOR -> "xor.b64";
      case MIN -> "min.s64";
      case MAX -> "max.s64";
      default -> throw new IllegalArgumentException("left out: " + op);
    };
  }

  private static String computing(ArithmeticOp op) {
    return switch (op) {
      case ADD -> "add.s64";
      case SUB -> "sub.s64";
      case MUL -> "mul.lo.s64";
      case AND -> "and.b64";
      case OR -> "or.b64";
      case XOR -> "xor.b64";
      case MIN -> "min.s64";
      case MAX -> "max.s64";
      default -> throw new IllegalArgumentException("left out: " + op);
    };
  }

  private static String ordered(MemoryOrder order, @Nullable LitmusScope scope) {
    return order == MemoryOrder.WEAK || scope == null
        ? ".weak"
        : "." + lower(order) + "." + lower(scope);
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Writes observed registers, each with those of all copies in a row, then the threads that gave
   * up.
   */
  private void report(LitmusThread thread) {
    int row = 0;
    for (LitmusCondition.Variable variable : test.observed()) {
      if (variable instanceof LitmusCondition.Variable.Register register) {
        if (register.thread() == thread.number()) {
          report(row, register(register.name()));
        }
        row++;
      }
    }
    int waiting = hardware.waiting().indexOf(thread);
    if (waiting >= 0) {
      report(row + waiting, gone);
    }
  }

  private void report(int row, String value) {
    op("ld.param.u64 %%rd30, [out]");
    op("mad.lo.u64 %%rd31, %%rd9, %d, %%rd10", row);
    op("mad.lo.u64 %%rd30, %%rd31, 8, %%rd30");
    op("st.weak.global.u64 [%%rd30], %s", value);
  }
}
