package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import dev.oriel.it.readback.PtxText.Instruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

/**
 * The effects of a text's instructions. Integers are computed, since addresses, branches and words
 * depend on them. Of floating-point arithmetic only the fact of a result is recorded.
 */
final class PtxCode {
  static final long PARAMETERS = 1L << 62;

  /** Addresses from here on do not belong to {@code bases}. */
  static final long SCALARS = 1L << 20;

  private static final long SHARED = 1L << 30;
  private static final Set<String> ORDERS =
      Set.of("relaxed", "acquire", "release", "acq_rel", "volatile");
  private static final Set<String> SCOPES = Set.of("cta", "cluster", "gpu", "sys");
  private static final Set<String> ORDERING =
      Set.of("ld", "st", "red", "atom", "fence", "bar", "griddepcontrol");

  /** The threads that meet at the barrier of a block of one thread. */
  private static final String ONE_THREAD = "0x1";

  private static final Set<String> FLOATS =
      Set.of("f16", "f16x2", "bf16", "bf16x2", "f32", "f64", "e4m3x2", "e5m2x2");

  /** One instruction, executed. */
  @FunctionalInterface
  interface Step {
    void run(PtxThread t);
  }

  /** An operand's value in a thread. */
  @FunctionalInterface
  private interface Source {
    long in(PtxThread t);
  }

  private final PtxText text;
  private final Map<String, Integer> registers = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final BitSet reached = new BitSet();
  private final Map<Integer, Consumer<List<PtxThread>>> collectives = new HashMap<>();

  PtxCode(PtxText text) {
    this.text = text;
    for (Instruction i : text.instructions()) {
      steps.add(guarded(i, step(i, steps.size())));
    }
  }

  PtxText text() {
    return text;
  }

  int registers() {
    return registers.size();
  }

  Step step(int at) {
    return steps.get(at);
  }

  void reached(int at) {
    reached.set(at);
  }

  /** Instructions on memory, and ordering ones, that no thread executed. */
  List<Instruction> passedOver() {
    return IntStream.range(0, steps.size())
        .filter(i -> !reached.get(i))
        .mapToObj(text.instructions()::get)
        .filter(i -> ORDERING.contains(i.kind()))
        .filter(i -> !i.opcode().contains("shared") && !i.opcode().contains("param"))
        .toList();
  }

  /** Whether a thread executed that line. */
  boolean came(int line) {
    return reached.stream().anyMatch(i -> line(i) == line);
  }

  /** The instruction in that line. */
  String atLine(int line) {
    return text.instructions().stream()
        .filter(i -> i.line() == line)
        .map(Instruction::text)
        .findFirst()
        .orElse("");
  }

  int line(int at) {
    return text.instructions().get(at).line();
  }

  String text(int at) {
    return text.instructions().get(at).text();
  }

  boolean dependent() {
    return text.dependent();
  }

  Consumer<List<PtxThread>> collective(int at) {
    return Objects.requireNonNull(collectives.get(at), "no collective");
  }

  /** The number of threads of the barrier; negative for all of the block. */
  int arriving(int at) {
    List<String> operands = text.instructions().get(at).operands();
    if (operands.getFirst().equals(ONE_THREAD)) {
      return 1;
    }
    return operands.size() < 2 ? -1 : Integer.parseInt(operands.get(1));
  }

  private Step guarded(Instruction i, Step step) {
    if (i.guard().isEmpty()) {
      return step;
    }
    int guard = register(i, i.guard());
    long needed = i.negated() ? 0 : 1;
    return t -> {
      if (t.registers[guard] == needed) {
        step.run(t);
      }
    };
  }

