package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.List;

/** Checks post-conditions: names, places, and that one order of reducing is stated. */
final class PostConditionCheck {
  private final Form form;
  private final FormErrors complaints;
  private final NameResolver operands;

  PostConditionCheck(Form form, FormErrors complaints, NameResolver operands) {
    this.form = form;
    this.complaints = complaints;
    this.operands = operands;
  }

  void all() {
    form.ensures().forEach(e -> complaints.attempt(() -> operands.scoped(() -> ensure(e))));
    complaints.attempt(this::oneOrder);
  }

  /**
   * Requires an order for every reduction or for none: the origin of a byte is tracked either in
   * order or only by number, the same for a whole program.
   */
  private void oneOrder() {
    List<Ensure> reduced =
        form.ensures().stream().filter(e -> e.combine() instanceof Combine.Reduce).toList();
    boolean any = reduced.stream().anyMatch(e -> e.grouping() instanceof Grouping.Any);
    for (Ensure e : reduced) {
      if (any && !(e.grouping() instanceof Grouping.Any)) {
        throw complaints.fail(
            e,
            "post-conditions with and without an order",
            "buffer=" + e.actual().buffer(),
            "state the order of every reduction, or any of all");
      }
    }
  }

  private void ensure(Ensure e) {
    e.given().forEach(this::given);
    e.when().ifPresent(this::when);
    own(e.actual());
    if (e.expected().isEmpty()) {
      throw complaints.fail(
          e, "post-condition without sources", "", "name what the bytes are made of");
    }
    ReductionCheck reductions = new ReductionCheck(complaints, operands);
    reductions.combine(e, e.combine(), e.expected());
    reductions.grouping(e);
    reductions.sources(e, e.expected(), this::expected);
    operands.names(e.bytes());
  }

  private void own(Region region) {
    ensured(region);
    if (!(region.at() instanceof Peers.Self)) {
      throw complaints.fail(
          region,
          "ensured bytes of another rank",
          "buffer=" + region.buffer(),
          "state what holds of the rank's own memory");
    }
  }

  private void when(Ensure.When when) {
    own(when.word());
    operands.names(when.value());
    Space space = operands.space(when.word());
    if (!space.taken() && space != Space.SCRATCH) {
      throw complaints.fail(
          when.word(),
          "condition on a word that a launch does not leave behind",
          "buffer=" + when.word().buffer(),
          "name a word of an output or of scratch memory");
    }
  }

  private void given(EnsureBinder given) {
    switch (given) {
      case EnsureBinder.Rank(var name, Peers over) -> operands.peers(over);
      case EnsureBinder.Turn(var name, Expr count) ->
          operands.bound(count, "the count of a post-condition", false);
      case EnsureBinder.Word w -> word(w);
    }
    operands.declare(given, given.name(), Meaning.RUNNING);
  }

  private void word(EnsureBinder.Word w) {
    expected(w.word());
    operands.width(w, w.width());
    operands.bound(w.most(), "the bound of word " + w.name(), false);
    if (!operands.space(w.word()).filled()) {
      throw complaints.fail(
          w.word(),
          "word that a program may change",
          "buffer=" + w.word().buffer(),
          "name a word of an input");
    }
  }

  private void expected(Region g) {
    ensured(g);
    if (g.at() instanceof Peers.Others || g.at() instanceof Peers.All) {
      throw complaints.fail(
          g,
          "expected bytes of several ranks",
          "buffer=" + g.buffer(),
          "name one rank, or state it for each p in peers");
    }
  }

  private void ensured(Region g) {
    operands.region(g);
    if (!(g.access() instanceof Access.Weak)) {
      throw complaints.fail(
          g, "ensured packets", "buffer=" + g.buffer(), "state what holds of plain bytes");
    }
    operands.byItsOwnName(g);
    if (operands.space(g) == Space.SHARED) {
      throw complaints.fail(
          g,
          "ensured shared memory",
          "buffer=" + g.buffer(),
          "state what holds of memory that outlives the lanes");
    }
  }
}
