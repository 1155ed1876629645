package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Span;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Proves for one operation that each peer is a rank, each region lies inside its owner's buffer,
 * each slot inside its row, and each packet and word is aligned.
 */
final class OperationProof {
  private final RankProgram rank;
  private final IntFunction<RankProgram> ranks;
  private final Supplier<CheckedPlace> where;
  private final InequalityProver prover;
  private final SymbolicOperands values;

  /** {@code where} names the checked operation. */
  OperationProof(
      RankProgram rank,
      IntFunction<RankProgram> ranks,
      BindingBudget effort,
      Supplier<CheckedPlace> where) {
    this.rank = rank;
    this.ranks = ranks;
    this.where = where;
    this.prover = new InequalityProver(effort);
    this.values = new SymbolicOperands(rank, prover, this::divisor);
  }

  InequalityProver prover() {
    return prover;
  }

  SymbolicOperands values() {
    return values;
  }

  /** The length of a move or claim. */
  LinearExpression bytes(Expr bytes) {
    LinearExpression length = values.of(bytes);
    if (!prover.nonNegative(length)) {
      throw fail(
          bytes,
          prover.high(length) < 0 ? "length is negative" : "length may be negative",
          "bytes=" + FormPrinter.print(bytes),
          "bound it with min, or check it first");
    }
    return length;
  }

  Span slot(Slot slot, int owner) {
    LinearExpression index = values.of(slot.index());
    int count = (owner == LaneTrafficSink.ANY ? rank : peer(owner)).slots(slot.signal());
    if (!prover.nonNegative(index) || !prover.below(index, count)) {
      boolean certain = prover.high(index) < 0 || prover.low(index) >= count;
      throw fail(
          slot,
          certain ? "slot outside its row" : "slot not proved inside its row",
          "signal="
              + slot.signal()
              + ", index="
              + FormPrinter.print(slot.index())
              + bounds(index)
              + ", count="
              + count,
          "declare more slots, or bound the index with min or if");
    }
    return new Span(prover.low(index), prover.high(index));
  }

  /** A 64-bit word of any rank. */
  void word(Region word) {
    owners(word.at()).forEach(owner -> inside(word, LinearExpression.of(Long.BYTES), owner));
    aligned(word, Long.BYTES, "word");
  }

  /** A word of {@code width} bytes of the rank's own memory. */
  void word(Region word, int width) {
    inside(word, LinearExpression.of(width), rank.rank());
    aligned(word, width, "word");
  }

  /** Proves that the offset is a multiple of a power of two, which wrapping does not change. */
  void aligned(Region region, int size, String what) {
    if (!values.multiple(region.offset(), size)) {
      boolean certain = values.noMultiple(region.offset(), size);
      throw fail(
          region,
          certain ? "misaligned " + what : what + " not proved aligned",
          "buffer="
              + region.buffer()
              + ", offset="
              + FormPrinter.print(region.offset())
              + ", size="
              + size,
          "use a multiple of the size");
    }
  }

  /** Proves that the length is a multiple of a power of two, the size of a unit. */
  void whole(Expr bytes, int size, String unit) {
    if (!values.multiple(bytes, size)) {
      boolean certain = values.noMultiple(bytes, size);
      throw fail(
          bytes,
          (certain ? "length is not whole " : "length not proved whole ") + unit + "s",
          "bytes=" + FormPrinter.print(bytes) + ", " + unit + "=" + size,
          "use a multiple of the " + unit + "'s size");
    }
  }

  /** Proves that the operands of a region have a value, even if no rank owns it. */
  void known(Region region) {
    values.of(region.offset());
    if (region.access() instanceof Access.Packets(PacketFormat format, Expr flag)) {
      values.of(flag);
    }
  }

  /**
   * Whether a word may satisfy the comparison with that operand, as far as its bounds are known.
   */
  boolean mayBe(Comparison comparison, long word, LinearExpression operand) {
    long low = prover.low(operand);
    long high = prover.high(operand);
    if (low == high) {
      return comparison.test(word, low);
    }
    return switch (comparison) {
      case EQ -> low <= word && word <= high;
      case NE -> true;
      // No counter is taken to grow beyond half the circle.
      case REACHED -> low <= word;
      // Unsigned: a negative bound is one of the largest words.
      case GE -> Math.max(0, low) <= word && high >= 0;
      case GT -> Math.max(0, low) < word && high >= 0;
      case LE -> high >= word || low < 0;
      case LT -> high > word || low < 0;
    };
  }

