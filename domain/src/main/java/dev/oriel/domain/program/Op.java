package dev.oriel.domain.program;

import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Optional;

/**
 * One operation of a lane. The whole lane executes it; its description gives the number of
 * peer-visible effects of one execution and its ordering. {@link Call} has the one-sided calls
 * among them.
 */
public sealed interface Op
    permits Op.Move,
        Op.Signal,
        Op.Await,
        Op.AwaitTicket,
        Op.Flush,
        Op.Sync,
        Op.Join,
        Op.Load,
        Op.Let,
        Op.Assign,
        Op.Store,
        Op.Check,
        Op.If,
        Op.For,
        Op.Each,
        Op.Leader,
        Call {

  /**
   * Reads every source once and writes every destination. Bytes are unordered among themselves and
   * with the lane's other moves until an edge ({@link Sync}, {@link Join}, an {@link Await} or a
   * releasing {@link Signal}) orders them. Bytes that a network interface reads have arrived at the
   * next edge; its writes complete only at an {@link AwaitTicket} or a {@link Flush}. Never writes
   * outside its regions.
   *
   * @param ticket names the move for {@link Signal.Cover} and {@link AwaitTicket}; empty for none
   */
  record Move(
      String ticket,
      List<Region> destinations,
      Combine combine,
      List<SourceSeries> sources,
      Expr bytes)
      implements Op {
    public Move {
      destinations = List.copyOf(destinations);
      sources = List.copyOf(sources);
    }

    /** A move that copies one region. */
    public static Move copy(String ticket, List<Region> destinations, Region source, Expr bytes) {
      return new Move(ticket, destinations, Combine.COPY, List.of(SourceSeries.of(source)), bytes);
    }
  }

  /**
   * Delivers exactly one store or add per named peer, to the executing rank's row at that peer.
   * With {@link Order#RELEASE} everything that it covers is visible to a peer that acquires the
   * slot.
   */
  record Signal(Slot slot, Change change, Expr value, Order order, Scope scope, Cover cover)
      implements Op {

    /** How the slot changes. */
    public enum Change {
      SET,
      ADD
    }

    /** The accesses that a releasing signal covers. */
    public sealed interface Cover {
      /** All earlier operations of this lane. */
      Cover LANE = new Lane();

      /** See {@link #LANE}. */
      record Lane() implements Cover {}

      /** Only the named move's own bytes: the fused put and signal. */
      record OneMove(String ticket) implements Cover {}
    }
  }

  /**
   * Waits until the slots satisfy the comparison, either each named source on its own or all rows
   * as one sum. Ends satisfied, aborted or timed out, the same for the whole lane. With {@link
   * Order#ACQUIRE} everything that the observed signals released is visible to every later
   * operation of the lane.
   */
  record Await(
      Slot slot, Quantifier quantifier, Comparison comparison, Expr value, Order order, Scope scope)
      implements Op {

    /** How several rows become one condition. */
    public enum Quantifier {
      /** Every named source's slot satisfies the comparison. */
      EACH,
      /**
       * The sum of the named sources' slots satisfies the comparison: unsound if one source signals
       * too often.
       */
      SUM
    }
  }

  /**
   * Waits until the named move's sources may be overwritten; does not show that the bytes are
   * visible.
   */
  record AwaitTicket(String ticket) implements Op {}

  /**
   * Waits for this lane's earlier moves to the named peers: {@code LOCAL} until their sources may
   * be overwritten, {@code REMOTE} until any reader ordered after the flush sees them.
   */
  record Flush(Peers peers, Reach reach) implements Op {

    /** The condition that a flush waits for. */
    public enum Reach {
      LOCAL,
      REMOTE
    }
  }

  /** Orders all earlier operations of this lane before all its later ones, inside the lane. */
  record Sync() implements Op {}

  /** Waits for the end of every instance of the named lane of the executing rank. */
  record Join(String lane) implements Op {}

  /**
   * Reads an aligned word of {@code width} bytes (1, 2, 4 or 8) of the executing rank's own memory
   * into a new register, without synchronisation with concurrent accesses. Without a bound the
   * register may hold any value of that width: a word that a peer wrote has no bound of its own.
   */
  record Load(String register, Region word, int width, Optional<Bound> bound) implements Op {
    /** A word above {@code max} fails the lane with {@code code} as a {@link Check} does. */
    public record Bound(Expr max, int code) {}

    public Load(String register, Region word, Expr max, int code) {
      this(register, word, Long.BYTES, Optional.of(new Bound(max, code)));
    }
  }

  /** Names a value for the rest of the block. */
  record Let(String register, Expr value) implements Op {}

  /** Changes a state word of the lane, which persists across launches. */
  record Assign(String state, Expr value) implements Op {}

  /** Writes the low {@code width} bytes of a value, aligned, into the rank's own memory. */
  record Store(Region word, int width, Expr value) implements Op {
    public Store(Region word, Expr value) {
      this(word, Long.BYTES, value);
    }
  }

  /**
   * Fails the lane with {@code code} unless the condition holds. A failed lane writes no more data,
   * awaits nothing, and still sends every signal that its peers were promised. A check therefore
   * bounds moves and words, but neither the slots and peers of signals nor the turns of loops.
   */
  record Check(Cond condition, int code) implements Op {}

  /** Executes one of two blocks. */
  record If(Cond condition, List<Op> then, List<Op> otherwise) implements Op {
    public If {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /**
   * Executes the block for 0, 1, … count - 1, in that order. The count is computed once, before the
   * first turn, even if the block changes its operands.
   */
  record For(String variable, Expr count, List<Op> body) implements Op {
    public For {
      body = List.copyOf(body);
    }
  }

  /**
   * Executes the block once for each named peer, in no promised order and possibly concurrently.
   */
  record Each(String variable, Peers peers, List<Op> body) implements Op {
    public Each {
      body = List.copyOf(body);
    }
  }

  /**
   * One thread of the lane, its leader, executes the block, which changes and awaits words. The
   * lane's threads do not meet before, in or after it: a release covers the accesses of the other
   * threads, and an acquire orders their later ones, only by a {@link Sync}.
   */
  record Leader(List<Op> body) implements Op {
    public Leader {
      body = List.copyOf(body);
    }
  }
}