  private Step step(Instruction i, int at) {
    List<String> parts = List.of(i.opcode().split("\\.", -1));
    if (parts.stream().anyMatch(FLOATS::contains)) {
      return made(i);
    }
    return switch (parts.getFirst()) {
      case "mov" -> mov(i, parts);
      case "ld" -> load(i, parts);
      case "st" -> store(i, parts);
      case "red", "atom" -> atomic(i, parts);
      case "fence" -> {
        String scope = String.join(".", parts.subList(2, parts.size()));
        yield t -> t.did(Kind.FENCE, parts.get(1), scope);
      }
      case "cp" -> bulk(i, parts);
      case "mbarrier" -> barrier(i, parts);
      case "bra" -> {
        int target = text.target(i.operands().getFirst(), i.scope());
        yield t -> t.at = target;
      }
      case "ret" -> t -> t.stop = PtxThread.Stop.EXIT;
      case "bar" -> {
        if (parts.get(1).equals("warp") && !i.operands().getFirst().equals(ONE_THREAD)) {
          collectives.put(at, met -> met.forEach(t -> t.did(Kind.WARP, "", "")));
          yield t -> t.stop = PtxThread.Stop.WARP;
        }
        yield t -> t.stop = PtxThread.Stop.BARRIER;
      }
      case "vote" -> vote(i, parts, at);
      case "griddepcontrol" -> parts.get(1).equals("wait") ? PtxThread::waitForPrevious : t -> {};
      case "setp" -> setp(i, parts);
      default -> arithmetic(i, parts);
    };
  }

  /** Results of floating-point arithmetic are not computed here. */
  private Step made(Instruction i) {
    int[] to = destinations(i, i.operands().getFirst());
    return t -> {
      for (int r : to) {
        t.registers[r] = 0;
      }
    };
  }

  private Step mov(Instruction i, List<String> parts) {
    String from = i.operands().get(1);
    int[] to = destinations(i, i.operands().getFirst());
    if (from.startsWith("{")) {
      Source[] pieces = sources(i, from);
      int bits = bits(parts) / pieces.length;
      return t -> {
        long all = 0;
        for (int p = pieces.length - 1; p >= 0; p--) {
          all = all << bits | PtxMath.mask(pieces[p].in(t), bits);
        }
        t.registers[to[0]] = all;
      };
    }
    Source source = source(i, from);
    int bits = bits(parts) / to.length;
    return t -> {
      long value = source.in(t);
      for (int p = 0; p < to.length; p++) {
        t.registers[to[p]] = PtxMath.mask(to.length == 1 ? value : value >>> (bits * p), bits);
      }
    };
  }

  private Step load(Instruction i, List<String> parts) {
    int[] to = destinations(i, i.operands().getFirst());
    Source address = source(i, i.operands().get(1));
    int bits = bits(parts);
    boolean signed = parts.getLast().startsWith("s");
    if (parts.contains("param")) {
      return t -> t.registers[to[0]] = t.block.parameter(address.in(t));
    }
    if (parts.contains("shared")) {
      return t -> t.registers[to[0]] = t.block.loadShared(address.in(t));
    }
    requireGlobal(i, parts);
    String order = order(parts);
    String scope = scope(parts);
    return t -> {
      long from = address.in(t);
      for (int p = 0; p < to.length; p++) {
        long value = t.load(order, scope, from + (long) p * bits / 8, bits / 8, p, to.length);
        t.registers[to[p]] = signed ? PtxMath.extended(value, bits) : value;
      }
    };
  }

  private Step store(Instruction i, List<String> parts) {
    Source address = source(i, i.operands().getFirst());
    Source[] from = sources(i, i.operands().get(1));
    int bits = bits(parts);
    if (parts.contains("shared")) {
      return t -> t.block.storeShared(address.in(t), PtxMath.mask(from[0].in(t), bits));
    }
    requireGlobal(i, parts);
    String order = order(parts);
    String scope = scope(parts);
    return t -> {
      long to = address.in(t);
      for (int p = 0; p < from.length; p++) {
        long value = from[p].in(t);
        t.store(order, scope, to + (long) p * bits / 8, bits / 8, p, from.length, value);
      }
    };
  }

