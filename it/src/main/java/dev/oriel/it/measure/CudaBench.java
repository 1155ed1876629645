package dev.oriel.it.measure;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.it.run.GraphTiming;
import dev.oriel.it.run.LaunchExercise;
import dev.oriel.it.run.ReplayCoordination;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Times every program of every row on the GPUs of this process, and checks the results. Each
 * process of a world does the same in the same order.
 */
final class CudaBench {
  private final CommandSpec spec;
  private final Topology topology;
  private final List<Row> rows;
  private final int calls;
  private final int replays;

  /** One line of the table. */
  record Row(BenchSubject subject, long bytes) {}

  /**
   * The measurements of one program.
   *
   * @param micros one time of each replay
   * @param preparations by replays that should prepare nothing
   */
  record Reading(Row row, String program, List<Double> micros, long preparations) {}

  /** Receives each reading as soon as it is measured. */
  @FunctionalInterface
  interface Readings {
    void add(Reading reading);
  }

  CudaBench(CommandSpec spec, Topology topology, List<Row> rows, int calls, int replays) {
    this.spec = spec;
    this.topology = topology;
    this.rows = List.copyOf(rows);
    this.calls = calls;
    this.replays = replays;
  }

  /**
   * One round of all programs that take that many bytes and can be checked.
   *
   * @throws GpuTimer.WrongOutput if an output is wrong, on every process
   */
  void measure(CudaExecutor executor, ReplayCoordination pace, Readings readings) {
    GpuTimer timer = new GpuTimer(executor, topology, pace, calls, replays);
    for (Row row : rows) {
      for (BenchSubject.Candidate candidate : row.subject().candidates(spec)) {
        Form form = candidate.form();
        if (form.params().isEmpty() || row.bytes() <= form.params().getFirst().max()) {
          Program program = bound(row, candidate);
          if (LaunchExercise.tooLarge(program).isEmpty()) {
            readings.add(measured(timer, row, candidate, program));
          }
        }
      }
    }
  }

  private Program bound(Row row, BenchSubject.Candidate candidate) {
    Map<String, Long> values = new TreeMap<>();
    candidate
        .form()
        .params()
        .forEach(p -> values.put(p.name(), WorldParams.value(p, topology).orElse(row.bytes())));
    return Program.bind(candidate.form(), topology.world(), values);
  }

  private Reading measured(
      GpuTimer timer, Row row, BenchSubject.Candidate candidate, Program program) {
    int graph =
        candidate.times() > 1 ? Math.min(GpuTimer.FEWEST_CALLS, calls) : timer.callsOf(row.bytes());
    GraphTiming timing = timer.time(candidate.name(), program, graph);
    List<Double> each = timing.micros().stream().map(micros -> micros / candidate.times()).toList();
    return new Reading(row, candidate.name(), each, timing.preparations());
  }
}
