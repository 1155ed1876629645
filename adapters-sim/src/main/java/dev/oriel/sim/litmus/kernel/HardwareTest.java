package dev.oriel.sim.litmus.kernel;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A litmus test as GPUs run it, with the outcomes that its model allows. Instructions are taken as
 * written. The code around them (see {@link KernelPrinter}) may hide an outcome and adds none.
 */
public final class HardwareTest {
  private static final Optional<String> TYPED =
      Optional.of("arithmetic of 32 bits or without a sign");

  private final LitmusTest test;
  private final Set<List<Long>> allowed;
  private final LaunchGrid grid;

  private HardwareTest(LitmusTest test, Set<List<Long>> allowed) {
    this.test = test;
    this.allowed = allowed;
    grid = new LaunchGrid(test);
  }

  /** The test with the outcomes that the checker finds; the checker must find all. */
  public static HardwareTest of(LitmusTest test, LitmusChecker checker) {
    return new HardwareTest(test, checker.states(test));
  }

  /** Why the test is not run on GPUs; empty if it is. */
  public static Optional<String> unsupported(LitmusTest test) {
    if (!test.unsupported().isEmpty()) {
      return Optional.of("instructions that are not known");
    }
    if (test.proxies() > 0) {
      return Optional.of("proxies and aliases");
    }
    for (LitmusThread thread : test.threads()) {
      for (LitmusInstruction instruction : thread.code()) {
        Optional<String> reason = unsupported(instruction);
        if (reason.isPresent()) {
          return reason;
        }
      }
    }
    return new BlockBarriers(test).unsupported();
  }

  private static Optional<String> unsupported(LitmusInstruction instruction) {
    return switch (instruction) {
      case LitmusInstruction.Atomic atomic when atomic.op() == ArithmeticOp.MUL ->
          Optional.of("an update that no GPU has");
      case LitmusInstruction.Atomic atomic
          when atomic.op() == ArithmeticOp.INC || atomic.op() == ArithmeticOp.DEC ->
          Optional.of("an update of 32 bits only");
      case LitmusInstruction.Atomic atomic when atomic.op() != null && atomic.op().ofType() ->
          TYPED;
      case LitmusInstruction.Compute compute when compute.op().ofType() -> TYPED;
      case LitmusInstruction.Branch branch
          when branch.comparison().orders()
              && branch.comparison().unsigned() == branch.comparison() ->
          TYPED;
      default -> Optional.empty();
    };
  }

  /** Whether it needs GPUs with clusters of blocks, which begin with {@code sm_90}. */
  public boolean needsClusters() {
    return grid.clusterSize() > 1
        || test.threads().stream()
            .flatMap(thread -> thread.code().stream())
            .anyMatch(HardwareTest::namesClusters);
  }

  private static boolean namesClusters(LitmusInstruction instruction) {
    return switch (instruction) {
      case LitmusInstruction.Load l -> l.scope() == LitmusScope.CLUSTER;
      case LitmusInstruction.Store s -> s.scope() == LitmusScope.CLUSTER;
      case LitmusInstruction.Atomic a -> a.scope() == LitmusScope.CLUSTER;
      case LitmusInstruction.Fence f -> f.scope() == LitmusScope.CLUSTER;
      default -> false;
    };
  }

  /** The kernel's name in its text. */
  public static final String ENTRY = "litmus";

  /** Bytes from one word to the next: a sector, so that no two words share one. */
  public static final int STRIDE = 32;

  /** The kernel, of which every GPU runs a part. */
  public String ptx(String target) {
    return new KernelPrinter(this, target).text();
  }

  /** The number of GPUs that the test needs. */
  public int gpus() {
    return grid.gpus();
  }

  /** Thread blocks of one copy of the test on the n-th GPU. */
  public int blocks(int gpu) {
    return grid.blocks(gpu);
  }

  /** The most threads that one of the test's blocks has. */
  public int threadsOfBlock() {
    return grid.threadsOfBlock();
  }

  /** The initial value of each memory of a copy. */
  public List<Long> initial() {
    List<Long> values = new ArrayList<>();
    test.locations().forEach(location -> values.add(location.initial()));
    return values;
  }

  /** The number of registers that a copy reports. */
  public int registers() {
    return (int)
        test.observed().stream()
            .filter(v -> v instanceof LitmusCondition.Variable.Register)
            .count();
  }

  /**
   * The number of words that a copy reports: its registers, then for each thread with a loop
   * whether it gave the loop up.
   */
  public int outputs() {
    return registers() + waiting().size();
  }

  /** The threads with loops, which may wait for other threads' writes. */
  List<LitmusThread> waiting() {
    return test.threads().stream().filter(HardwareTest::waits).toList();
  }

  private static boolean waits(LitmusThread thread) {
    for (int at = 0; at < thread.code().size(); at++) {
      if (goesBack(thread.code().get(at), at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the instruction at that place may jump to an earlier one or to itself. */
  static boolean goesBack(LitmusInstruction instruction, int at) {
    return switch (instruction) {
      case LitmusInstruction.Jump jump -> jump.target() <= at;
      case LitmusInstruction.Branch branch -> branch.target() <= at;
      default -> false;
    };
  }

  /** Whether every loop of the copy that reported this ended; otherwise the copy has no outcome. */
  public boolean ended(List<Long> reported) {
    return reported.subList(registers(), reported.size()).stream().allMatch(gone -> gone == 0);
  }

  /** Whether an outcome includes final values of memory. */
  public boolean observesMemory() {
    return test.observed().stream().anyMatch(v -> v instanceof LitmusCondition.Variable.Memory);
  }

  /**
   * The outcome of one copy.
   *
   * @param registers its registers first, as reported
   * @param memory the final values of its memory, in the order of {@link #initial}
   */
  public List<Long> outcome(List<Long> registers, List<Long> memory) {
    List<Long> state = new ArrayList<>();
    int register = 0;
    for (LitmusCondition.Variable variable : test.observed()) {
      state.add(
          switch (variable) {
            case LitmusCondition.Variable.Register r -> registers.get(register++);
            case LitmusCondition.Variable.Memory m -> memory.get(m.location());
          });
    }
    return state;
  }

  /** Whether the outcome passes the test's filter. */
  public boolean counts(List<Long> outcome) {
    return test.filter().holds(test.observed(), outcome);
  }

  /** Whether the model allows the outcome. */
  public boolean allows(List<Long> outcome) {
    return allowed.contains(outcome);
  }

  /** Whether the outcome satisfies the test's condition. */
  public boolean satisfies(List<Long> outcome) {
    return test.condition().holds(test.observed(), outcome);
  }

  /** The number of outcomes that the model allows. */
  public int allowed() {
    return allowed.size();
  }

  /** The outcome in words. */
  public String described(List<Long> outcome) {
    return test.described(outcome);
  }

  LitmusTest test() {
    return test;
  }

  LaunchGrid grid() {
    return grid;
  }
}