  private Step atomic(Instruction i, List<String> parts) {
    requireGlobal(i, parts);
    boolean red = parts.getFirst().equals("red");
    int first = red ? 0 : 1;
    Source address = source(i, i.operands().get(first));
    Source a = source(i, i.operands().get(first + 1));
    Source b = i.operands().size() > first + 2 ? source(i, i.operands().get(first + 2)) : t -> 0;
    int to = red ? -1 : register(i, i.operands().getFirst());
    String order = order(parts);
    String scope = scope(parts);
    boolean swap = parts.contains("cas");
    Kind kind =
        swap ? Kind.SWAP : parts.contains("exch") ? Kind.EXCHANGE : red ? Kind.ADD : Kind.FETCH_ADD;
    return t -> {
      long at = address.in(t);
      long old =
          swap
              ? t.change(kind, order, scope, at, b.in(t), a.in(t))
              : t.change(kind, order, scope, at, a.in(t), 0);
      if (to >= 0) {
        t.registers[to] = old;
      }
    };
  }

  /** A request to the block's bulk-copy unit. */
  private Step bulk(Instruction i, List<String> parts) {
    if (parts.contains("commit_group")) {
      return t -> {};
    }
    if (parts.contains("wait_group")) {
      boolean all = i.operands().getFirst().equals("0") && !parts.contains("read");
      return t -> {
        if (all) {
          t.did(Kind.FENCE, "bulk", "written");
        }
      };
    }
    Source to = source(i, i.operands().getFirst());
    Source from = source(i, i.operands().get(1));
    Source bytes = source(i, i.operands().get(2));
    if (parts.get(3).equals("global")) {
      return t -> t.storeBulk(to.in(t), from.in(t), bytes.in(t));
    }
    Source barrier = source(i, i.operands().get(3));
    return t -> t.loadBulk(to.in(t), from.in(t), bytes.in(t), barrier.in(t));
  }

  private Step barrier(Instruction i, List<String> parts) {
    if (!parts.contains("try_wait")) {
      return t -> {};
    }
    int to = register(i, i.operands().getFirst());
    Source barrier = source(i, i.operands().get(1));
    Source parity = source(i, i.operands().get(2));
    return t -> t.registers[to] = t.block.unit().come(barrier.in(t), parity.in(t)) ? 1 : 0;
  }

  private Step vote(Instruction i, List<String> parts, int at) {
    int to = register(i, i.operands().getFirst());
    Source from = source(i, i.operands().get(1));
    boolean all = parts.contains("all");
    collectives.put(
        at,
        met -> {
          boolean found =
              all
                  ? met.stream().allMatch(t -> from.in(t) != 0)
                  : met.stream().anyMatch(t -> from.in(t) != 0);
          met.forEach(t -> t.registers[to] = found ? 1 : 0);
        });
    return t -> t.stop = PtxThread.Stop.WARP;
  }

  private Step setp(Instruction i, List<String> parts) {
    int to = register(i, i.operands().getFirst());
    Source a = source(i, i.operands().get(1));
    Source b = source(i, i.operands().get(2));
    Source with = i.operands().size() > 3 ? source(i, i.operands().get(3)) : null;
    boolean or = parts.contains("or");
    int bits = bits(parts);
    boolean signed = parts.getLast().startsWith("s");
    String how = parts.get(1);
    return t -> {
      long left = signed ? PtxMath.extended(a.in(t), bits) : PtxMath.mask(a.in(t), bits);
      long right = signed ? PtxMath.extended(b.in(t), bits) : PtxMath.mask(b.in(t), bits);
      boolean holds = PtxMath.holds(i, how, left, right, signed);
      if (with != null) {
        boolean other = with.in(t) != 0;
        holds = or ? holds || other : holds && other;
      }
      t.registers[to] = holds ? 1 : 0;
    };
  }

