package dev.oriel.sim.testing;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Arbitraries of small programs that are correct in every world: one lane with a few phases, each
 * with memory and signals of its own. They have one parameter, {@code B}, of at most 4096 bytes.
 */
public final class ProgramArbitraries {

  /** One phase; {@code #} is replaced by its number and {@code $} by the distance of its peer. */
  private record Phase(String declarations, String operations) {}

  private static final Phase HANDSHAKE =
      new Phase(
          """
          scratch from#[B]
          scratch to#[B]
          signal READY#[1]
          signal DATA#[1]
          """,
          """
          signal READY#[0]@((r - $) % n) set epoch release
          await READY#[0]@((r + $) % n) reached epoch acquire
          move to#@((r + $) % n)[0] <- from#[0] bytes B
          signal DATA#[0]@((r + $) % n) set epoch release
          await DATA#[0]@((r - $) % n) reached epoch acquire
          flush @((r + $) % n) local
          """);

  private static final Phase PUT =
      new Phase(
          """
          scratch source#[B]
          scratch box#[B]
          barrier IN#
          barrier OUT#
          """,
          """
          put box#@((r + $) % n)[0] <- source#[0] bytes B
          barrier IN#
          barrier OUT#
          """);

  private static final Phase NOTICE =
      new Phase(
          "signal SEEN#[1]\n",
          """
          signal SEEN#[0]@peers set epoch release
          await SEEN#[0]@peers reached epoch acquire
          """);

  private static final Phase COUNT =
      new Phase(
          """
          scratch count#[8]
          barrier ADDED#
          """,
          """
          atomic count#@((r + $) % n)[0] add 1
          barrier ADDED#
          """);

  private static final Arbitrary<Phase> PHASES = Arbitraries.of(NOTICE, HANDSHAKE, PUT, COUNT);

  private ProgramArbitraries() {}

  /** Programs of 1 to {@code most} phases. */
  public static Arbitrary<Form> small(int most) {
    return Combinators.combine(PHASES, Arbitraries.integers().between(1, 3))
        .as((phase, reach) -> List.of(put(phase.declarations, reach), put(phase.operations, reach)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(most)
        .map(ProgramArbitraries::form);
  }

  private static String put(String text, int reach) {
    return text.replace("$", Integer.toString(reach));
  }

  private static Form form(List<List<String>> phases) {
    StringBuilder text = new StringBuilder("form drawn\nparam B <= 4096\n");
    StringBuilder lane = new StringBuilder("lane main: sm(32) {\n");
    for (int i = 0; i < phases.size(); i++) {
      text.append(phases.get(i).get(0).replace("#", Integer.toString(i)));
      lane.append(phases.get(i).get(1).replace("#", Integer.toString(i)));
    }
    return FormParser.parse(text.append(lane).append("}\n").toString());
  }
}
