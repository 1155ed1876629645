package dev.oriel.sim.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.sim.time.LinkText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How often the model chooses the program that was measured as the fastest. */
class MeasuredChoiceTest {
  private static final TimedCost COST = new TimedCost(LinkText.profile("h200"));
  private static final Pattern READING = Pattern.compile("([a-z0-9-]+) ([0-9.]+) \\(");
  private static final Pattern SIZE = Pattern.compile("(\\d+)( [KM]iB)?");
  private static final Map<String, Collective> ROWS =
      Map.of(
          "all-gather", Collective.ALLGATHER,
          "all-to-all", Collective.ALLTOALL,
          "all-reduce", Collective.ALLREDUCE,
          "reduce-scatter", Collective.REDUCESCATTER,
          "send and receive", Collective.SENDRECV);

  /** The measured programs; for others it is unknown whether they are faster. */
  private static final Set<String> TIMED =
      ShippedCandidates.lines("/tuning/bench-1x2.txt").stream()
          .flatMap(line -> READING.matcher(line).results())
          .map(reading -> reading.group(1))
          .collect(Collectors.toSet());

  /** All of these were measured on 2 GPUs, so the cost of a wrong choice is known. */
  @Test
  void onTwoGpusThirtyOfThirtyFiveChoicesAreTheFastestProgram() {
    List<String> missed = new ArrayList<>();
    double regret = 0;
    int cases = 0;
    for (String line : ShippedCandidates.lines("/tuning/bench-1x2.txt")) {
      String[] words = line.split(" +", -1);
      Map<String, Double> micros = new TreeMap<>();
      READING
          .matcher(line)
          .results()
          .forEach(r -> micros.put(r.group(1), Double.parseDouble(r.group(2))));
      String chosen =
          own("1x2", Collective.of(words[0]).orElseThrow(), Long.parseLong(words[1]))
              .choice()
              .program();
      double best = micros.values().stream().min(Double::compare).orElseThrow();
      double loss = Objects.requireNonNull(micros.get(chosen)) / best - 1;
      cases++;
      regret += loss;
      if (loss > 0) {
        missed.add("%s %s %s %.0f%%".formatted(words[0], words[1], chosen, 100 * loss));
      }
    }
    assertThat(cases).isEqualTo(35);
    assertThat(missed)
        .containsExactly(
            "alltoall 8 alltoall 6%",
            "alltoall 16384 alltoall 5%",
            "allreduce 67108864 pull-allreduce 7%",
            "sendrecv 8 ll-sendrecv 26%",
            "sendrecv 1024 ll-sendrecv 24%");
    assertThat(regret / cases).isCloseTo(0.019, within(0.001));
  }

  /**
   * On four GPUs, lines and pushes had fewer lanes at the time of measurement. Pulling
   * reduce-scatters and packets to the next rank did not exist or were not measured. This explains
   * all differences there but one, the all-reduce of 64 MiB.
   */
  @Test
  void mostChoicesAreTheFastestMeasuredProgram() {
    assumeTrue(Thorough.ON, Sampled.LEFT_OUT);
    List<String> missed = new ArrayList<>();
    int cases = 0;
    String[] head = {};
    for (String line : ShippedCandidates.lines("/tuning/readme.txt")) {
      String[] cells = line.split("\\|", -1);
      if (cells[1].contains("GPUs")) {
        head = cells;
        continue;
      }
      String world = "1x" + head[1].strip().charAt(0);
      Collective collective = Objects.requireNonNull(ROWS.get(cells[1].strip()));
      for (int column = 2; column < cells.length; column++) {
        if (!cells[column].isBlank()) {
          String[] cell = cells[column].strip().split(" ", -1);
          String best = cell.length == 1 ? collective.word() : cell[1] + "-" + collective.word();
          long bytes = bytes(head[column].strip());
          String chosen = own(world, collective, bytes).choice().program();
          cases++;
          if (!chosen.equals(best)) {
            missed.add(String.join(" ", world, head[column].strip(), chosen, "for", best));
          }
        }
      }
    }
    assertThat(cases).isEqualTo(64);
    assertThat(missed)
        .containsExactly(
            "1x4 16 KiB ll128-allgather for allgather",
            "1x4 1 MiB ll128-allgather for push-allgather",
            "1x4 64 MiB push-allgather for copy-allgather",
            "1x4 8 ll128-alltoall for alltoall",
            "1x4 1 KiB ll128-alltoall for alltoall",
            "1x4 1 MiB ll128-alltoall for push-alltoall",
            "1x4 64 MiB push-alltoall for copy-alltoall",
            "1x4 64 MiB pull-allreduce for ring-allreduce",
            "1x4 1 MiB pull-reducescatter for ll128-reducescatter",
            "1x4 8 MiB pull-reducescatter for push-reducescatter",
            "1x4 8 ll-sendrecv for push-sendrecv",
            "1x4 1 KiB ll-sendrecv for push-sendrecv",
            "1x2 1 KiB alltoall for ll128-alltoall",
            "1x2 16 KiB alltoall for ll128-alltoall",
            "1x2 8 ll-sendrecv for push-sendrecv",
            "1x2 1 KiB ll-sendrecv for push-sendrecv");
  }

  private static long bytes(String text) {
    MatchResult parts = SIZE.matcher(text).results().findFirst().orElseThrow();
    long count = Long.parseLong(parts.group(1));
    return parts.group(2) == null ? count : count << (parts.group(2).equals(" KiB") ? 10 : 20);
  }

  /** The measured programs have their own numbers of lanes. */
  private static CandidateRanking.Offer own(String world, Collective collective, long bytes) {
    Topology topology = Topology.parse(world);
    TuningKey key = TuningKey.of(collective, bytes, Optional.empty(), topology, COST.device());
    return new ProgramChooser(COST)
        .rank(
            key,
            topology,
            ShippedCandidates.candidates(collective).stream()
                .filter(candidate -> TIMED.contains(candidate.name()))
                .toList())
        .best(CandidateRanking.Origin.OWN)
        .orElseThrow();
  }
}
