package dev.oriel.domain.explain;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;
import java.util.function.ToLongFunction;

/** Prints operations with the values of their operands in place of the operands. */
final class ValuePrinter {
  private final ToLongFunction<String> names;

  ValuePrinter(ToLongFunction<String> names) {
    this.names = names;
  }

  Expr of(Expr expr) {
    return Expr.of(ExprEvaluator.value(expr, names));
  }

  Peers of(Peers peers) {
    return peers instanceof Peers.One(Expr one) ? Peers.one(of(one)) : peers;
  }

  Region of(Region g) {
    return new Region(g.buffer(), of(g.at()), of(g.offset()), of(g.access()));
  }

  private Access of(Access access) {
    return access instanceof Access.Packets(var format, var flag)
        ? new Access.Packets(format, of(flag))
        : access;
  }

  Slot of(Slot s) {
    return new Slot(s.signal(), of(s.index()), of(s.at()));
  }

  Op of(Op.Signal s) {
    return new Op.Signal(of(s.slot()), s.change(), of(s.value()), s.order(), s.scope(), s.cover());
  }

  Op of(Op.Await a) {
    return new Op.Await(
        of(a.slot()), a.quantifier(), a.comparison(), of(a.value()), a.order(), a.scope());
  }

  private Call.Extent of(Call.Extent extent) {
    return new Call.Extent(
        of(extent.bytes()),
        extent.stride().map(s -> new Call.Stride(of(s.count()), of(s.to()), of(s.from()))));
  }

  Op of(Call.Put p) {
    return new Call.Put(
        of(p.to()),
        of(p.from()),
        of(p.extent()),
        p.notice().map(n -> new Call.Notify(n.signal(), of(n.index()), n.change(), of(n.value()))),
        p.counter().map(this::of),
        of(p.context()),
        p.blocking());
  }

  Op of(Call.Get g) {
    return new Call.Get(of(g.to()), of(g.from()), of(g.extent()), of(g.context()), g.blocking());
  }

  Op of(Call.Bulk b) {
    return new Call.Bulk(of(b.to()), of(b.from()), of(b.bytes()));
  }

  /** A series of sources has one value per turn, so it is printed unchanged with its count. */
  Op of(Op.Move m) {
    List<SourceSeries> sources =
        m.sources().stream()
            .map(s ->
                s.single()
                    ? SourceSeries.of(of(s.region()))
                    : new SourceSeries(s.variable(), of(s.count()), s.region()))
            .toList();
    return new Op.Move(
        m.ticket(),
        m.destinations().stream().map(this::of).toList(),
        m.combine() instanceof Combine.Apply(HookForm hook, HookOperands operands)
            ? new Combine.Apply(hook, operands.with(this::of))
            : m.combine(),
        sources,
        of(m.bytes()));
  }
}
