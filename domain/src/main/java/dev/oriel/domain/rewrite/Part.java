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
public record Part<T>(String name, Class<T> type) {
  /** The value that is stored, added or compared. */
  public static final Part<Expr> VALUE = operand("value");

  /** The new value of a register or a state word. */
  public static final Part<Expr> WORD = operand("word");

  /** The place of a slot in its array. */
  public static final Part<Expr> INDEX = operand("index");

  /** A named rank. */
  public static final Part<Expr> PEER = operand("peer");

  /** The first byte of a region. */
  public static final Part<Expr> OFFSET = operand("offset");

  /** The length of every region of an operation. */
  public static final Part<Expr> BYTES = operand("bytes");

  /** The number of one of the lane's streams of calls. */
  public static final Part<Expr> CONTEXT = operand("context");

  /** The turns of a loop. */
  public static final Part<Expr> COUNT = operand("count");

  /** The largest word that a load accepts. */
  public static final Part<Expr> MAXIMUM = operand("maximum");

  /** The mark of an arrived packet. */
  public static final Part<Expr> FLAG = operand("flag");

  /** A side of a condition's comparison. */
  public static final Part<Expr> TERM = operand("term");

  /** A slot as a whole, after its index and peers. */
  public static final Part<Slot> SLOT = new Part<>("slot", Slot.class);

  /** A region that is written, after its peers, offset and flag. */
  public static final Part<Region> DESTINATION = new Part<>("destination", Region.class);

  /** A region that is read, after its peers, offset and flag. */
  public static final Part<Region> SOURCE = new Part<>("source", Region.class);

  /** The ranks that a slot, region, flush or loop names, after the rank of {@link #PEER}. */
  public static final Part<Peers> PEERS = new Part<>("peers", Peers.class);

  public static final Part<Order> ORDER = new Part<>("order", Order.class);

  public static final Part<Scope> SCOPE = new Part<>("scope", Scope.class);

  /** How an awaited word is compared. */
  public static final Part<Comparison> COMPARISON = new Part<>("comparison", Comparison.class);

  public static final Part<Op.Await.Quantifier> QUANTIFIER =
      new Part<>("quantifier", Op.Await.Quantifier.class);

  public static final Part<Op.Signal.Cover> COVER = new Part<>("cover", Op.Signal.Cover.class);

  public static final Part<Op.Flush.Reach> REACH = new Part<>("reach", Op.Flush.Reach.class);

  /** Every part that is an operand. */
  public static final List<Part<Expr>> OPERANDS =
      List.of(VALUE, WORD, INDEX, PEER, OFFSET, BYTES, CONTEXT, COUNT, MAXIMUM, FLAG, TERM);

  private static Part<Expr> operand(String name) {
    return new Part<>(name, Expr.class);
  }
}
