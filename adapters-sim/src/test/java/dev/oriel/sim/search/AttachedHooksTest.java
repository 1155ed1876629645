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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Hooks on programs of the library, and what is found where one move has lost its hook. */
class AttachedHooksTest {
  private static final HookForm MARK =
      FormParser.hook("hook mark(in0: i32) -> i32 = in0 + i32(i) * 3:i32 + i32(rank)");

  private static final HookForm PLAIN =
      FormParser.hook("hook plain(in0: i32) -> i32 = in0 + 7:i32");

  /** All that take a hook on their input. The page on hooks has the same list. */
  static final List<String> ON_INPUT =
      List.of(
          "ll_all_gather",
          "ll_all_to_all",
          "push_all_gather",
          "push_all_to_all",
          "split_all_to_all",
          "ring_send_recv",
          "push_send_recv",
          "ll_send_recv",
          "ring_all_gather",
          "log_all_gather",
          "bruck_all_gather",
          "doubling_all_gather",
          "streamed_all_gather",
          "rail_all_gather",
          "ll128_all_gather",
          "ll128_all_to_all",
          "direct_broadcast",
          "binomial_broadcast",
          "direct_gather",
          "direct_scatter",
          "chain_forward",
          "moe_dispatch");

  /** All that take a hook on their output. */
  static final List<String> ON_OUTPUT =
      List.of(
          "ll_all_gather",
          "ll_all_to_all",
          "push_all_gather",
          "push_all_to_all",
          "split_all_to_all",
          "ring_send_recv",
          "push_send_recv",
          "ll_send_recv",
          "bruck_all_gather",
          "ll128_all_gather",
          "ll128_all_to_all",
          "direct_broadcast",
          "direct_gather",
          "direct_scatter");

  private static Form form(String name, boolean input, HookForm hook) {
    Form form = ShippedPrograms.form(name);
    return input
        ? AttachedHook.onInput(form, "in", hook)
        : AttachedHook.onOutput(form, "out", hook);
  }

  private static boolean takes(String name, boolean input) {
    try {
      form(name, input, PLAIN);
      return true;
    } catch (ProgramException refused) {
      return false;
    }
  }

  @Test
  void theListsAreComplete() {
    List<String> counted = List.of("all_to_all_v");
    assertThat(ShippedPrograms.all().stream().filter(name -> takes(name, true)))
        .filteredOn(name -> !counted.contains(name))
        .containsExactlyInAnyOrderElementsOf(ON_INPUT);
    assertThat(ShippedPrograms.all().stream().filter(name -> takes(name, false)))
        .filteredOn(name -> !counted.contains(name))
        .containsExactlyInAnyOrderElementsOf(ON_OUTPUT);
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
  @FieldSource("ON_INPUT")
  void aHookOnTheInputIsAppliedOnce(String name) {
    appliedOnce(form(name, true, MARK));
  }

  @ParameterizedTest
  @FieldSource("ON_OUTPUT")
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
