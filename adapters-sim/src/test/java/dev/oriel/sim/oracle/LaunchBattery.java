package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Whether one program is covered for any number of launches. The first line of its argument is the
 * world, and may name a profile other than L2; the others are the program's text. The answer is
 * {@code closed}, {@code open}, or the kind of the violation and its launch. Loaded together with a
 * changed engine, so its interface consists of strings.
 */
@SuppressWarnings("StringSplitter")
public final class LaunchBattery implements UnaryOperator<String> {
  static final Budget BUDGET = new Budget(1, 20_000, 100_000, 100_000_000);

  @Override
  public String apply(String program) {
    int line = program.indexOf('\n');
    List<String> head = List.of(program.substring(0, line).split(" "));
    Topology topology = Topology.parse(head.getFirst());
    Profile profile = head.size() == 1 ? Profile.L2 : Profile.parse(head.getLast());
    Program bound =
        Program.bind(FormParser.parse(program.substring(line + 1)), topology.world(), Map.of());
    AnyLaunches any =
        AnyLaunches.of(
            bound,
            topology,
            FormLowering.lower(bound.form(), topology.kinds()),
            Checker.strict(profile, 1),
            BUDGET);
    return any.found()
        .map(found -> found.kind() + " " + any.launch())
        .orElse(any.closed() ? "closed" : "open");
  }
}
