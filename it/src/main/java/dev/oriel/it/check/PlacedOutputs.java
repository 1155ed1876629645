package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.search.CheckReport;
import java.util.List;
import java.util.Map;

/** The bytes before a requested offset are no outputs: the option adds them to the buffer. */
final class PlacedOutputs {
  private PlacedOutputs() {}

  /** The coverage without the bytes before those offsets, by buffer. */
  static CheckCoverage of(CheckCoverage coverage, Map<String, Long> offsets) {
    if (offsets.isEmpty()) {
      return coverage;
    }
    return new CheckCoverage(
        coverage.checked().stream()
            .map(one ->
                new CheckCoverage.CheckedCombination(
                    one.combination(), report(one.report(), offsets), one.decided()))
            .toList(),
        coverage.refused(),
        coverage.left(),
        coverage.unsearched(),
        coverage.sampled());
  }

  private static CheckReport report(CheckReport report, Map<String, Long> offsets) {
    Verdict v = report.verdict();
    Verdict placed =
        new Verdict(
            v.program(),
            v.lowered(),
            v.model(),
            v.strategy(),
            v.launches(),
            v.executions(),
            v.states(),
            v.bounds(),
            outputs(v.outputs(), offsets),
            v.violation());
    return new CheckReport(
        placed, report.parts(), report.found(), report.anyLaunches(), report.drawsLeft());
  }

  private static OutputCoverage outputs(OutputCoverage of, Map<String, Long> offsets) {
    List<OutputCoverage.Part> silent =
        of.silent().stream()
            .map(part -> after(part, offsets.getOrDefault(part.buffer(), 0L)))
            .filter(part -> !part.ranges().isEmpty())
            .toList();
    long added = of.unpromised() - silent.stream().mapToLong(OutputCoverage.Part::bytes).sum();
    return new OutputCoverage(
        of.ensures(), of.bytes() - added, of.promised(), of.conditional(), silent, of.elsewhere());
  }

  private static OutputCoverage.Part after(OutputCoverage.Part part, long offset) {
    return new OutputCoverage.Part(
        part.buffer(),
        part.ranks(),
        part.ranges().stream()
            .filter(range -> range.last() >= offset)
            .map(range -> new OutputCoverage.Range(Math.max(range.first(), offset), range.last()))
            .toList());
  }
}
