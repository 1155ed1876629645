package dev.oriel.domain.placement;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes copies of bytes onto themselves. They change nothing, but would be writes that others
 * must wait for. A copy that is one only at a single rank is kept at all other ranks.
 */
final class SelfCopyElimination {
  private final Form form;
  private final String buffer;

  SelfCopyElimination(Form form, String buffer) {
    this.form = form;
    this.buffer = buffer;
  }

  /** The form without such copies, and without lanes that contain nothing else. */
  Form eliminated() {
    List<LaneFamily> left =
        form.lanes().stream().map(l -> FormEdits.withBody(l, block(l.body()))).toList();
    List<LaneFamily> busy =
        left.stream().filter(l -> !l.body().isEmpty() || isJoined(l.name())).toList();
    // A form must have a lane.
    return FormEdits.withLanes(form, busy.isEmpty() ? left.subList(0, 1) : busy);
  }

  private boolean isJoined(String lane) {
    return form.lanes().stream().anyMatch(l -> joins(l.body(), lane));
  }

  private static boolean joins(List<Op> ops, String lane) {
    return ops.stream()
        .anyMatch(op ->
            op.equals(new Op.Join(lane))
                || PartTraversal.blocks(op).stream().anyMatch(inner -> joins(inner, lane)));
  }

  private List<Op> block(List<Op> ops) {
    OperationRewrite inside =
        new OperationRewrite() {
          @Override
          public List<Op> block(List<Op> inner) {
            return SelfCopyElimination.this.block(inner);
          }
        };
    return ops.stream()
        .flatMap(
            op -> op instanceof Op.Move m ? move(m) : rest(op, PartTraversal.rewrite(op, inside)))
        .toList();
  }

  /** The rest of the operation; empty if both branches of an {@code if} became empty. */
  private static Stream<Op> rest(Op whole, Op left) {
    boolean emptied =
        left instanceof Op.If f
            && !whole.equals(left)
            && f.then().isEmpty()
            && f.otherwise().isEmpty();
    return emptied ? Stream.of() : Stream.of(left);
  }

  private Stream<Op> move(Op.Move m) {
    if (!(m.combine() instanceof Combine.Copy) || !m.sources().getFirst().single()) {
      return Stream.of(m);
    }
    Region from = m.sources().getFirst().region();
    List<Region> kept = new ArrayList<>();
    List<Op> elsewhere = new ArrayList<>();
    for (Region to : m.destinations()) {
      if (!sameBytes(to, from)) {
        kept.add(to);
        continue;
      }
      switch (to.at()) {
        case Peers.All _ when isOwn(from) -> kept.add(to.at(Peers.OTHERS));
        case Peers.One(Expr rank) when isOwn(from) -> elsewhere.add(unlessOwn(rank, m, to));
        case Peers.Self _ when isOwn(from) -> {}
        case Peers.Self _ when from.at() instanceof Peers.One(Expr rank) ->
            elsewhere.add(unlessOwn(rank, m, to));
        default -> kept.add(to);
      }
    }
    if (!kept.isEmpty()) {
      elsewhere.addFirst(only(m, kept));
    }
    if (!m.ticket().isEmpty() && (elsewhere.size() != 1 || kept.isEmpty())) {
      throw new ProgramException(
          "no form in place: form=%s, ticket=%s; its move copies bytes onto themselves and is left out or split, flush instead of naming it or leave in place out"
              .formatted(form.name(), m.ticket()));
    }
    return elsewhere.stream();
  }

  private boolean sameBytes(Region to, Region from) {
    return to.buffer().equals(buffer)
        && from.buffer().equals(buffer)
        && to.access() instanceof Access.Weak
        && from.access() instanceof Access.Weak
        && SumOfProducts.of(to.offset()).equals(SumOfProducts.of(from.offset()));
  }

  private static boolean isOwn(Region g) {
    return g.at() instanceof Peers.Self;
  }

  private static Op unlessOwn(Expr rank, Op.Move m, Region to) {
    Cond other = Cond.of(rank, Comparison.NE, Expr.rank());
    return new Op.If(other, List.of(only(m, List.of(to))), List.of());
  }

  private static Op.Move only(Op.Move m, List<Region> destinations) {
    return new Op.Move(m.ticket(), destinations, m.combine(), m.sources(), m.bytes());
  }
}
