package dev.oriel.sim.search;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Every program that differs from a given one by one small change of one operation. */
final class Mutants {

  /** A changed program and its change. */
  record Mutant(String change, Form form) {}

  private final Form form;
  private final List<Mutant> mutants = new ArrayList<>();

  private Mutants(Form form) {
    this.form = form;
  }

  static List<Mutant> of(Form form) {
    Mutants all = new Mutants(form);
    for (int i = 0; i < form.lanes().size(); i++) {
      int lane = i;
      LaneFamily old = form.lanes().get(i);
      all.block(
          old.body(),
          body -> {
            List<LaneFamily> lanes = new ArrayList<>(form.lanes());
            lanes.set(
                lane, new LaneFamily(old.name(), old.indices(), old.engine(), old.states(), body));
            return lanes;
          });
    }
    return all.mutants;
  }

  private void block(List<Op> ops, Function<List<Op>, List<LaneFamily>> rebuild) {
    for (int i = 0; i < ops.size(); i++) {
      int at = i;
      Op op = ops.get(i);
      add("drop", op, rebuild.apply(with(ops, at, List.of())));
      if (i + 1 < ops.size()) {
        add("swap", op, rebuild.apply(with(ops, at, List.of(ops.get(i + 1), op), 2)));
      }
      for (Op changed : changes(op)) {
        add("change", op, rebuild.apply(with(ops, at, List.of(changed))));
      }
      switch (op) {
        case Op.For f ->
            block(
                f.body(),
                body ->
                    rebuild.apply(
                        with(ops, at, List.of(new Op.For(f.variable(), f.count(), body)))));
        case Op.Each e ->
            block(
                e.body(),
                body ->
                    rebuild.apply(
                        with(ops, at, List.of(new Op.Each(e.variable(), e.peers(), body)))));
        default -> {}
      }
    }
  }

  private static List<Op> changes(Op op) {
    return switch (op) {
      case Op.Signal s ->
          List.of(
              new Op.Signal(s.slot(), s.change(), s.value(), Order.RELAXED, s.scope(), s.cover()),
              new Op.Signal(s.slot(), s.change(), s.value(), s.order(), Scope.GPU, s.cover()),
              new Op.Signal(
                  s.slot(), s.change(), s.value().plus(1), s.order(), s.scope(), s.cover()),
              new Op.Signal(
                  elsewhere(s.slot()), s.change(), s.value(), s.order(), s.scope(), s.cover()));
      case Op.Await a ->
          List.of(
              new Op.Await(
                  a.slot(), a.quantifier(), a.comparison(), a.value(), Order.RELAXED, a.scope()),
              new Op.Await(
                  a.slot(), a.quantifier(), a.comparison(), a.value(), a.order(), Scope.GPU),
              new Op.Await(
                  a.slot(),
                  a.quantifier(),
                  a.comparison(),
                  a.value().minus(1),
                  a.order(),
                  a.scope()),
              new Op.Await(
                  elsewhere(a.slot()),
                  a.quantifier(),
                  a.comparison(),
                  a.value(),
                  a.order(),
                  a.scope()));
      case Op.Let l -> List.of(new Op.Let(l.register(), l.value().plus(1)));
      case Op.Assign a -> List.of(new Op.Assign(a.state(), Expr.name(a.state())));
      default -> List.of();
    };
  }

  private static Slot elsewhere(Slot slot) {
    return slot.at() instanceof Peers.One(Expr one)
        ? new Slot(slot.signal(), slot.index(), Peers.one(one.plus(1).mod(Expr.world())))
        : slot;
  }

  private static List<Op> with(List<Op> ops, int at, List<Op> replacement) {
    return with(ops, at, replacement, 1);
  }

  private static List<Op> with(List<Op> ops, int at, List<Op> replacement, int removed) {
    List<Op> changed = new ArrayList<>(ops.subList(0, at));
    changed.addAll(replacement);
    changed.addAll(ops.subList(at + removed, ops.size()));
    return changed;
  }

  private void add(String change, Op op, List<LaneFamily> lanes) {
    Form mutant =
        new Form(
            form.name(),
            form.params(),
            form.definitions(),
            form.requirements(),
            form.buffers(),
            form.signals(),
            form.teams(),
            form.ensures(),
            lanes);
    try {
      if (!mutant.equals(form)) {
        mutants.add(
            new Mutant(
                change + " '" + dev.oriel.domain.program.FormPrinter.head(op) + "'",
                FormValidator.validate(mutant)));
      }
    } catch (ProgramException e) {
      // A change that makes the program invalid is rejected before it can run.
      return;
    }
  }
}
