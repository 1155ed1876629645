package dev.oriel.domain.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RewriteSiteProperties {
  private static final OperationRewrite NOTHING = new OperationRewrite() {};

  @Provide
  Arbitrary<Form> forms() {
    return Arbitraries.integers()
        .between(0, 9_999)
        .list()
        .ofMinSize(30)
        .ofMaxSize(400)
        .map(FormTape::form);
  }

  @Property(tries = 300)
  void rewritingNothingChangesNothing(@ForAll("forms") Form form) {
    for (LaneFamily lane : form.lanes()) {
      assertThat(PartTraversal.everywhere(lane.body(), NOTHING)).isEqualTo(lane.body());
    }
  }

  @Property(tries = 300)
  void restoringTheOriginalChangesNothing(@ForAll("forms") Form form) {
    for (RewriteSite spot : RewriteSite.of(form)) {
      assertThat(spot.with(spot.block())).isEqualTo(form);
      assertThat(spot.replaced(List.of(spot.op()))).isEqualTo(form);
      assertThat(spot.moved(spot.at())).isEqualTo(form);
    }
  }

  @Property(tries = 100)
  void numbersCountThroughAllBlocksOfALane(@ForAll("forms") Form form) {
    int expected = 0;
    String lane = "";
    for (RewriteSite spot : RewriteSite.of(form)) {
      expected = spot.lane().name().equals(lane) ? expected + 1 : 1;
      lane = spot.lane().name();
      assertThat(spot.number()).isEqualTo(expected);
    }
  }

  /** A part that {@link PartTraversal} omits would produce no mutants without anybody noticing. */
  @Property(tries = 300)
  void everyNameOfAnOperationIsFoundInItsParts(@ForAll("forms") Form form) {
    for (RewriteSite spot : RewriteSite.of(form)) {
      Op op = spot.op();
      Op emptied =
          PartTraversal.rewrite(
              op,
              new OperationRewrite() {
                @Override
                public <T> T part(OperationPart<T> part, T value) {
                  return OperationPart.OPERANDS.contains(part)
                      ? part.type().cast(Expr.of(0))
                      : value;
                }
              });
      String declared = op instanceof Op.Each || op instanceof Op.For ? "[tq]\\d+" : "x\\d+ (=|<-)";
      assertThat(FormPrinter.head(emptied).replaceAll(declared, ""))
          .doesNotContainPattern("\\b([ivtqxdp]\\d+|epoch|r|n)\\b");
    }
  }
}
