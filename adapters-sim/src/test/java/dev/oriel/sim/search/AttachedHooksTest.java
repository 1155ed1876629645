package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.AttachedHook;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hooks on all programs of the library that take one, and what is found where one move has lost its
 * hook.
 */
class AttachedHooksTest {
  private static final HookForm MARK =
      FormParser.hook("hook mark(in0: i32) -> i32 = in0 + i32(i) * 3:i32 + i32(rank)");

  private static final HookForm PLAIN =
      FormParser.hook("hook plain(in0: i32) -> i32 = in0 + 7:i32");

  private static Form form(String name, boolean input, HookForm hook) {
    Form form = ShippedPrograms.form(name);
    return input
        ? AttachedHook.onInput(form, "in", hook)
        : AttachedHook.onOutput(form, "out", hook);
  }

  private static boolean takes(String name, boolean input) {
    try {
      Form form = form(name, input, PLAIN);
      Program.bind(form, 2, ShippedPrograms.params(form, 96, 0));
      return true;
    } catch (ProgramException refused) {
      return false;
    }
  }

  static List<String> onInput() {
    return ShippedPrograms.all().stream().filter(name -> takes(name, true)).toList();
  }

  static List<String> onOutput() {
    return ShippedPrograms.all().stream().filter(name -> takes(name, false)).toList();
  }

  private static Optional<String> found(Form form, String world) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 96, 0));
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2))
        .check(program, topology)
        .violation()
        .map(violation -> violation.kind());
  }

  @ParameterizedTest
  @MethodSource("onInput")
  void aHookOnTheInputIsAppliedOnce(String name) {
    appliedOnce(form(name, true, MARK));
  }

  @ParameterizedTest
  @MethodSource("onOutput")
  void aHookOnTheOutputIsAppliedOnce(String name) {
    // One store to several outputs has no single owner.
    appliedOnce(form(name, false, name.equals("direct_broadcast") ? PLAIN : MARK));
  }

  /** Without its hook each move leaves wrong values in some world. */
  private static void appliedOnce(Form form) {
    List<String> worlds = List.of("1x2", "1x3", "1x4");
    assertThat(worlds).allSatisfy(world -> assertThat(found(form, world)).isEmpty());
    int moves = 0;
    for (RewriteSite site : RewriteSite.of(form)) {
      if (site.op() instanceof Op.Move move && move.combine() instanceof Combine.Apply) {
        Form without =
            site.replaced(
                List.of(
                    new Op.Move(
                        move.ticket(),
                        move.destinations(),
                        Combine.COPY,
                        move.sources().subList(0, 1),
                        move.bytes())));
        assertThat(worlds)
            .as("%s", move)
            .anySatisfy(world -> assertThat(found(without, world)).contains("value"));
        moves++;
      }
    }
    assertThat(moves).isPositive();
  }
}
