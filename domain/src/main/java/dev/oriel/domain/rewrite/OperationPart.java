package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.window.Comparison;
import java.util.List;

/** The role of a value in an operation, independent of the operation. */
public record OperationPart<T>(String name, Class<T> type) {
  /** The value that is stored, added or compared. */
  public static final OperationPart<Expr> VALUE = operand("value");

  /** The new value of a register or a state word. */
  public static final OperationPart<Expr> WORD = operand("word");

  /** The place of a slot in its array. */
  public static final OperationPart<Expr> INDEX = operand("index");

  /** A named rank. */
  public static final OperationPart<Expr> PEER = operand("peer");

  /** The first byte of a region. */
  public static final OperationPart<Expr> OFFSET = operand("offset");

  /** The length of every region of an operation. */
  public static final OperationPart<Expr> BYTES = operand("bytes");

  /** The number of one of the lane's streams of calls. */
  public static final OperationPart<Expr> CONTEXT = operand("context");

  /** The turns of a loop. */
  public static final OperationPart<Expr> COUNT = operand("count");

  /** The largest word that a load accepts. */
  public static final OperationPart<Expr> MAXIMUM = operand("maximum");

  /** The mark of an arrived packet. */
  public static final OperationPart<Expr> FLAG = operand("flag");

  /** A side of a condition's comparison. */
  public static final OperationPart<Expr> TERM = operand("term");

  /** A slot as a whole, after its index and peers. */
  public static final OperationPart<Slot> SLOT = new OperationPart<>("slot", Slot.class);

  /** A region that is written, after its peers, offset and flag. */
  public static final OperationPart<Region> DESTINATION =
      new OperationPart<>("destination", Region.class);

  /** A region that is read, after its peers, offset and flag. */
  public static final OperationPart<Region> SOURCE = new OperationPart<>("source", Region.class);

  /** The ranks that a slot, region, flush or loop names, after the rank of {@link #PEER}. */
  public static final OperationPart<Peers> PEERS = new OperationPart<>("peers", Peers.class);

  public static final OperationPart<Order> ORDER = new OperationPart<>("order", Order.class);

  public static final OperationPart<Scope> SCOPE = new OperationPart<>("scope", Scope.class);

  /** How an awaited word is compared. */
  public static final OperationPart<Comparison> COMPARISON =
      new OperationPart<>("comparison", Comparison.class);

  public static final OperationPart<Op.Await.Quantifier> QUANTIFIER =
      new OperationPart<>("quantifier", Op.Await.Quantifier.class);

  public static final OperationPart<Op.Signal.Cover> COVER =
      new OperationPart<>("cover", Op.Signal.Cover.class);

  public static final OperationPart<Op.Flush.Reach> REACH =
      new OperationPart<>("reach", Op.Flush.Reach.class);

  /** Every part that is an operand. */
  public static final List<OperationPart<Expr>> OPERANDS =
      List.of(VALUE, WORD, INDEX, PEER, OFFSET, BYTES, CONTEXT, COUNT, MAXIMUM, FLAG, TERM);

  private static OperationPart<Expr> operand(String name) {
    return new OperationPart<>(name, Expr.class);
  }
}
