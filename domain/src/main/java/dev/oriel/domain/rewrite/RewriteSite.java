package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * An operation at its place in a block, lane and form; it can create the form with a different
 * block.
 */
public record RewriteSite(
    Form form,
    LaneFamily lane,
    int number,
    List<Op> block,
    int at,
    Function<List<Op>, Form> rebuild) {

  public RewriteSite {
    block = List.copyOf(block);
  }

  /** Every operation of the form, lane by lane, each before those inside it. */
  public static List<RewriteSite> of(Form form) {
    List<RewriteSite> spots = new ArrayList<>();
    for (int i = 0; i < form.lanes().size(); i++) {
      int place = i;
      LaneFamily lane = form.lanes().get(i);
      collect(form, lane, lane.body(), 0, body -> withBody(form, place, body), spots);
    }
    return spots;
  }

  public Op op() {
    return block.get(at);
  }

  public OperationPlace place() {
    return new OperationPlace(lane.name(), number, FormPrinter.head(op()));
  }

  /** The form with this block instead of the one around the operation. */
  public Form with(List<Op> other) {
    return rebuild.apply(other);
  }

  /** The form with these operations instead of this one. */
  public Form replaced(List<Op> by) {
    return replaced(1, by);
  }

  /**
   * The form with these operations instead of this one and its successors, {@code count} in all.
   */
  public Form replaced(int count, List<Op> by) {
    List<Op> changed = new ArrayList<>(block.subList(0, at));
    changed.addAll(by);
    changed.addAll(block.subList(at + count, block.size()));
    return with(changed);
  }

  /** The form in which this operation is at another place of its block. */
  public Form moved(int to) {
    List<Op> changed = new ArrayList<>(block);
    changed.add(to, changed.remove(at));
    return with(changed);
  }

  private static Form withBody(Form form, int place, List<Op> body) {
    LaneFamily lane = FormEdits.withBody(form.lanes().get(place), body);
    return FormEdits.withLanes(form, FormEdits.with(form.lanes(), place, lane));
  }

  private static int collect(
      Form form,
      LaneFamily lane,
      List<Op> block,
      int before,
      Function<List<Op>, Form> rebuild,
      List<RewriteSite> into) {
    int number = before;
    for (int i = 0; i < block.size(); i++) {
      RewriteSite spot = new RewriteSite(form, lane, ++number, block, i, rebuild);
      into.add(spot);
      List<List<Op>> inner = PartTraversal.blocks(spot.op());
      for (int b = 0; b < inner.size(); b++) {
        int changed = b;
        number =
            collect(
                form,
                lane,
                inner.get(b),
                number,
                body -> spot.replaced(List.of(withBlock(spot.op(), changed, body))),
                into);
      }
    }
    return number;
  }

  private static Op withBlock(Op op, int place, List<Op> block) {
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          private int seen;

          @Override
          public List<Op> block(List<Op> ops) {
            return seen++ == place ? block : ops;
          }
        });
  }
}
