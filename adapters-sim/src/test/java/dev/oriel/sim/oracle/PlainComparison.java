package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.Map;
import java.util.Optional;

/** One program under the plain search and under both levels of the machine's search. */
@SuppressWarnings("OperatorPrecedence")
record PlainComparison(
    PlainCode code, PlainSearch plain, Endings full, Endings synchronised, long maxSteps) {

  static PlainComparison of(String text, String shape, Profile profile, long maxSteps) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    PlainCode code = new PlainCode(program, topology, lowered, profile);
    PlainSearch plain = new PlainSearch(code, false, maxSteps);
    ExecutionSettings settings =
        new ExecutionSettings(profile, 1, DetectorSet.ALL, TimeoutPolicy.NEVER);
    Simulation simulation = new Simulation(program, topology, lowered, settings);
    return new PlainComparison(
        code,
        plain,
        Endings.systematic(simulation, true, s -> outcome(s, code)),
        Endings.systematic(simulation, false, s -> outcome(s, code)),
        maxSteps);
  }

  /** Registers and memory, in the format of {@link PlainCode#outcome}. */
  static String outcome(Simulation s, PlainCode code) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < code.lanes; l++) {
      for (int r = 0; r < code.registers(l); r++) {
        text.append(s.register(l, r)).append(' ');
      }
    }
    int buffers = s.code().form().buffers().size();
    for (int place = 0; !code.callers && place < s.code().world() * buffers * 4; place++) {
      long word = 0;
      for (int i = 0; i < 8; i++) {
        word |=
            (s.octet(place / 4 / buffers, place / 4 % buffers, place % 4 * 8 + i) & 0xFF) << 8 * i;
      }
      text.append(word).append(place % 4 == 3 ? "; " : " ");
    }
    return text.toString();
  }

  /**
   * The disagreement, if any.
   *
   * <ul>
   *   <li>An overwritten await is reported where it runs before both messages, or where the second
   *       is written or taken. The first report ends the execution. So both searches report it or
   *       neither does, and other findings are not compared.
   *   <li>The plain search tries newer messages too, which order more. If there is a finding, it
   *       may reach outcomes and further findings that the machine does not. If it takes the oldest
   *       message as the machine does, both find the same.
   *   <li>At the level of synchronisation an execution ends at its first finding, and executions
   *       that differ only in the order of plain accesses are not run. So it finds something if and
   *       only if the full search does, and nothing that the full search does not find.
   * </ul>
   */
  Optional<String> disagreement() {
    if (full.cut || synchronised.cut) {
      return Optional.of("the machine was cut short");
    }
    boolean overwrites = plain.found.contains(Kind.OVERWRITE);
    if (overwrites || full.found.contains(Kind.OVERWRITE)) {
      return overwrites && full.found.contains(Kind.OVERWRITE) && !synchronised.found.isEmpty()
          ? Optional.empty()
          : said("an await that may be missed");
    }
    if (!full.found.equals(plain.found)
        && (plain.found.isEmpty()
            || !full.found.equals(new PlainSearch(code, true, maxSteps).found))) {
      return said("findings");
    }
    boolean clean = plain.found.isEmpty();
    if (synchronised.found.isEmpty() != clean || !full.found.containsAll(synchronised.found)) {
      return said("findings of synchronisation");
    }
    if (clean
        ? !full.outcomes.equals(plain.outcomes)
        : !plain.outcomes.containsAll(full.outcomes)) {
      return said("outcomes of full");
    }
    if (clean
        ? !synchronised.outcomes.equals(plain.outcomes)
        : !plain.outcomes.containsAll(synchronised.outcomes)) {
      return said("outcomes of synchronisation");
    }
    return Optional.empty();
  }

  private Optional<String> said(String what) {
    return Optional.of(
        "%s differ:%n plain %s %s%n full %s %s%n synchronisation %s %s"
            .formatted(
                what,
                plain.found,
                plain.outcomes,
                full.found,
                full.outcomes,
                synchronised.found,
                synchronised.outcomes));
  }
}
