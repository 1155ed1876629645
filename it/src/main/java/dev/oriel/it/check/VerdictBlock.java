package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.words.Facts;
import dev.oriel.it.words.WorldWords;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.search.Report;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The verdict in at most {@link #LINES} lines: what was explored, what was not looked at, what came
 * of it, and what to try next. A bound that was hit is always said here, in words.
 */
final class VerdictBlock {
  static final int LINES = 10;

  private static final Map<Finding.Kind, String> SOUGHT =
      new EnumMap<>(
          Map.of(
              Finding.Kind.RACE, "races",
              Finding.Kind.DEADLOCK, "deadlocks",
              Finding.Kind.BOUNDS, "accesses out of bounds",
              Finding.Kind.CHECK, "failed checks"));

  private final Program program;
  private final Topology topology;
  private final String world;
  private final Simulation.Terms terms;
  private final Report report;
  private final Strictness strict;

  VerdictBlock(
      Program program,
      Topology topology,
      String world,
      Simulation.Terms terms,
      Report report,
      Strictness strict) {
    this.program = program;
    this.topology = topology;
    this.world = world;
    this.terms = terms;
    this.report = report;
    this.strict = strict;
  }

  /** What was not looked at gets the lines that nothing else takes. */
  Facts facts(List<String> unexplored, String next) {
    Verdict verdict = report.verdict();
    List<String> hit = BoundWords.of(verdict.bounds());
    Facts first =
        new Facts()
            .add("program", ParamWords.program(program))
            .add("world", WorldWords.world(world, topology) + network());
    Facts last =
        new Facts()
            .add(
                "not promised",
                WorldWords.notPromised(verdict.outputs(), program.world()),
                verdict.outputs().nothing() ? 1 : 2)
            .add("verdict", result(), 2)
            .add("next", next);
    // One line each for bounds and for what was not looked at is left in any case.
    int room = LINES - first.size() - last.size() - (hit.isEmpty() ? 1 : 2);
    first.addAll(new Facts().add("explored", explored(), Math.min(3, room)));
    int left = LINES - first.size() - last.size();
    Facts bounds = new Facts().add("bounded", hit, left > 2 ? 2 : 1);
    return first
        .addAll(bounds)
        .addAll(new Facts().add("not looked at", unexplored, Math.max(1, left - bounds.size())))
        .addAll(last);
  }

  /** What was explored and what was assumed, in full. */
  List<String> explored() {
    return new Explored(program, report, terms).words();
  }

  private String network() {
    return topology.kinds().contains(PeerKind.RDMA) ? "" : ", no network";
  }

  private List<String> result() {
    Verdict verdict = report.verdict();
    if (verdict.violation().isPresent()) {
      return List.of("VIOLATION (%s)".formatted(verdict.violation().get().kind()));
    }
    String within = verdict.bounds().isEmpty() ? "" : " within the bounds above";
    if (strict.broken(verdict.outputs())) {
      return List.of(
          "VIOLATION (%s): no ensure speaks of the bytes above; nothing else found"
                  .formatted(Strictness.KIND)
              + within);
    }
    if (verdict.outputs().nothing()) {
      return List.of(
          "nothing promised: "
              + silence(verdict.outputs())
              + ". Looked only for "
              + looked()
              + "; none found"
              + within);
    }
    return List.of("nothing found" + within);
  }

  private static String silence(OutputCoverage outputs) {
    return outputs.ensures() == 0
        ? "no ensure says what must come out"
        : "no ensure speaks of an output byte";
  }

  /** What is wrong whatever a program promises, as far as it is looked for. */
  private String looked() {
    List<String> kinds = new ArrayList<>();
    SOUGHT.forEach((kind, words) -> {
      // Where there is one order of all accesses, no two of them can race.
      if (terms.detectors().finds(kind)
          && !(kind == Finding.Kind.RACE && terms.profile().ordered())) {
        kinds.add(words);
      }
    });
    return String.join(", ", kinds);
  }
}
