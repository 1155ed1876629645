package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.Nullable;

/** One instruction of a thread; locations are indices, jump targets are instruction numbers. */
public sealed interface LitmusInstruction {

  record Load(String to, int location, MemoryProxy proxy, MemoryOrder order, LitmusScope scope)
      implements LitmusInstruction {}

  record Store(
      int location,
      InstructionOperand value,
      MemoryProxy proxy,
      MemoryOrder order,
      LitmusScope scope)
      implements LitmusInstruction {}

  /** Read-modify-write; an exchange if it has neither {@code op} nor {@code expected}. */
  record Atomic(
      @Nullable String to,
      int location,
      @Nullable ArithmeticOp op,
      @Nullable InstructionOperand expected,
      InstructionOperand value,
      MemoryOrder order,
      LitmusScope scope)
      implements LitmusInstruction {}

  record Fence(MemoryOrder order, LitmusScope scope) implements LitmusInstruction {}

  /**
   * Orders accesses of a proxy, or with {@link MemoryProxy#GENERIC} those by different addresses.
   */
  record ProxyFence(MemoryProxy proxy) implements LitmusInstruction {}

  record Barrier(
      boolean waits, int instance, InstructionOperand resource, @Nullable InstructionOperand quorum)
      implements LitmusInstruction {}

  record Move(String to, InstructionOperand value) implements LitmusInstruction {}

  record Compute(String to, ArithmeticOp op, InstructionOperand a, InstructionOperand b)
      implements LitmusInstruction {}

  record Jump(int target) implements LitmusInstruction {}

  record Branch(ValueComparison comparison, InstructionOperand a, InstructionOperand b, int target)
      implements LitmusInstruction {}

  /** The location that it accesses; -1 if it accesses none. */
  default int place() {
    return switch (this) {
      case Load load -> load.location();
      case Store store -> store.location();
      case Atomic atomic -> atomic.location();
      default -> -1;
    };
  }

  /** Whether it uses a proxy other than the generic one. */
  default boolean usesProxy() {
    return switch (this) {
      case Load load -> load.proxy() != MemoryProxy.GENERIC;
      case Store store -> store.proxy() != MemoryProxy.GENERIC;
      case ProxyFence fence -> true;
      default -> false;
    };
  }
}
