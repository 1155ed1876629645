package dev.oriel.domain.program.build;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Flush.Reach;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Builds the operations of one block, one method each; see {@link Op} for their semantics. */
public final class BlockBuilder {
  private final List<Op> ops = new ArrayList<>();

  BlockBuilder() {}

  List<Op> ops() {
    return List.copyOf(ops);
  }

  /** Adds any operation. */
  public BlockBuilder op(Op op) {
    ops.add(op);
    return this;
  }

  public BlockBuilder move(Region destination, Region source, Expr bytes) {
    return move(List.of(destination), source, bytes);
  }

  public BlockBuilder move(List<Region> destinations, Region source, Expr bytes) {
    return op(Op.Move.copy("", destinations, source, bytes));
  }

  /** Adds a move that later operations can name. */
  public BlockBuilder move(String ticket, Region destination, Region source, Expr bytes) {
    return op(Op.Move.copy(ticket, List.of(destination), source, bytes));
  }

  /** Reduces the sources in their order, held in {@code in} to the end. */
  public BlockBuilder reduce(
      ReduceOp op,
      DataType type,
      DataType in,
      Region destination,
      List<SourceSeries> sources,
      Expr bytes) {
    Combine combine = new Combine.Reduce(op, type, in);
    return op(new Op.Move("", List.of(destination), combine, sources, bytes));
  }

  /** A releasing, system-wide store that covers all earlier operations of the lane. */
  public BlockBuilder signalSet(Slot slot, Expr value) {
    return op(new Op.Signal(slot, Change.SET, value, Order.RELEASE, Scope.SYS, Cover.LANE));
  }

  /** A releasing, system-wide add that covers all earlier operations of the lane. */
  public BlockBuilder signalAdd(Slot slot, Expr value) {
    return op(new Op.Signal(slot, Change.ADD, value, Order.RELEASE, Scope.SYS, Cover.LANE));
  }

  /** An acquiring, system-wide wait for every named source. */
  public BlockBuilder await(Slot slot, Comparison comparison, Expr value) {
    return op(
        new Op.Await(slot, Op.Await.Quantifier.EACH, comparison, value, Order.ACQUIRE, Scope.SYS));
  }

  public BlockBuilder awaitTicket(String ticket) {
    return op(new Op.AwaitTicket(ticket));
  }

  public BlockBuilder flush(Peers peers, Reach reach) {
    return op(new Op.Flush(peers, reach));
  }

  public BlockBuilder sync() {
    return op(new Op.Sync());
  }

  public BlockBuilder join(String lane) {
    return op(new Op.Join(lane));
  }

  public Expr load(String register, Region word, Expr max, int code) {
    op(new Op.Load(register, word, max, code));
    return Expr.name(register);
  }

  public Expr let(String register, Expr value) {
    op(new Op.Let(register, value));
    return Expr.name(register);
  }

  public BlockBuilder assign(String state, Expr value) {
    return op(new Op.Assign(state, value));
  }

  public BlockBuilder store(Region word, Expr value) {
    return op(new Op.Store(word, value));
  }

  /** A blocking put on context 0; see {@link Call.Put} for the others. */
  public BlockBuilder put(Region to, Region from, Expr bytes) {
    return op(new Call.Put(to, from, new Call.Extent(bytes), Optional.empty(), Call.DEFAULT, true));
  }

  /** A non-blocking put on context 0 that adds 1 to a word once its source is read. */
  public BlockBuilder putCounted(Region to, Region from, Expr bytes, Region counter) {
    Call.Extent once = new Call.Extent(bytes);
    return op(
        new Call.Put(to, from, once, Optional.empty(), Optional.of(counter), Call.DEFAULT, false));
  }

  /** A blocking get on context 0. */
  public BlockBuilder get(Region to, Region from, Expr bytes) {
    return op(new Call.Get(to, from, new Call.Extent(bytes), Call.DEFAULT, true));
  }

  /** Orders the puts of context 0. */
  public BlockBuilder fence() {
    return op(new Call.Fence(Call.DEFAULT));
  }

  /** Orders the lane's own accesses for agents of the scope. */
  public BlockBuilder order(boolean strict, Scope scope) {
    return op(new Call.MemoryFence(strict, scope));
  }

  /** Copies by the block's bulk-copy unit, concurrently with its threads. */
  public BlockBuilder bulk(Region to, Region from, Expr bytes) {
    return op(new Call.Bulk(to, from, bytes));
  }

  /** Waits until the block's bulk copies have ended. */
  public BlockBuilder awaitBulk() {
    return op(new Call.AwaitBulk());
  }

  /** Orders the lane's earlier accesses before its later ones through the proxy. */
  public BlockBuilder order(Proxy proxy) {
    return op(new Call.OrderProxy(proxy));
  }

  /** Completes the calls of context 0. */
  public BlockBuilder quiet() {
    return op(new Call.Quiet(Call.DEFAULT));
  }

  /** Completes the calls of context 0 and meets the barrier's other members. */
  public BlockBuilder barrier(String barrier) {
    return op(new Call.Meet(barrier, true));
  }

  public BlockBuilder check(Cond condition, int code) {
    return op(new Op.Check(condition, code));
  }

  public BlockBuilder when(
      Cond condition, Consumer<BlockBuilder> then, Consumer<BlockBuilder> otherwise) {
    return op(new Op.If(condition, block(then), block(otherwise)));
  }

  public BlockBuilder loop(String variable, Expr count, BiConsumer<BlockBuilder, Expr> body) {
    return op(new Op.For(variable, count, block(inner -> body.accept(inner, Expr.name(variable)))));
  }

  public BlockBuilder each(String variable, Peers peers, BiConsumer<BlockBuilder, Expr> body) {
    return op(
        new Op.Each(variable, peers, block(inner -> body.accept(inner, Expr.name(variable)))));
  }

  /** What one thread of the lane does, while the others go on. */
  public BlockBuilder leader(Consumer<BlockBuilder> body) {
    return op(new Op.Leader(block(body)));
  }

  private static List<Op> block(Consumer<BlockBuilder> body) {
    BlockBuilder inner = new BlockBuilder();
    body.accept(inner);
    return inner.ops();
  }
}
