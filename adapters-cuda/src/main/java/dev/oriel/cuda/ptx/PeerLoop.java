package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Optional;

/**
 * A loop over peers that only packs, or only unpacks, packets of each peer. Its turns are
 * unordered: bytes of moves are unordered until the next barrier, and a packet is its own await.
 * The packets of all peers can therefore be shared out among the threads at once, and peers' flight
 * times do not add up.
 *
 * @param variable the name that the move gives the peer
 * @param others whether the own rank is skipped
 * @param steps the number of the lane's steps in the loop
 */
record PeerLoop(String variable, boolean others, MicroOperation.Copy move, int steps) {
  private static final Expr WORLD = Expr.name("n");
  private static final Expr RANK = Expr.name("r");

  /** The loop that starts at that step; empty if none does, or if it does anything else. */
  static Optional<PeerLoop> at(List<LoweredStep> steps, int start) {
    Reader in = new Reader(steps, start);
    if (!(in.next() instanceof MicroOperation.Set(String counter, Expr.Const(long zero))
        && zero == 0)) {
      return Optional.empty();
    }
    Expr index = Expr.name(counter);
    if (!(in.next() instanceof MicroOperation.Label(int head)
        && in.next() instanceof MicroOperation.Unless(Cond within, int end)
        && within.equals(Cond.of(index, Comparison.LT, WORLD)))) {
      return Optional.empty();
    }
    MicroOperation step = in.next();
    int skip = -1;
    if (step instanceof MicroOperation.Unless(Cond apart, int next)
        && apart.equals(Cond.of(index, Comparison.NE, RANK))) {
      skip = next;
      step = in.next();
    }
    if (!(step instanceof MicroOperation.Set(String variable, Expr value)
        && value.equals(index)
        && in.next() instanceof MicroOperation.Copy move
        && move.combine() instanceof Combine.Copy
        && (unpacks(move) || packs(move))
        && !names(move.bytes(), variable))) {
      return Optional.empty();
    }
    boolean closes =
        (skip < 0 || in.next().equals(new MicroOperation.Label(skip)))
            && in.next().equals(new MicroOperation.Set(counter, index.plus(1)))
            && in.next().equals(new MicroOperation.Jump(head))
            && in.next().equals(new MicroOperation.Label(end));
    return closes
        ? Optional.of(new PeerLoop(variable, skip >= 0, move, in.at - start))
        : Optional.empty();
  }

  /** Whether the move unpacks into plain memory, each destination at one rank. */
  private static boolean unpacks(MicroOperation.Copy move) {
    return packed(move) && move.destinations().stream().allMatch(CopyCode::lands);
  }

  private static boolean packed(MicroOperation.Copy move) {
    return move.sources().getFirst().region().access() instanceof Access.Packets;
  }

  /** Whether the move packs one plain region for one rank. */
  private static boolean packs(MicroOperation.Copy move) {
    return move.destinations().size() == 1
        && !packed(move)
        && move.destinations().getFirst().access() instanceof Access.Packets
        && move.destinations().getFirst().at() instanceof Peers.One;
  }

  /** Whether the loop unpacks; otherwise it packs. */
  boolean unpacks() {
    return unpacks(move);
  }

  private static boolean names(Expr expr, String name) {
    return switch (expr) {
      case Expr.Const c -> false;
      case Expr.Name(String other) -> other.equals(name);
      case Expr.NonZero32(Expr counter) -> names(counter, name);
      case Expr.Binary(var operator, Expr left, Expr right) ->
          names(left, name) || names(right, name);
    };
  }

  /** Reads step after step; after the last step it returns the end of the lane, repeatedly. */
  private static final class Reader {
    private final List<LoweredStep> steps;
    private int at;

    Reader(List<LoweredStep> steps, int at) {
      this.steps = steps;
      this.at = at;
    }

    MicroOperation next() {
      return at < steps.size() ? steps.get(at++).micro() : new MicroOperation.End();
    }
  }
}
