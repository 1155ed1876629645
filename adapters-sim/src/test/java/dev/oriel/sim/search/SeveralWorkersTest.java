package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verdicts of several threads, and of levels in several parts, are those of one core. */
class SeveralWorkersTest {
  private static final Budget BUDGET = new Budget(1, 3_000, 100_000, 2_000_000);

  /** Why one core searches a program whose states have no parts. */
  private static final String WHOLE = "since its states are kept as a whole";

  private static Checker checker() {
    return new Checker(Strategy.FULL, BUDGET, 1, Checker.strict(Profile.L2, 1));
  }

  /** The program; with small tiles where large ones would leave room for a few states only. */
  private static Form form(String name) {
    return switch (name) {
      case "ring_send_recv" -> ShippedPrograms.edited(name, "let S = 16384", "let S = 16");
      case "ll_send_recv" -> ShippedPrograms.edited(name, "let S = 512", "let S = 16");
      default -> ShippedPrograms.form(name);
    };
  }

  /** The report of one core, once the others are compared with it. */
  private static CheckReport same(Form form, String world, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), params);
    CheckReport one = checker().explore(program, topology);
    boolean whole = false;
    for (int count = 2; count <= 3 && !whole; count++) {
      StartedThreads threads = new StartedThreads();
      CheckReport several =
          checker().on(new SearchThreads(count, threads)).explore(program, topology);
      threads.ended();
      whole = several.parts().toString().contains(WHOLE);
      assertThat(shown(several))
          .as("%s on %s, threads=%d", form.name(), world, count)
          .isEqualTo(shown(one));
    }
    CheckReport levels =
        checker().on(LocalLevels.cluster(3, Optional.empty(), 1)).explore(program, topology);
    assertThat(levels.parts().toString().contains(WHOLE)).isEqualTo(whole);
    if (cut(one) && one.found().isEmpty()) {
      // How far a search comes before a limit depends on its order; that there is one, does not.
      assertThat(cut(levels)).as("%s on %s, levels", form.name(), world).isTrue();
    } else {
      assertThat(shown(levels)).as("%s on %s, levels", form.name(), world).isEqualTo(shown(one));
    }
    return one;
  }

  /** All that a user sees of a report, except why one core searched. */
  private static String shown(CheckReport report) {
    return "%s%n%s%n%s%n%s"
        .formatted(
            report.verdict().violation(),
            report.verdict().bounds(),
            report.parts().toString().replaceAll("; on one [a-z]+, " + WHOLE + "[a-z, ]*", ""),
            report.found().map(f -> f.token().map(Object::toString).orElse("none")));
  }

  private static boolean cut(CheckReport report) {
    return report.verdict().bounds().stream().anyMatch(b -> b.startsWith("full: "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void programsOfTheLibraryHaveOneVerdict(String world) {
    int complete = 0;
    List<String> names = new ArrayList<>(ShippedPrograms.NAMES);
    names.addAll(ShippedPrograms.REDUCING);
    names.addAll(ShippedPrograms.MAPPED);
    names.addAll(ShippedPrograms.ENGINES);
    for (String name : names) {
      if (Thorough.takes(4, world, name)) {
        Form form = form(name);
        try {
          CheckReport one = same(form, world, ShippedPrograms.params(form, 16, 0));
          complete += one.verdict().bounds().isEmpty() ? 1 : 0;
        } catch (ProgramException | MachineException e) {
          // It is not for that world.
        }
      }
    }
    assertThat(complete).isGreaterThan(1);
  }

  @Test
  void brokenProgramsHaveOneTokenThatReplays() {
    int found = 0;
    for (String name :
        List.of("ring_all_gather", "ll_all_gather", "push_all_to_all", "signal_barrier")) {
      found += broken(name);
    }
    assertThat(found).isGreaterThan(3);
  }

  /** How many broken forms of the program fail. */
  private static int broken(String name) {
    Form form = ShippedPrograms.form(name);
    int found = 0;
    for (Mutants.Mutant mutant : Mutants.of(form)) {
      if (Thorough.takes(6, name, mutant.change())) {
        try {
          CheckReport one = same(mutant.form(), "1x2", ShippedPrograms.params(form, 16, 0));
          found += one.found().isPresent() ? 1 : 0;
          one.found()
              .flatMap(CheckReport.Found::token)
              .ifPresent(token ->
                  assertThat(TokenReplay.play(token, mutant.form()).finding()).isPresent());
        } catch (ProgramException | MachineException e) {
          // The change is refused.
        }
      }
    }
    return found;
  }
}
