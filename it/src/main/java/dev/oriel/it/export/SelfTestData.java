package dev.oriel.it.export;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.it.run.LaunchExercise;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Inputs and expected outputs of a program, in sheets that launches use in turn.
 *
 * <pre>
 * "ORIELST1" | u64 rows | u64 sheets | rows | bytes
 * row: u32 case, sheet, rank, 0 to write or 1 to expect, buffer, 0 | u64 offset in the buffer, length, place in the file
 * </pre>
 */
final class SelfTestData {
  /** The most bytes of such a file. */
  static final long MOST = 64L << 20;

  private static final int SHEETS = 3;
  private static final int HEAD = 24;
  private static final int ROW = 48;

  @SuppressWarnings("ArrayRecordComponent") // Rows are not compared.
  private record Row(int which, int sheet, int rank, int kind, int buffer, long at, byte[] bytes) {}

  private final List<Row> rows = new ArrayList<>();
  private long bytes = HEAD;

  private SelfTestData() {}

  /**
   * The file; empty if it would be too long, or if a post-condition depends on how a launch ended:
   * the file has the expected bytes only.
   */
  static Optional<byte[]> of(ExportedProgram program) {
    SelfTestData data = new SelfTestData();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < program.cases().size(); i++) {
      Program bound = program.cases().get(i).program();
      if (LaunchExercise.tooLarge(bound).isPresent() || conditional(bound)) {
        return Optional.empty();
      }
      for (int sheet = 0; sheet < SHEETS; sheet++) {
        data.add(program, i, sheet, LaunchExercise.draw(bound, random.split()));
        if (data.bytes > MOST) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(data.file());
  }

  private static boolean conditional(Program program) {
    return program.form().ensures().stream().anyMatch(e -> e.when().isPresent());
  }

  private void add(ExportedProgram program, int which, int sheet, LaunchExercise exercise) {
    List<String> names = program.buffers();
    for (int rank = 0; rank < program.world(); rank++) {
      int own = rank;
      exercise
          .before(rank)
          .forEach((name, all) -> add(new Row(which, sheet, own, 0, names.indexOf(name), 0, all)));
      for (BoundPostCondition claim : exercise.claims(rank)) {
        byte[] expected = exercise.expected(claim);
        for (BoundHook.Run run : claim.runs()) {
          add(
              new Row(
                  which,
                  sheet,
                  rank,
                  1,
                  names.indexOf(claim.actual()),
                  claim.actualOffset() + run.to(),
                  Arrays.copyOfRange(expected, run.from(), run.from() + run.length())));
        }
      }
    }
  }

  private void add(Row row) {
    rows.add(row);
    bytes += ROW + row.bytes().length;
  }

  private byte[] file() {
    ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    file.put("ORIELST1".getBytes(StandardCharsets.US_ASCII)).putLong(rows.size()).putLong(SHEETS);
    long at = HEAD + (long) ROW * rows.size();
    for (Row row : rows) {
      file.putInt(row.which()).putInt(row.sheet()).putInt(row.rank());
      file.putInt(row.kind()).putInt(row.buffer()).putInt(0);
      file.putLong(row.at()).putLong(row.bytes().length).putLong(at);
      at += row.bytes().length;
    }
    rows.forEach(row -> file.put(row.bytes()));
    return file.array();
  }
}
