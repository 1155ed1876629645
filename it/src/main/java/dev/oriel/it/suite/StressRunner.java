package dev.oriel.it.suite;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.stress.RecordedStressRun;
import dev.oriel.cuda.stress.StressContents;
import dev.oriel.cuda.stress.StressedRank;
import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.it.run.CheckedLaunch;
import dev.oriel.it.run.LaunchExercise;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Consecutive launches from a recorded graph. Between them, GPUs set inputs, poison outputs, wait
 * at random and compare. A rank may be a launch ahead of another, as with callers that never read
 * their outputs.
 */
final class StressRunner {
  /** Launches of a graph. */
  private static final int IN_A_ROW = 25;

  /** With three inputs, a launch without effect, or one that repeats the last but one, is wrong. */
  private static final int SHEETS = 3;

  private static final Duration LONGEST_PAUSE = Duration.ofNanos(20_000);

  private final CudaInstance instance;
  private final RecordedStressRun stressRun;
  private final int inARow;

  StressRunner(Program program, CudaInstance instance, int launches, SplittableRandom random) {
    if (program.form().ensures().stream().anyMatch(e -> e.when().isPresent())) {
      throw MachineException.lacking(
          "post-condition with a condition: program=%s; the GPUs compare with the same bytes after every launch, so run it without --drilled"
              .formatted(program.form().name()));
    }
    this.instance = instance;
    inARow = Math.min(launches, IN_A_ROW);
    List<LaunchExercise> exercises =
        Stream.generate(() -> LaunchExercise.draw(program, random.split())).limit(SHEETS).toList();
    Map<Integer, List<StressContents>> sheets = new TreeMap<>();
    for (int rank : instance.ranks()) {
      Set<String> promised = promised(exercises, rank);
      sheets.put(
          rank, exercises.stream().map(exercise -> sheet(exercise, rank, promised)).toList());
    }
    stressRun = instance.stressRun(sheets, inARow, random.nextLong(), LONGEST_PAUSE);
  }

  /** The number of launches of one run. */
  int launches() {
    return inARow;
  }

  /** Buffers in which any exercise promises bytes: promises may depend on inputs. */
  private static Set<String> promised(List<LaunchExercise> exercises, int rank) {
    return exercises.stream()
        .flatMap(exercise -> exercise.claims(rank).stream())
        .map(BoundPostCondition::actual)
        .collect(Collectors.toSet());
  }

  /** A rank's initial bytes, and the expected bytes after the launch. */
  static StressContents sheet(LaunchExercise exercise, int rank, Set<String> promised) {
    Map<String, StressContents.ExpectedBytes> after = new TreeMap<>();
    for (String name : promised) {
      int whole = exercise.bytes(rank, name).length;
      after.put(name, new StressContents.ExpectedBytes(new byte[whole], new byte[whole]));
    }
    for (BoundPostCondition claim : exercise.claims(rank)) {
      StressContents.ExpectedBytes expected = Objects.requireNonNull(after.get(claim.actual()));
      byte[] bytes = exercise.expected(claim);
      for (BoundHook.Run run : claim.runs()) {
        int at = Math.toIntExact(claim.actualOffset()) + run.to();
        System.arraycopy(bytes, run.from(), expected.bytes(), at, run.length());
        Arrays.fill(expected.mask(), at, at + run.length(), (byte) -1);
      }
    }
    return new StressContents(exercise.before(rank), after);
  }

  /** One run; a line for each rank whose launches did not end well, or were wrong. */
  List<String> run(Duration deadline) {
    RecordedStressRun.StressResult stressed = stressRun.run(deadline);
    List<String> problems =
        new ArrayList<>(CheckedLaunch.ends(instance.ranks(), stressed.outcomes()));
    stressed.wrong().forEach((rank, wrong) -> problems.add(line(rank, wrong)));
    return problems;
  }

  private static String line(int rank, StressedRank.RankMismatch wrong) {
    return "wrong byte on the GPU: rank=%d, launch=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x, wrong bytes in all=%d"
        .formatted(
            rank,
            wrong.launch(),
            wrong.buffer(),
            wrong.offset(),
            wrong.found(),
            wrong.expected(),
            wrong.all());
  }
}
