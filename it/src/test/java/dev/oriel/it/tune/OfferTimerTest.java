package dev.oriel.it.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.CandidateRanking.Offer;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import dev.oriel.domain.tuning.CandidateRanking.Refusal;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.tune.OfferTimer.Timer;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OfferTimerTest {
  private static final Topology TWO = Topology.parse("1x2");
  private static final TuningKey KEY =
      TuningKey.of(Collective.SENDRECV, 1024, Optional.empty(), TWO, "test");

  /** By the number of their lanes. */
  private static final List<CandidateProgram> CANDIDATES =
      List.of(
          new CandidateProgram("one", form(1)),
          new CandidateProgram("three", form(3)),
          new CandidateProgram("two", form(2)));

  private final List<String> timed = new ArrayList<>();

  private static Form form(int lanes) {
    return FormParser.parse(
        """
        form moves
        param B <= 4096
        input in[B]
        output out[B]
        lane main(i < LANES): sm(32) {
          if i < 1 { move out[0] <- in[0] bytes B }
        }
        """
            .replace("LANES", Integer.toString(lanes)));
  }

  /** A program's predicted time by its lanes. */
  private static CandidateRanking predicted(double one, double two, double three) {
    double[] nanos = {0, one, two, three};
    return new ProgramChooser((program, topology) -> nanos[program.rank(0).lanes().size()])
        .rank(KEY, TWO, CANDIDATES);
  }

  private CandidateRanking measured(CandidateRanking predicted, Timer timer) {
    SortedMap<TuningKey, CandidateRanking> all =
        new TreeMap<>((a, b) -> Long.compare(a.bytes(), b.bytes()));
    all.put(KEY, predicted);
    return Objects.requireNonNull(new OfferTimer(timer, CANDIDATES).fastest(all, TWO).get(KEY));
  }

  private double nanos(String name, Program program, TuningKey key) {
    assertThat(key).isEqualTo(KEY);
    timed.add(name);
    return 100 - program.rank(0).lanes().size();
  }

  @Test
  void theMeasuredTimeDecides() {
    CandidateRanking ranking = measured(predicted(10, 20, 30), this::nanos);
    assertThat(ranking.best().choice().program()).isEqualTo("three");
    assertThat(ranking.offers()).extracting(Offer::nanos).containsExactly(99.0, 97.0, 98.0);
    assertThat(timed).containsExactly("one", "three", "two");
  }

  @Test
  void aMuchSlowerPredictionIsNotMeasured() {
    CandidateRanking ranking = measured(predicted(10, 40, 41), this::nanos);
    assertThat(timed).containsExactly("one", "two");
    assertThat(ranking.refusals())
        .extracting(Refusal::reason)
        .containsExactly("not measured: predicted to take more than 4 times the fastest");
  }

  @Test
  void oneTextIsMeasuredOnce() {
    CandidateRanking own = predicted(10, 20, 30);
    List<Offer> twice = new ArrayList<>(own.offers());
    own.offers().forEach(o -> twice.add(new Offer(o.choice(), Origin.TABLE, o.nanos())));
    CandidateRanking ranking = measured(new CandidateRanking(twice, List.of()), this::nanos);
    assertThat(ranking.offers()).hasSize(3);
    assertThat(timed).hasSize(3);
  }

  /** A ranking without an offer has no best one. */
  @Test
  void nothingThatCanBeMeasuredIsRefused() {
    OfferTimer timer = new OfferTimer(this::nanos, CANDIDATES);
    assertThatThrownBy(
            () -> timer.measured(KEY, TWO, predicted(1, 2, 3), offer -> false, "too much"))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("nothing to measure: tuning-1 sendrecv bytes=1024")
        .hasMessageContaining("too much");
  }

  /** All processes measure the same, so a key is the same wherever it was measured. */
  @Test
  void theKeyOfAMeasuredChoiceNamesTheGpu() {
    assertThat(KEY.measuredOn("NVIDIA H100 80GB HBM3").text())
        .endsWith(" device=measured:NVIDIA-H100-80GB-HBM3");
    assertThat(KEY.measuredOn("x".repeat(100)).device()).hasSize(TuningKey.MAX_DEVICE);
  }
}
