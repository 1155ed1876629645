package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An instruction's name, split at its dots; empty results for parts that it does not understand.
 */
final class Mnemonic {
  private static final Set<String> TYPES = Set.of("b32", "u32", "s32", "b64", "u64", "s64");
  private static final Set<String> SPACED = Set.of("ld", "st", "atom", "red");
  private static final Set<String> TYPED =
      Set.of(
          "ld", "st", "atom", "red", "mov", "cvta", "setp", "add", "sub", "mul", "and", "or", "xor",
          "min", "max", "not", "neg", "shl", "mad", "selp");

  /** Cache operators, which are performance hints outside the memory model. */
  private static final Set<String> LOAD_HINTS = Set.of("ca", "cg", "cs", "lu", "cv");

  private static final Set<String> STORE_HINTS = Set.of("wb", "cg", "cs", "wt");

  /** The order and scope of a load or store. */
  record Access(MemoryOrder order, LitmusScope scope) {}

  private static final Pattern EVICTION = Pattern.compile("L[12]::(no_allocate|evict_\\w+|\\d+B)");

  private record Qualifiers(
      @Nullable MemoryOrder order, @Nullable LitmusScope scope, List<String> rest) {}

  /** The operation of a read-modify-write; without operation and comparison it exchanges. */
  record Update(
      MemoryOrder order, LitmusScope scope, @Nullable ArithmeticOp op, boolean compares) {}

  private final String head;
  private final List<String> tail;
  private final boolean shared;
  private String type = "";

  /** Removes the final type, the state space and cache hints. */
  Mnemonic(String text) {
    List<String> parts = new ArrayList<>(Arrays.asList(text.split("\\.", -1)));
    head = parts.removeFirst();
    if (!parts.isEmpty() && TYPED.contains(head) && TYPES.contains(parts.getLast())) {
      type = parts.removeLast();
    }
    shared = SPACED.contains(head) && (parts.remove("shared") || parts.remove("shared::cta"));
    if (SPACED.contains(head) && !shared) {
      parts.remove("global");
    }
    parts.removeIf(part -> hint(parts, part));
    tail = List.copyOf(parts);
  }

  /**
   * Eviction hints are allowed with any order; cache operators are allowed only on weak accesses.
   */
  private boolean hint(List<String> parts, String part) {
    boolean weak =
        parts.stream().allMatch(p -> order(p) == null && scope(p) == null && !p.equals("volatile"));
    return switch (head) {
      case "ld" -> (weak && LOAD_HINTS.contains(part)) || EVICTION.matcher(part).matches();
      case "st" -> (weak && STORE_HINTS.contains(part)) || EVICTION.matcher(part).matches();
      default -> false;
    };
  }

  String head() {
    return head;
  }

  /** Whether it accesses the shared memory of the thread's own block. */
  boolean shared() {
    return shared;
  }

  /** The type, or an empty text. */
  String type() {
    return type;
  }

  String rest() {
    return String.join(".", tail);
  }

  /** Whether it is only the name. */
  boolean bare() {
    return tail.isEmpty() && type.isEmpty();
  }

  /** Whether it is only the name and a type. */
  boolean typedOnly() {
    return tail.isEmpty();
  }

  boolean plain() {
    return tail.isEmpty() || rest().equals("weak");
  }

  /**
   * The order of a load or store, whose strongest order is {@code strongest}. Volatile is an old
   * name of relaxed at the widest scope; an access to a device's memory is the same.
   */
  Optional<Access> access(MemoryOrder strongest) {
    if (plain()) {
      return Optional.of(new Access(MemoryOrder.WEAK, LitmusScope.CTA));
    }
    if (rest().equals("volatile") || rest().equals("mmio.relaxed.sys")) {
      return Optional.of(new Access(MemoryOrder.RELAXED, LitmusScope.SYS));
    }
    Qualifiers found = qualifiers();
    return found.rest().isEmpty()
            && found.scope() != null
            && (found.order() == MemoryOrder.RELAXED || found.order() == strongest)
        ? Optional.of(new Access(found.order(), found.scope()))
        : Optional.empty();
  }

