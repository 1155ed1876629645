package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.Nullable;

/** One instruction of a thread; locations are indices, jump targets are instruction numbers. */
public sealed interface Instruction {

  record Load(String to, int location, Proxy proxy, MemoryOrder order, LitmusScope scope)
      implements Instruction {}

  record Store(int location, Operand value, Proxy proxy, MemoryOrder order, LitmusScope scope)
      implements Instruction {}

  /** Read-modify-write; an exchange if it has neither {@code op} nor {@code expected}. */
  record Atomic(
      @Nullable String to,
      int location,
      @Nullable ArithmeticOp op,
      @Nullable Operand expected,
      Operand value,
      MemoryOrder order,
      LitmusScope scope)
      implements Instruction {}

  record Fence(MemoryOrder order, LitmusScope scope) implements Instruction {}

  /** Orders accesses of a proxy, or with {@link Proxy#GENERIC} those by different addresses. */
  record ProxyFence(Proxy proxy) implements Instruction {}

  record Barrier(boolean waits, int instance, Operand resource, @Nullable Operand quorum)
      implements Instruction {}

  record Move(String to, Operand value) implements Instruction {}

  record Compute(String to, ArithmeticOp op, Operand a, Operand b) implements Instruction {}

  record Jump(int target) implements Instruction {}

  record Branch(Comparison comparison, Operand a, Operand b, int target) implements Instruction {}

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
      case Load load -> load.proxy() != Proxy.GENERIC;
      case Store store -> store.proxy() != Proxy.GENERIC;
      case ProxyFence fence -> true;
      default -> false;
    };
  }
}