  private Step arithmetic(Instruction i, List<String> parts) {
    int to = register(i, i.operands().getFirst());
    int bits = bits(parts);
    boolean signed = parts.getLast().startsWith("s");
    Source[] from = i.operands().stream().skip(1).map(o -> source(i, o)).toArray(Source[]::new);
    String name = parts.getFirst();
    return switch (name) {
      case "cvt" -> {
        int target = Integer.parseInt(parts.get(parts.size() - 2).substring(1));
        yield t ->
            t.registers[to] =
                PtxMath.mask(
                    signed
                        ? PtxMath.extended(from[0].in(t), bits)
                        : PtxMath.mask(from[0].in(t), bits),
                    target);
      }
      case "selp" -> {
        yield t ->
            t.registers[to] =
                PtxMath.mask(from[2].in(t) != 0 ? from[0].in(t) : from[1].in(t), bits);
      }
      case "mad" -> {
        boolean wide = parts.contains("wide");
        yield t ->
            t.registers[to] =
                PtxMath.mask(from[0].in(t) * from[1].in(t) + from[2].in(t), wide ? 64 : bits);
      }
      case "bfe" -> {
        yield t -> t.registers[to] = from[0].in(t) >>> from[1].in(t) & (1L << from[2].in(t)) - 1;
      }
      case "neg" -> {
        yield t -> t.registers[to] = PtxMath.mask(-from[0].in(t), bits);
      }
      case "not" -> {
        yield t -> t.registers[to] = PtxMath.mask(~from[0].in(t), bits);
      }
      case "bfind" -> {
        yield t ->
            t.registers[to] = PtxMath.mask(63L - Long.numberOfLeadingZeros(from[0].in(t)), 32);
      }
      default -> {
        LongBinaryOperator binary = PtxMath.binary(i, parts, bits, signed);
        yield t -> {
          long a =
              signed ? PtxMath.extended(from[0].in(t), bits) : PtxMath.mask(from[0].in(t), bits);
          long b =
              signed ? PtxMath.extended(from[1].in(t), bits) : PtxMath.mask(from[1].in(t), bits);
          t.registers[to] = PtxMath.mask(binary.applyAsLong(a, b), bits);
        };
      }
    };
  }

  private static void requireGlobal(Instruction i, List<String> parts) {
    if (!parts.contains("global")) {
      throw new Mismatch("unknown space: line=%d, %s".formatted(i.line(), i.text()));
    }
  }

  private static String order(List<String> parts) {
    return parts.stream().filter(ORDERS::contains).findFirst().orElse("weak");
  }

  private static String scope(List<String> parts) {
    return parts.stream().filter(SCOPES::contains).findFirst().orElse("");
  }

  private static int bits(List<String> parts) {
    String type = parts.getLast();
    return type.equals("pred") ? 1 : Integer.parseInt(type.substring(1));
  }

  private int[] destinations(Instruction i, String operand) {
    return names(operand).stream().mapToInt(name -> register(i, name)).toArray();
  }

  private Source[] sources(Instruction i, String operand) {
    return names(operand).stream().map(name -> source(i, name)).toArray(Source[]::new);
  }

  private static List<String> names(String operand) {
    return List.of(operand.replaceAll("[{}\\s]", "").split(",", -1));
  }

  private int register(Instruction i, String name) {
    // Only names of the kernel's own block have no number.
    String scoped = Character.isDigit(name.charAt(name.length() - 1)) ? i.scope() + name : name;
    return registers.computeIfAbsent(scoped, _ -> registers.size());
  }

  private Source source(Instruction i, String operand) {
    if (operand.startsWith("[")) {
      String[] sum = operand.substring(1, operand.length() - 1).split("\\+", 2);
      Source base = source(i, sum[0].strip());
      long offset = sum.length > 1 ? Long.parseLong(sum[1].strip()) : 0;
      return t -> base.in(t) + offset;
    }
    switch (operand) {
      case "%tid.x" -> {
        return t -> t.number;
      }
      case "%ctaid.x" -> {
        return t -> t.block.start().block();
      }
      case "%nctaid.x" -> {
        return t -> t.block.start().blocks();
      }
      case "%globaltimer" -> {
        return t -> 1;
      }
      default -> {}
    }
    if (operand.startsWith("%")) {
      int register = register(i, operand);
      return t -> t.registers[register];
    }
    long value = constant(operand);
    return t -> value;
  }

  private long constant(String operand) {
    int parameter = text.parameters().indexOf(operand);
    if (parameter >= 0) {
      return parameter == 0 ? PARAMETERS : PARAMETERS + SCALARS + 8L * parameter;
    }
    int shared = text.shared().indexOf(operand);
    if (shared >= 0) {
      return SHARED + ((long) shared << 20);
    }
    if (operand.startsWith("0x")) {
      return Long.parseUnsignedLong(operand.substring(2), 16);
    }
    return operand.startsWith("0f") || operand.startsWith("0d") ? 0 : Long.parseLong(operand);
  }
}
