package dev.oriel.sim.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.tuning.LinkCalibration.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinkCalibrationTest {
  private static final Topology TWO = Topology.parse("1x2");
  private static final LinkModel START = LinkText.profile("h200");

  /** A machine that differs from the start in what the programs below depend on. */
  private static LinkModel machine() {
    Map<String, Double> costs = LinkText.costs(START);
    costs.put("nvlink latency", 800.0);
    costs.put("block fence", 700.0);
    costs.put("block thread", 0.2);
    costs.put("block most", 60.0);
    costs.put("block step", 12.0);
    costs.put("engine start", 15_000.0);
    return LinkText.model("machine", costs);
  }

  private static List<Reading> readings(LinkModel machine, long... sizes) {
    List<Reading> readings = new ArrayList<>();
    for (Collective collective : List.of(Collective.ALLGATHER, Collective.REDUCESCATTER)) {
      for (CandidateProgram candidate : ShippedCandidates.candidates(collective)) {
        for (long bytes : sizes) {
          if (bytes <= candidate.form().params().getFirst().max()) {
            Reading unknown =
                new Reading(candidate.bind(key(collective, bytes), TWO, Optional.empty()), TWO, 1);
            readings.add(new Reading(unknown.program(), TWO, unknown.ratio(machine)));
          }
        }
      }
    }
    return readings;
  }

  private static TuningKey key(Collective collective, long bytes) {
    Optional<TuningKey.Element> element =
        collective.reduces()
            ? Optional.of(new TuningKey.Element(ReduceOp.SUM, DataType.FP32))
            : Optional.empty();
    return TuningKey.of(collective, bytes, element, TWO, "test");
  }

  private static double median(List<Reading> readings, LinkModel model) {
    List<Double> errors =
        readings.stream().map(reading -> Math.abs(reading.ratio(model) - 1)).sorted().toList();
    return errors.get(errors.size() / 2);
  }

  /** The times come from a model, so a good fit predicts other sizes, too. */
  @Test
  void aMachineOfTheModelIsFound() {
    LinkModel machine = machine();
    List<Reading> held = readings(machine, 1024);
    assertThat(median(held, START)).isGreaterThan(0.15);
    LinkModel fitted = new LinkCalibration(START, readings(machine, 8, 16_384)).fitted("f");
    assertThat(median(held, fitted)).isLessThan(0.02);
    assertThat(fitted.rdma()).isEqualTo(START.rdma());
    assertThat(fitted.nic()).isEqualTo(START.nic());
    assertThat(LinkText.parse(LinkText.print(fitted, List.of("a comment")))).isEqualTo(fitted);
  }

  @Test
  void equalReadingsGiveEqualCosts() {
    List<Reading> readings = readings(machine(), 8);
    assertThat(new LinkCalibration(START, readings).fitted("f"))
        .isEqualTo(new LinkCalibration(START, readings).fitted("f"));
  }

  /** Nothing tells how fast a copy engine is, so its costs stay. */
  @Test
  void aCostWithoutAReadingStays() {
    CandidateProgram packets =
        ShippedCandidates.candidates(Collective.ALLGATHER).stream()
            .filter(candidate -> candidate.name().equals("allgather"))
            .findFirst()
            .orElseThrow();
    Reading one =
        new Reading(packets.bind(key(Collective.ALLGATHER, 8), TWO, Optional.empty()), TWO, 3000);
    LinkModel fitted = new LinkCalibration(START, List.of(one)).fitted("f");
    assertThat(one.ratio(fitted)).isBetween(0.98, 1.02);
    assertThat(fitted.engine()).isEqualTo(START.engine());
  }

  @Test
  void nothingToFitToIsRefused() {
    assertThatThrownBy(() -> new LinkCalibration(START, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no reading to fit costs to");
  }
}
