package dev.oriel.it.suite;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.it.run.LaunchExercise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The initial memory of a repaired program: different bytes of its caller for each launch. Before
 * the first launch, its own buffers with pure data have random bytes, too, because moves of zeros
 * would show no error.
 *
 * @param exercises of each launch
 * @param data of each rank, by buffer
 */
record RepairedProgramStart(List<LaunchExercise> exercises, List<Map<String, byte[]>> data) {

  /** A start with random bytes in those buffers. */
  static RepairedProgramStart draw(
      Program program, int launches, List<String> buffers, SplittableRandom random) {
    List<LaunchExercise> exercises =
        Stream.generate(() -> LaunchExercise.draw(program, random.split()))
            .limit(launches)
            .toList();
    List<Map<String, byte[]>> data = new ArrayList<>();
    for (int rank = 0; rank < program.world(); rank++) {
      Map<String, byte[]> mine = new TreeMap<>();
      for (String buffer : buffers) {
        byte[] bytes = new byte[Math.toIntExact(program.rank(rank).bytes(buffer))];
        random.nextBytes(bytes);
        mine.put(buffer, bytes);
      }
      data.add(mine);
    }
    return new RepairedProgramStart(exercises, data);
  }

  /** The program's own buffers, each once. */
  static List<String> own(Program program) {
    return program.form().buffers().stream()
        .filter(buffer -> !buffer.space().callers() && buffer.space() != Space.SHARED)
        .map(Buffer::name)
        .filter(name -> program.form().base(name).equals(name))
        .toList();
  }

  int launches() {
    return exercises.size();
  }

  /** The bytes that are written into a rank's buffers before a launch, by name. */
  Map<String, byte[]> before(int launch, int rank) {
    Map<String, byte[]> before = new TreeMap<>(exercises.get(launch).before(rank));
    if (launch == 0) {
      before.putAll(data.get(rank));
    }
    return before;
  }
}