  /**
   * Proves that the region lies inside that owner's buffer; returns the bytes that it may cover.
   */
  Span inside(Region region, LinearExpression bytes, int owner) {
    known(region);
    LinearExpression offset = values.of(region.offset());
    LinearExpression image = bytes;
    if (region.access() instanceof Access.Packets(PacketFormat format, Expr flag)) {
      image = values.image(format, bytes);
      aligned(region, format.bytes(), "packets");
    }
    long size = size(region.buffer(), owner);
    LinearExpression end = values.sum(offset, image);
    if (!prover.nonNegative(offset) || !prover.below(end, size + 1)) {
      // Of an unknown owner only the smallest buffer is known.
      boolean sized =
          owner != LaneTrafficSink.ANY || !rank.program().differsByRank(region.buffer());
      // No bytes leave no memory, wherever they are.
      boolean certain =
          prover.low(image) > 0 && (prover.high(offset) < 0 || (sized && prover.low(end) > size));
      throw fail(
          region,
          certain ? "region outside its buffer" : "region not proved inside its buffer",
          "buffer="
              + region.buffer()
              + ", owner="
              + show(owner)
              + ", offset="
              + FormPrinter.print(region.offset())
              + ", low="
              + bound(prover.low(offset))
              + ", end="
              + bound(prover.high(end))
              + ", size="
              + size,
          "enlarge the buffer, or bound offset and length with min or check");
    }
    return new Span(prover.low(offset), Math.max(prover.low(offset), prover.high(end) - 1));
  }

  /**
   * The ranks that an operand names; {@link LaneTrafficSink#ANY} if only the running lane knows the
   * rank.
   */
  List<Integer> owners(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> List.of(rank.rank());
      case Peers.One(Expr one) -> List.of(owner(one));
      case Peers.Others() -> members(true);
      case Peers.All() -> members(false);
    };
  }

  private int owner(Expr one) {
    LinearExpression target = values.of(one);
    int world = rank.program().world();
    if (!prover.nonNegative(target) || !prover.below(target, world)) {
      boolean certain = prover.high(target) < 0 || prover.low(target) >= world;
      throw fail(
          one,
          certain ? "peer is not a rank" : "peer not proved to be a rank",
          "peer=" + FormPrinter.print(one) + bounds(target) + ", world=" + world,
          "take it modulo n, or guard it with if");
    }
    return target.isConstant() ? (int) target.constant() : LaneTrafficSink.ANY;
  }

  private List<Integer> members(boolean others) {
    int world = rank.program().world();
    if (world > Program.FULLY_CHECKED_WORLD) {
      return List.of(LaneTrafficSink.ANY);
    }
    return IntStream.range(0, world).filter(p -> !others || p != rank.rank()).boxed().toList();
  }

  /** The size of the owner's buffer, or of the smallest one if the owner is not known. */
  private long size(String buffer, int owner) {
    if (owner != LaneTrafficSink.ANY) {
      return peer(owner).bytes(buffer);
    }
    if (!rank.program().differsByRank(buffer)) {
      return rank.bytes(buffer);
    }
    if (rank.program().world() > Program.FULLY_CHECKED_WORLD) {
      throw fail(
          where.get().part(),
          "size differs by rank",
          "buffer=" + buffer + ", owner=any",
          "give every rank the same size, or name the rank");
    }
    return IntStream.range(0, rank.program().world())
        .mapToLong(p -> peer(p).bytes(buffer))
        .min()
        .orElseThrow();
  }

  private RankProgram peer(int owner) {
    return owner == rank.rank() ? rank : ranks.apply(owner);
  }

  private boolean isZero(Expr quotient) {
    if (!(quotient instanceof Expr.Binary(var _, var _, Expr divisor))) {
      return false;
    }
    LinearExpression value = values.of(divisor);
    return value.isConstant() && value.constant() == 0;
  }

  private ProgramException divisor(Expr quotient) {
    return fail(
        quotient,
        isZero(quotient) ? "divisor is zero" : "divisor may be zero",
        "operand=" + FormPrinter.print(quotient),
        "keep it positive, for example with max(1, divisor)");
  }

  /** An error about a part of the checked operation. */
  ProgramException fail(Object part, String what, String facts, String fix) {
    return where.get().fail(part, what, facts, fix);
  }

  private String bounds(LinearExpression sum) {
    return ", low=" + bound(prover.low(sum)) + ", high=" + bound(prover.high(sum));
  }

  private static String bound(long bound) {
    return bound == SymbolicValue.FAR || bound == -SymbolicValue.FAR
        ? "unknown"
        : String.valueOf(bound);
  }

  private static String show(int owner) {
    return owner == LaneTrafficSink.ANY ? "any" : String.valueOf(owner);
  }
}
