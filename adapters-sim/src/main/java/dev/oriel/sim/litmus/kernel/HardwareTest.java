package dev.oriel.sim.litmus.kernel;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.Condition;
import dev.oriel.sim.litmus.test.Instruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A litmus test as GPUs run it, and which of their outcomes its model allows. Instructions are
 * taken as written; what stands around them (see {@link KernelPrinter}) may hide an outcome and
 * adds none.
 */
public final class HardwareTest {
  private static final Optional<String> TYPED =
      Optional.of("arithmetic of 32 bits or without a sign");

  private final LitmusTest test;
  private final Set<List<Long>> allowed;
  private final Grid grid;

  private HardwareTest(LitmusTest test, Set<List<Long>> allowed) {
    this.test = test;
    this.allowed = allowed;
    grid = new Grid(test);
  }

  /** The test with the outcomes that the checker finds, which must have seen all. */
  public static HardwareTest of(LitmusTest test, LitmusChecker checker) {
    return new HardwareTest(test, checker.states(test));
  }

  /** Why GPUs are not given the test as it stands; empty if they are. */
  public static Optional<String> leftOut(LitmusTest test) {
    if (!test.unsupported().isEmpty()) {
      return Optional.of("instructions that are not known");
    }
    if (test.proxies() > 0) {
      return Optional.of("proxies and aliases");
    }
    for (LitmusThread thread : test.threads()) {
      for (Instruction instruction : thread.code()) {
        Optional<String> reason = leftOut(instruction);
        if (reason.isPresent()) {
          return reason;
        }
      }
    }
    return new BlockBarriers(test).leftOut();
  }

  private static Optional<String> leftOut(Instruction instruction) {
    return switch (instruction) {
      case Instruction.Atomic atomic when atomic.op() == ArithmeticOp.MUL ->
          Optional.of("an update that no GPU has");
      case Instruction.Atomic atomic
          when atomic.op() == ArithmeticOp.INC || atomic.op() == ArithmeticOp.DEC ->
          Optional.of("an update of 32 bits only");
      case Instruction.Atomic atomic when atomic.op() != null && atomic.op().ofType() -> TYPED;
      case Instruction.Compute compute when compute.op().ofType() -> TYPED;
      case Instruction.Branch branch
          when branch.comparison().orders()
              && branch.comparison().unsigned() == branch.comparison() ->
          TYPED;
      default -> Optional.empty();
    };
  }

  /** Whether it takes GPUs that have clusters of blocks, which begin with {@code sm_90}. */
  public boolean needsClusters() {
    return grid.clusterSize() > 1
        || test.threads().stream()
            .flatMap(thread -> thread.code().stream())
            .anyMatch(HardwareTest::namesClusters);
  }

  private static boolean namesClusters(Instruction instruction) {
    return switch (instruction) {
      case Instruction.Load l -> l.scope() == LitmusScope.CLUSTER;
      case Instruction.Store s -> s.scope() == LitmusScope.CLUSTER;
      case Instruction.Atomic a -> a.scope() == LitmusScope.CLUSTER;
      case Instruction.Fence f -> f.scope() == LitmusScope.CLUSTER;
      default -> false;
    };
  }

  /** What the kernel is called in its text. */
  public static final String ENTRY = "litmus";

  /** Bytes from one word to the next: a sector, so that no two words share one. */
  public static final int STRIDE = 32;

  /** The kernel, of which every GPU runs a part. */
  public String ptx(String target) {
    return new KernelPrinter(this, target).text();
  }

  /** How many GPUs the test needs. */
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

  /** What each memory holds before a copy runs. */
  public List<Long> initial() {
    List<Long> values = new ArrayList<>();
    test.locations().forEach(location -> values.add(location.initial()));
    return values;
  }

  /** How many registers a copy reports. */
  public int registers() {
    return (int)
        test.observed().stream().filter(v -> v instanceof Condition.Variable.Register).count();
  }

  /**
   * How many words a copy reports: its registers, then for each thread with a loop whether it gave
   * that up.
   */
  public int outputs() {
    return registers() + waiting().size();
  }

  /** The threads with loops, whose ends others may have to bring about. */
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

  /** Whether the instruction at that place may lead to one that is not behind it. */
  static boolean goesBack(Instruction instruction, int at) {
    return switch (instruction) {
      case Instruction.Jump jump -> jump.target() <= at;
      case Instruction.Branch branch -> branch.target() <= at;
      default -> false;
    };
  }

  /** Whether a copy that reported so went through every loop to its end; else it has no outcome. */
  public boolean ended(List<Long> reported) {
    return reported.subList(registers(), reported.size()).stream().allMatch(gone -> gone == 0);
  }

  /** Whether an outcome names what memory holds at the end. */
  public boolean observesMemory() {
    return test.observed().stream().anyMatch(v -> v instanceof Condition.Variable.Memory);
  }

  /**
   * The outcome of one copy.
   *
   * @param registers its registers first, as reported
   * @param memory what its memory holds at the end, in the order of {@link #initial}
   */
  public List<Long> outcome(List<Long> registers, List<Long> memory) {
    List<Long> state = new ArrayList<>();
    int register = 0;
    for (Condition.Variable variable : test.observed()) {
      state.add(
          switch (variable) {
            case Condition.Variable.Register r -> registers.get(register++);
            case Condition.Variable.Memory m -> memory.get(m.location());
          });
    }
    return state;
  }

  /** Whether the test counts executions that end so. */
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

  /** How many outcomes the model allows. */
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

  Grid grid() {
    return grid;
  }
}
