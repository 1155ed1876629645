package dev.oriel.domain.placement;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.rewrite.ExprEdits;
import java.util.ArrayList;
import java.util.List;

/**
 * Forms whose input and output are one buffer with the output's name. The rank's own contribution
 * lies where the post-condition expects its result. So the input of an all-gather is block r of its
 * output, the output of a reduce-scatter is block r of its input, and an all-reduce has one run of
 * bytes. Copies of bytes onto themselves are removed.
 *
 * <p>The result may be wrong in place, since a peer may write bytes that are still to be read. It
 * is an ordinary form, to be checked like any other.
 */
public final class InPlace {
  private final Form form;
  private final Buffer input;
  private final Buffer output;

  /** The offset of either in the common buffer, as a rank sees its own. */
  private final Expr inputAt;

  private final Expr outputAt;

  private InPlace(Form form) {
    this.form = form;
    input = only(Space.INPUT);
    output = only(Space.OUTPUT);
    OwnPlace own = OwnPlace.of(form, input.name(), output.name());
    Expr zero = Expr.of(0);
    if (own.source().equals(zero)) {
      inputAt = own.target();
      outputAt = zero;
    } else if (own.target().equals(zero)) {
      inputAt = zero;
      outputAt = own.source();
    } else {
      Expr most = Expr.max(own.source(), own.target());
      inputAt = most.minus(own.source());
      outputAt = most.minus(own.target());
    }
  }

  /**
   * The form in place.
   *
   * @throws ProgramException if it does not have exactly one input and one output. Also if its
   *     post-conditions give no single place for the rank's own contribution, or if a ticket names
   *     a move that is removed or split
   */
  public static Form of(Form form) {
    return new InPlace(form).made();
  }

  private Buffer only(Space space) {
    List<Buffer> some = form.buffers().stream().filter(b -> b.space() == space).toList();
    if (some.size() != 1) {
      throw new ProgramException(
          "no form in place: form=%s, %ss=%s; one input and one output can be one buffer, leave in place out"
              .formatted(form.name(), space.spelling(), some.stream().map(Buffer::name).toList()));
    }
    return some.getFirst();
  }

  private Form made() {
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer b : form.buffers()) {
      if (b.equals(output)) {
        buffers.add(new Buffer(Space.INOUT, output.name(), bytes()));
      } else if (!b.equals(input)) {
        buffers.add(b);
      }
    }
    Form merged = RegionRelocation.moved(form, form.name() + "-in-place", buffers, this::moved);
    Form busy = new SelfCopyElimination(merged, output.name()).eliminated();
    // If the input is a part of the output, no other bytes are written there.
    boolean part = !inputAt.equals(Expr.of(0));
    return FormValidator.validate(part ? busy : new ReadWriteEdges(output.name()).ordered(busy));
  }

  private Region moved(Region g) {
    if (g.buffer().equals(input.name())) {
      return moved(g, inputAt);
    }
    return g.buffer().equals(output.name()) ? moved(g, outputAt) : g;
  }

  private Region moved(Region g, Expr begin) {
    Expr at =
        switch (g.at()) {
          case Peers.Self _ -> begin;
          case Peers.One(Expr rank) -> of(begin, rank);
          case Peers.All _, Peers.Others _ -> {
            if (namesRank(begin)) {
              throw new ProgramException(
                  "no form in place: form=%s, buffer=%s; it writes to several ranks at once, at a place that differs between them; leave in place out"
                      .formatted(form.name(), g.buffer()));
            }
            yield begin;
          }
        };
    return new Region(output.name(), g.at(), RegionRelocation.sum(at, g.offset()), g.access());
  }

  /** The size that both need; the larger one if it is evident which that is. */
  private Expr bytes() {
    Expr in = RegionRelocation.sum(inputAt, input.bytes());
    Expr out = RegionRelocation.sum(outputAt, output.bytes());
    if (covers(out, in)) {
      return out;
    }
    return covers(in, out) ? in : Expr.max(in, out);
  }

  /**
   * Whether {@code most} is evidently the same at each rank and not below {@code least} at the last
   * rank.
   */
  private boolean covers(Expr most, Expr least) {
    Expr last = ExprEdits.substitute(least, "r", Expr.world().minus(1));
    return !namesRank(most)
        && form.definitions().stream().noneMatch(d -> namesRank(d.value()) && names(least, d))
        && SumOfProducts.of(least).growsWith("r")
        && SumOfProducts.of(most).minus(SumOfProducts.of(last)).isPositive();
  }

  /** The operand as that rank evaluates it. */
  private Expr of(Expr own, Expr rank) {
    return ExprEdits.substitute(expanded(own), "r", rank);
  }

  private boolean namesRank(Expr expr) {
    Expr whole = expanded(expr);
    return !ExprEdits.substitute(whole, "r", Expr.of(0)).equals(whole);
  }

  private Expr expanded(Expr expr) {
    Expr whole = expr;
    for (Form.Definition d : form.definitions().reversed()) {
      whole = ExprEdits.substitute(whole, d.name(), d.value());
    }
    return whole;
  }

  private static boolean names(Expr expr, Form.Definition d) {
    return !ExprEdits.substitute(expr, d.name(), Expr.of(0)).equals(expr);
  }
}
