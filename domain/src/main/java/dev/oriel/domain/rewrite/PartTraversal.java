package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Maps over the parts of an operation, always in the same order; the only place that rebuilds
 * operations from their parts. Code that treats all parts of a role alike uses {@link #rewrite};
 * code that gives each operation its own meaning, such as printing and checking, has its own
 * switch.
 */
public final class PartTraversal {
  private PartTraversal() {}

  /** The operation with every part replaced by {@code by}. */
  public static Op rewrite(Op op, OperationRewrite by) {
    return switch (op) {
      case Op.Move m ->
          new Op.Move(
              m.ticket(),
              m.destinations().stream().map(d -> region(d, OperationPart.DESTINATION, by)).toList(),
              m.combine() instanceof Combine.Apply(HookForm hook, HookOperands operands)
                  ? new Combine.Apply(
                      hook, operands.with(operand -> by.part(OperationPart.VALUE, operand)))
                  : m.combine(),
              m.sources().stream().map(s -> series(s, by)).toList(),
              by.part(OperationPart.BYTES, m.bytes()));
      case Op.Signal s ->
          new Op.Signal(
              slot(s.slot(), by),
              s.change(),
              by.part(OperationPart.VALUE, s.value()),
              by.part(OperationPart.ORDER, s.order()),
              by.part(OperationPart.SCOPE, s.scope()),
              by.part(OperationPart.COVER, s.cover()));
      case Op.Await a ->
          new Op.Await(
              slot(a.slot(), by),
              by.part(OperationPart.QUANTIFIER, a.quantifier()),
              by.part(OperationPart.COMPARISON, a.comparison()),
              by.part(OperationPart.VALUE, a.value()),
              by.part(OperationPart.ORDER, a.order()),
              by.part(OperationPart.SCOPE, a.scope()));
      case Op.AwaitTicket t -> t;
      case Op.Flush f ->
          new Op.Flush(peers(f.peers(), by), by.part(OperationPart.REACH, f.reach()));
      case Op.Sync s -> s;
      case Op.Join j -> j;
      case Op.Load l ->
          new Op.Load(
              l.register(),
              region(l.word(), OperationPart.SOURCE, by),
              l.width(),
              l.bound()
                  .map(b -> new Op.Load.Bound(by.part(OperationPart.MAXIMUM, b.max()), b.code())));
      case Op.Let l -> new Op.Let(l.register(), by.part(OperationPart.WORD, l.value()));
      case Op.Assign a -> new Op.Assign(a.state(), by.part(OperationPart.WORD, a.value()));
      case Op.Store s ->
          new Op.Store(
              region(s.word(), OperationPart.DESTINATION, by),
              s.width(),
              by.part(OperationPart.VALUE, s.value()));
      case Op.Check c -> new Op.Check(condition(c.condition(), by), c.code());
      case Op.If f ->
          new Op.If(condition(f.condition(), by), by.block(f.then()), by.block(f.otherwise()));
      case Op.For f ->
          new Op.For(f.variable(), by.part(OperationPart.COUNT, f.count()), by.block(f.body()));
      case Op.Each e -> new Op.Each(e.variable(), peers(e.peers(), by), by.block(e.body()));
      case Op.Leader l -> new Op.Leader(by.block(l.body()));
      case Call c -> call(c, by);
    };
  }

  private static SourceSeries series(SourceSeries s, OperationRewrite by) {
    Expr count = s.single() ? s.count() : by.part(OperationPart.COUNT, s.count());
    return new SourceSeries(s.variable(), count, region(s.region(), OperationPart.SOURCE, by));
  }

  private static Call call(Call call, OperationRewrite by) {
    return switch (call) {
      case Call.Put p ->
          new Call.Put(
              region(p.to(), OperationPart.DESTINATION, by),
              region(p.from(), OperationPart.SOURCE, by),
              extent(p.extent(), by),
              p.notice()
                  .map(n ->
                      new Call.Notify(
                          n.signal(),
                          by.part(OperationPart.INDEX, n.index()),
                          n.change(),
                          by.part(OperationPart.VALUE, n.value()))),
              p.counter().map(word -> region(word, OperationPart.DESTINATION, by)),
              by.part(OperationPart.CONTEXT, p.context()),
              p.blocking());
      case Call.Get g ->
          new Call.Get(
              region(g.to(), OperationPart.DESTINATION, by),
              region(g.from(), OperationPart.SOURCE, by),
              extent(g.extent(), by),
              by.part(OperationPart.CONTEXT, g.context()),
              g.blocking());
      case Call.Change c ->
          new Call.Change(
              c.result()
                  .map(r ->
                      new Call.Result(
                          region(r.into(), OperationPart.DESTINATION, by), r.blocking())),
              region(c.word(), OperationPart.DESTINATION, by),
              c.change(),
              by.part(OperationPart.VALUE, c.operand()),
              by.part(OperationPart.VALUE, c.compare()),
              by.part(OperationPart.CONTEXT, c.context()));
      case Call.Fence(Expr context) -> new Call.Fence(by.part(OperationPart.CONTEXT, context));
      case Call.MemoryFence(boolean strict, Scope scope) ->
          new Call.MemoryFence(strict, by.part(OperationPart.SCOPE, scope));
      case Call.Bulk b ->
          new Call.Bulk(
              region(b.to(), OperationPart.DESTINATION, by),
              region(b.from(), OperationPart.SOURCE, by),
              by.part(OperationPart.BYTES, b.bytes()));
      case Call.AwaitBulk w -> w;
      case Call.OrderProxy f -> f;
      case Call.Quiet(Expr context) -> new Call.Quiet(by.part(OperationPart.CONTEXT, context));
      case Call.Wait w ->
          new Call.Wait(
              region(w.word(), OperationPart.SOURCE, by),
              by.part(OperationPart.COMPARISON, w.comparison()),
              by.part(OperationPart.VALUE, w.value()),
              by.part(OperationPart.ORDER, w.order()));
      case Call.Read r ->
          new Call.Read(
              r.register(),
              slot(r.slot(), by),
              by.part(OperationPart.ORDER, r.order()),
              until(r.until(), by));
      case Call.LoadStrong l ->
          new Call.LoadStrong(
              l.register(),
              region(l.word(), OperationPart.SOURCE, by),
              by.part(OperationPart.ORDER, l.order()),
              until(l.until(), by));
      case Call.StoreStrong s ->
          new Call.StoreStrong(
              region(s.word(), OperationPart.DESTINATION, by),
              by.part(OperationPart.VALUE, s.value()),
              by.part(OperationPart.ORDER, s.order()));
      case Call.Lock(Region word, Scope scope) ->
          new Call.Lock(
              region(word, OperationPart.DESTINATION, by), by.part(OperationPart.SCOPE, scope));
      case Call.Unlock(Region word, Scope scope) ->
          new Call.Unlock(
              region(word, OperationPart.DESTINATION, by), by.part(OperationPart.SCOPE, scope));
      case Call.Meet m -> m;
    };
  }

  private static Call.Extent extent(Call.Extent extent, OperationRewrite by) {
    return new Call.Extent(
        by.part(OperationPart.BYTES, extent.bytes()),
        extent
            .stride()
            .map(s ->
                new Call.Stride(
                    by.part(OperationPart.COUNT, s.count()),
                    by.part(OperationPart.WORD, s.to()),
                    by.part(OperationPart.WORD, s.from()))));
  }

  /** The operations with every part at every depth replaced by {@code by}. */
  public static List<Op> everywhere(List<Op> ops, OperationRewrite by) {
    OperationRewrite deep =
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return by.part(part, value);
          }

          @Override
          public List<Op> block(List<Op> inner) {
            return everywhere(inner, by);
          }
        };
    return ops.stream().map(op -> rewrite(op, deep)).toList();
  }

  /** The values with one of those roles in the operation itself, not in its blocks. */
  public static <T> List<T> all(Op op, List<OperationPart<T>> parts) {
    Occurrence<T> none = new Occurrence<>(parts, -1, value -> value);
    rewrite(op, none);
    return none.found;
  }

  /** The value of that role, if there is one. */
  public static <T> List<T> all(Op op, OperationPart<T> part) {
    return all(op, List.of(part));
  }

  /** The blocks inside the operation, in the order in which they are written. */
  public static List<List<Op>> blocks(Op op) {
    List<List<Op>> blocks = new ArrayList<>();
    rewrite(
        op,
        new OperationRewrite() {
          @Override
          public List<Op> block(List<Op> ops) {
            blocks.add(ops);
            return ops;
          }
        });
    return blocks;
  }

  /** Every operation that differs in exactly one value of those roles, by one alternative. */
  public static <T> List<Op> variants(
      Op op, List<OperationPart<T>> parts, Function<T, List<T>> alternatives) {
    List<Op> variants = new ArrayList<>();
    List<T> values = all(op, parts);
    for (int i = 0; i < values.size(); i++) {
      for (T other : alternatives.apply(values.get(i))) {
        variants.add(rewrite(op, new Occurrence<>(parts, i, value -> other)));
      }
    }
    return variants;
  }

  private static Slot slot(Slot s, OperationRewrite by) {
    Expr index = by.part(OperationPart.INDEX, s.index());
    return by.part(OperationPart.SLOT, new Slot(s.signal(), index, peers(s.at(), by)));
  }

  private static Region region(Region g, OperationPart<Region> part, OperationRewrite by) {
    Peers at = peers(g.at(), by);
    Expr offset = by.part(OperationPart.OFFSET, g.offset());
    Access access =
        g.access() instanceof Access.Packets(var format, Expr flag)
            ? new Access.Packets(format, by.part(OperationPart.FLAG, flag))
            : g.access();
    return by.part(part, new Region(g.buffer(), at, offset, access));
  }

  private static Peers peers(Peers peers, OperationRewrite by) {
    return by.part(
        OperationPart.PEERS,
        peers instanceof Peers.One(Expr rank)
            ? Peers.one(by.part(OperationPart.PEER, rank))
            : peers);
  }

  private static Cond condition(Cond condition, OperationRewrite by) {
    return new Cond(
        condition.terms().stream()
            .map(t ->
                new Cond.Term(
                    by.part(OperationPart.TERM, t.left()),
                    by.part(OperationPart.COMPARISON, t.comparison()),
                    by.part(OperationPart.TERM, t.right())))
            .toList());
  }

  /** Lists the values of some roles, and changes the one with index {@code place}. */
  private static final class Occurrence<T> implements OperationRewrite {
    private final List<OperationPart<T>> parts;
    private final int place;
    private final Function<T, T> change;
    private final List<T> found = new ArrayList<>();

    Occurrence(List<OperationPart<T>> parts, int place, Function<T, T> change) {
      this.parts = parts;
      this.place = place;
      this.change = change;
    }

    @Override
    public <S> S part(OperationPart<S> part, S value) {
      for (OperationPart<T> wanted : parts) {
        if (wanted.equals(part)) {
          T here = wanted.type().cast(value);
          found.add(here);
          return found.size() - 1 == place ? part.type().cast(change.apply(here)) : value;
        }
      }
      return value;
    }
  }

  private static Optional<Call.Until> until(Optional<Call.Until> until, OperationRewrite by) {
    return until.map(u ->
        new Call.Until(
            by.part(OperationPart.COMPARISON, u.comparison()),
            by.part(OperationPart.VALUE, u.value()),
            u.nanoseconds()));
  }
}