  /** The instruction set's defaults for a missing order and scope: relaxed, gpu. */
  Optional<Update> update() {
    Qualifiers found = qualifiers();
    if (found.rest().size() != 1 || found.order() == MemoryOrder.SC) {
      return Optional.empty();
    }
    String name = found.rest().getFirst();
    ArithmeticOp op =
        switch (name) {
          case "inc" -> ArithmeticOp.INC;
          case "dec" -> ArithmeticOp.DEC;
          default -> operation(name);
        };
    boolean compares = name.equals("cas");
    if ((op == null && !compares && !name.equals("exch")) || op == ArithmeticOp.MUL) {
      return Optional.empty();
    }
    return Optional.of(
        new Update(
            found.order() == null ? MemoryOrder.RELAXED : found.order(),
            found.scope() == null ? LitmusScope.GPU : found.scope(),
            op,
            compares));
  }

  /** Takes the first order and the first scope at any position; the rest keeps its sequence. */
  private Qualifiers qualifiers() {
    MemoryOrder order = null;
    LitmusScope scope = null;
    List<String> rest = new ArrayList<>();
    for (String part : tail) {
      MemoryOrder named = order(part);
      LitmusScope reached = scope(part);
      if (named != null && order == null) {
        order = named;
      } else if (reached != null && scope == null) {
        scope = reached;
      } else {
        rest.add(part);
      }
    }
    return new Qualifiers(order, scope, rest);
  }

  /** The comparison of a {@code setp}. */
  @Nullable ArithmeticOp comparison() {
    return switch (rest()) {
      case "eq", "ne", "lt", "le", "gt", "ge" ->
          ArithmeticOp.valueOf(rest().toUpperCase(Locale.ROOT));
      case "lo" -> ArithmeticOp.LT_UNSIGNED;
      case "ls" -> ArithmeticOp.LE_UNSIGNED;
      case "hi" -> ArithmeticOp.GT_UNSIGNED;
      case "hs" -> ArithmeticOp.GE_UNSIGNED;
      default -> null;
    };
  }

  /** {@code fence.sc} without a scope has the widest; membar is an old name of fence.sc. */
  Optional<LitmusInstruction> fence() {
    if (head.equals("membar")) {
      return switch (rest()) {
        case "cta" -> fence(MemoryOrder.SC, LitmusScope.CTA);
        case "gl" -> fence(MemoryOrder.SC, LitmusScope.GPU);
        case "sys" -> fence(MemoryOrder.SC, LitmusScope.SYS);
        default -> proxyFence();
      };
    }
    return switch (rest()) {
      case "sc" -> fence(MemoryOrder.SC, LitmusScope.SYS);
      default -> proxyFence().or(this::scopedFence);
    };
  }

  private Optional<LitmusInstruction> proxyFence() {
    return switch (rest()) {
      case "proxy.alias" -> Optional.of(new LitmusInstruction.ProxyFence(MemoryProxy.GENERIC));
      case "proxy.surface" -> Optional.of(new LitmusInstruction.ProxyFence(MemoryProxy.SURFACE));
      case "proxy.texture" -> Optional.of(new LitmusInstruction.ProxyFence(MemoryProxy.TEXTURE));
      case "proxy.constant" -> Optional.of(new LitmusInstruction.ProxyFence(MemoryProxy.CONSTANT));
      default -> Optional.empty();
    };
  }

  private static Optional<LitmusInstruction> fence(MemoryOrder order, LitmusScope scope) {
    return Optional.of(new LitmusInstruction.Fence(order, scope));
  }

  /** Without an order it is acq_rel, as in the instruction set. */
  private Optional<LitmusInstruction> scopedFence() {
    Qualifiers found = qualifiers();
    MemoryOrder order = found.order() == null ? MemoryOrder.ACQ_REL : found.order();
    return found.scope() == null || !found.rest().isEmpty() || order == MemoryOrder.RELAXED
        ? Optional.empty()
        : fence(order, found.scope());
  }

  static boolean isType(String name) {
    return TYPES.contains(name);
  }

  static @Nullable ArithmeticOp operation(String name) {
    return switch (name) {
      case "add", "sub", "mul", "and", "or", "xor", "min", "max" ->
          ArithmeticOp.valueOf(name.toUpperCase(Locale.ROOT));
      // Older names of Dartagnan's dialect.
      case "plus" -> ArithmeticOp.ADD;
      case "minus" -> ArithmeticOp.SUB;
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
