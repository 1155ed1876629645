package dev.oriel.sim.code;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.LaneFamily;
import java.util.Arrays;
import java.util.List;

/**
 * One lane instance as one array of instructions; see {@link LaneOpcode}. Addresses are indices of
 * the array.
 */
public final class LaneInstructions {
  /** Register of the epoch. */
  public static final int EPOCH = 0;

  private final int rank;
  private final LaneInstance instance;
  final int[] ops;
  private final int[] next;
  private final int end;
  private final String[] texts;
  private final int[] operations;
  private final int registers;
  private final int persistent;
  private final boolean threads;

  LaneInstructions(
      int rank,
      LaneInstance instance,
      int[] ops,
      List<String> texts,
      List<Integer> operations,
      int registers,
      int persistent,
      boolean threads) {
    this.rank = rank;
    this.instance = instance;
    this.ops = ops;
    next = new int[ops.length];
    int last = -1;
    for (int at = 0; at < ops.length; at = next[at]) {
      next[at] = InstructionBounds.next(ops, at);
      last = ops[at] == LaneOpcode.END ? at : last;
    }
    end = last;
    this.texts = texts.toArray(String[]::new);
    this.operations = operations.stream().mapToInt(Integer::intValue).toArray();
    this.registers = registers;
    this.persistent = persistent;
    this.threads = threads;
  }

  public int rank() {
    return rank;
  }

  /** Lane name and indices, as reports print them. */
  public String label() {
    return instance.label();
  }

  /** The name of the lane without its indices. */
  public String name() {
    return instance.lane().name();
  }

  /** The engine that executes the lane. */
  public LaneFamily.Engine engine() {
    return instance.lane().engine();
  }

  /** Whether both have the same instructions, for lanes of the same place and kind. */
  boolean same(LaneInstructions other) {
    return rank == other.rank
        && registers == other.registers
        && persistent == other.persistent
        && threads == other.threads
        && label().equals(other.label())
        && engine().equals(other.engine())
        && Arrays.equals(ops, other.ops);
  }

  /** The instructions and their operands. */
  @SuppressWarnings("EI_EXPOSE_REP") // read by every step of every execution; never written
  public int[] ops() {
    return ops;
  }

  /** The place of the instruction after the one at {@code at}. */
  public int next(int at) {
    return next[at];
  }

  /** The place of an instruction that ends the lane. */
  public int end() {
    return end;
  }

  /** The text of the instruction at that place; empty between instructions. */
  public String text(int at) {
    String text = texts[at];
    return text == null ? "" : text;
  }

  /** The number, in its lane, of the operation to which the instruction belongs; -1 for none. */
  public int operation(int at) {
    return at < operations.length ? operations[at] : -1;
  }

  public int registers() {
    return registers;
  }

  /** The number of registers, the first ones, that keep their value from launch to launch. */
  public int persistent() {
    return persistent;
  }

  /** Whether the lane is a block of threads, of which one signals and polls for all. */
  public boolean threads() {
    return threads;
  }
}
