package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.Instruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An instruction's name, cut at its dots; what it does not understand it leaves empty. */
final class Mnemonic {

  /** How a load or store is ordered. */
  record Access(MemoryOrder order, LitmusScope scope) {}

  /** What a read-modify-write does; without operation and comparison it exchanges. */
  record Update(
      MemoryOrder order, LitmusScope scope, @Nullable ArithmeticOp op, boolean compares) {}

  private final String head;
  private final List<String> tail;

  Mnemonic(String text) {
    List<String> parts = Arrays.asList(text.split("\\.", -1));
    head = parts.getFirst();
    tail = parts.subList(1, parts.size());
  }

  String head() {
    return head;
  }

  String rest() {
    return String.join(".", tail);
  }

  boolean bare() {
    return tail.isEmpty();
  }

  boolean plain() {
    return tail.isEmpty() || rest().equals("weak");
  }

  /**
   * The order of a load or store, whose strongest order is {@code strongest}. Volatile is an old
   * name of relaxed at the widest scope.
   */
  Optional<Access> access(MemoryOrder strongest) {
    if (plain()) {
      return Optional.of(new Access(MemoryOrder.WEAK, LitmusScope.CTA));
    }
    if (rest().equals("volatile")) {
      return Optional.of(new Access(MemoryOrder.RELAXED, LitmusScope.SYS));
    }
    MemoryOrder order = order(tail.getFirst());
    LitmusScope scope = tail.size() == 2 ? scope(tail.get(1)) : null;
    return scope != null && (order == MemoryOrder.RELAXED || order == strongest)
        ? Optional.of(new Access(order, scope))
        : Optional.empty();
  }

  /** Order and scope may be left out, as the instruction set has it: relaxed, gpu. */
  Optional<Update> update() {
    int at = 0;
    MemoryOrder order = at < tail.size() ? order(tail.get(at)) : null;
    at += order == null ? 0 : 1;
    LitmusScope scope = at < tail.size() ? scope(tail.get(at)) : null;
    at += scope == null ? 0 : 1;
    if (at + 1 != tail.size() || order == MemoryOrder.SC) {
      return Optional.empty();
    }
    String name = tail.get(at);
    ArithmeticOp op = operation(name);
    boolean compares = name.equals("cas");
    if ((op == null && !compares && !name.equals("exch")) || op == ArithmeticOp.MUL) {
      return Optional.empty();
    }
    return Optional.of(
        new Update(
            order == null ? MemoryOrder.RELAXED : order,
            scope == null ? LitmusScope.GPU : scope,
            op,
            compares));
  }

  /** {@code fence.sc} without a scope is as wide as can be; membar is fence.sc under old names. */
  Optional<Instruction> fence() {
    if (head.equals("membar")) {
      return switch (rest()) {
        case "cta" -> sc(LitmusScope.CTA);
        case "gl" -> sc(LitmusScope.GPU);
        case "sys" -> sc(LitmusScope.SYS);
        default -> Optional.empty();
      };
    }
    return switch (rest()) {
      case "sc" -> sc(LitmusScope.SYS);
      case "proxy.alias" -> Optional.of(new Instruction.ProxyFence(Proxy.GENERIC));
      case "proxy.surface" -> Optional.of(new Instruction.ProxyFence(Proxy.SURFACE));
      case "proxy.texture" -> Optional.of(new Instruction.ProxyFence(Proxy.TEXTURE));
      case "proxy.constant" -> Optional.of(new Instruction.ProxyFence(Proxy.CONSTANT));
      default -> scopedFence();
    };
  }

  private static Optional<Instruction> sc(LitmusScope scope) {
    return Optional.of(new Instruction.Fence(MemoryOrder.SC, scope));
  }

  private Optional<Instruction> scopedFence() {
    MemoryOrder order = tail.size() == 2 ? order(tail.getFirst()) : null;
    LitmusScope scope = order == null ? null : scope(tail.get(1));
    return order == null || scope == null || order == MemoryOrder.RELAXED
        ? Optional.empty()
        : Optional.of(new Instruction.Fence(order, scope));
  }

  static @Nullable ArithmeticOp operation(String name) {
    return switch (name) {
      case "add", "sub", "mul", "and", "or", "xor", "min", "max" ->
          ArithmeticOp.valueOf(name.toUpperCase(Locale.ROOT));
      default -> null;
    };
  }

  private static @Nullable MemoryOrder order(String name) {
    return switch (name) {
      case "relaxed", "acquire", "release", "acq_rel", "sc" ->
          MemoryOrder.valueOf(name.toUpperCase(Locale.ROOT));
      default -> null;
    };
  }

  private static @Nullable LitmusScope scope(String name) {
    return switch (name) {
      case "cta", "cluster", "gpu", "sys" -> LitmusScope.valueOf(name.toUpperCase(Locale.ROOT));
      default -> null;
    };
  }
}
