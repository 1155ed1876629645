package dev.oriel.sim.museum;

import dev.oriel.ports.Verdict;
import dev.oriel.sim.search.CheckReport;
import java.util.List;
import java.util.Optional;

/**
 * The result of one program of an exhibit.
 *
 * @param kind the detector that found something; empty if nothing was found
 * @param report the work that led to it; empty if the program was refused
 */
public record ProgramResult(String kind, String message, Optional<CheckReport> report) {

  static ProgramResult refused(String message) {
    return new ProgramResult(ExpectedAlarm.REFUSED, message, Optional.empty());
  }

  static ProgramResult of(CheckReport report) {
    Optional<Verdict.Violation> found = report.verdict().violation();
    return new ProgramResult(
        found.map(Verdict.Violation::kind).orElse(""),
        found.map(Verdict.Violation::message).orElse(""),
        Optional.of(report));
  }

  /** Whether nothing was found. */
  public boolean passed() {
    return kind.isEmpty();
  }

  /** The number of executions; 0 if the program was refused. */
  public long executions() {
    return report.map(r -> r.verdict().executions()).orElse(0L);
  }

  /** Executions that the profile allows and the search did not cover. */
  public List<String> bounds() {
    return report.map(r -> r.verdict().bounds()).orElse(List.of());
  }
}
