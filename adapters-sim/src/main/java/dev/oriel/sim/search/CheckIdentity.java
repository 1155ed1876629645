package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.sim.levels.BuildName;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Names what a check explores, for verdicts, tokens, parts of a campaign and workers elsewhere. */
final class CheckIdentity {
  private final CheckOptions options;
  private final Program program;
  private final Topology topology;

  CheckIdentity(CheckOptions options, Program program, Topology topology) {
    this.options = options;
    this.program = program;
    this.topology = topology;
  }

  /**
   * The program, its steps and the assumptions in one line. It is the same in each part of a
   * campaign, whatever the part finds.
   */
  String line() {
    return "program=%s, lowered=%s, world=%s, %s"
        .formatted(
            program.digest(),
            SimulationFactory.lower(program, topology).digest(),
            world(),
            model(options));
  }

  String world() {
    return TokenReplay.shape(topology)
        .map(WorldShape::toString)
        .orElse(topology.world() + " ranks on " + topology.hosts().size() + " hosts");
  }

  /** The memory rules and the assumptions, whatever the program. */
  static String model(CheckOptions options) {
    ExecutionSettings settings = options.settings();
    Profile p = settings.profile();
    String after = settings.past() == 0 ? "" : ", after=" + Long.toUnsignedString(settings.past());
    return "profile=%s, visibility=%s, granule=8, timeouts=%s, races=%s, threads per lane modelled=%d, loops=to their end, faults=%s"
            .formatted(
                p.name(),
                p.visibility().name().toLowerCase(Locale.ROOT),
                settings.timeouts().spelling(),
                settings.detectors().finds(Finding.Kind.RACE) ? "found" : "allowed",
                p.ordered() ? 1 : 2,
                options.faults())
        + after
        + (settings.detectors().equals(ProfileSpelling.WAITS_END)
            ? ", missed values=every wait ends"
            : "");
  }

  /** The token of a recorded execution; empty if no text names the world or the memory rules. */
  Optional<ReplayToken> token(Strategy by, TokenReplay.ReplayableRecord replay) {
    return replay.script().flatMap(script -> token(by, options.seed(), script));
  }

  private Optional<ReplayToken> token(Strategy by, long seed, ChoiceScript script) {
    ExecutionSettings settings = options.settings();
    Optional<WorldShape> shape = TokenReplay.shape(topology);
    Optional<String> profile = ProfileSpelling.name(settings);
    if (shape.isEmpty() || profile.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ReplayToken(
            profile.get(),
            program.digest(),
            shape.get(),
            program.params(),
            settings.launches(),
            settings.timeouts(),
            options.faults(),
            by.spelling(),
            seed,
            script));
  }

  /** The search that remote workers receive; empty if a text cannot describe it completely. */
  Optional<SearchJob> job(LoweredForm lowered) {
    ExecutionSettings settings = options.settings();
    Optional<ReplayToken> token = token(Strategy.FULL, 0, ChoiceScript.DEFAULT);
    if (token.isEmpty()
        || !SimulationFactory.lower(program, topology).digest().equals(lowered.digest())
        || !ProfileSpelling.of(token.get().of(program.form()))
            .equals(settings.with(FaultPlan.NONE))) {
      return Optional.empty();
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("program", program.form().name() + " " + program.digest());
    facts.put("world", world());
    facts.put("values", program.params().toString());
    facts.put("launches", Integer.toString(settings.launches()));
    facts.put("profile", settings.profile().name());
    facts.put("races", settings.detectors().finds(Finding.Kind.RACE) ? "found" : "allowed");
    facts.put("after", Long.toUnsignedString(settings.past()));
    return Optional.of(
        new SearchJob(
            FormPrinter.print(program.form()),
            token.get().toString(),
            lowered.digest(),
            BuildName.get(),
            facts,
            Map.of()));
  }
}
