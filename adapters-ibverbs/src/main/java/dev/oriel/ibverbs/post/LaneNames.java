package dev.oriel.ibverbs.post;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.MachineException;
import java.util.HashMap;
import java.util.Map;

/** The present value of every name in one lane. */
public final class LaneNames {
  private final RankProgram rank;
  private final LaneInstance lane;
  private final Map<String, Long> registers = new HashMap<>();

  public LaneNames(RankProgram rank, LaneInstance lane) {
    this.rank = rank;
    this.lane = lane;
  }

  /** The executing rank. */
  public RankProgram rank() {
    return rank;
  }

  /** Gives a register a value. */
  public void set(String register, long value) {
    registers.put(register, value);
  }

  /** The present value of an operand. */
  public long value(Expr expr) {
    return ExprEvaluator.value(expr, this::name);
  }

  /** Whether a condition holds now. */
  public boolean holds(Cond condition) {
    return ExprEvaluator.holds(condition, this::name);
  }

  /** The rank that an operand names now. */
  public int peer(Expr expr) {
    if (!namesPeer(expr)) {
      throw new MachineException(
          "no such peer: %s, peer=%s, value=%d, world=%d; name a rank of the world"
              .formatted(where(), FormPrinter.print(expr), value(expr), rank.program().world()));
    }
    return (int) value(expr);
  }

  private boolean namesPeer(Expr expr) {
    long peer = value(expr);
    return peer >= 0 && peer < rank.program().world();
  }

  /**
   * Whether the lane reaches a peer over that kind of link: all peers but itself are network peers.
   * A failed lane's operand may be no rank at all; such a peer is reached over no link.
   */
  public boolean reaches(MicroOperation.UnlessKind unless, boolean failed) {
    if (failed && !namesPeer(unless.peer())) {
      return false;
    }
    boolean self = peer(unless.peer()) == rank.rank();
    return unless.kind() == (self ? PeerKind.SELF : PeerKind.RDMA);
  }

  /** Rank and lane, for messages. */
  public String where() {
    return "rank=" + rank.rank() + ", lane=" + lane.label();
  }

  private long name(String name) {
    Long register = registers.get(name);
    if (register != null) {
      return register;
    }
    Long index = lane.indices().get(name);
    return index != null ? index : rank.known(name);
  }
}
