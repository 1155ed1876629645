package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** The recorded parts that steps touch, and the contents of these parts, each wrong in one line. */
final class RecallMutants {
  static final List<EngineMutant> ALL =
      List.of(
          in("Locality", "case Opcode.COPY -> copy(ops, at, others);", "case Opcode.COPY -> {}"),
          in("Locality", "others.or(owners(model, ops[at + 6]));", ""),
          in("Locality", "others.or(owners(model, ops[at + 3]));\n          others", "others"),
          in(
              "Locality",
              "case Opcode.WRITE_SLOT -> others.or(owners(model, ops[at + 3]));",
              "case Opcode.WRITE_SLOT -> {}"),
          in(
              "Locality",
              "i < CopyLayout.sources(ops, at); i++) {\n      into",
              "i < 0; i++) {\n      into"),
          in("Locality", "stage % (STAGES - 1) == 0", "true"),
          in("Locality", "stage % (STAGES - 1) == 0", "stage == 0"),
          in("Locality", "return model.world + heldBy;", "return model.rank(lane);"),
          in("Locality", "model.scan.wordBuffers.isEmpty()", "true"),
          in("Locality", "!model.scan.strict", "true"),
          in("Recall", "drawn[0] = true;", ""),
          in("Recall", "lane(model.agents.queueLane[part - model.world]);", ""),
          in(
              "Recall",
              "for (int i = 0; i < standing.held().length; i++) {",
              "for (int i = 9; i < 9; i++) {"),
          in("Recall", "loaded[p] != current[p]", "false"),
          in("Standing", "2 * queue + (room ? 0 : 1)", "2 * queue"),
          in(
              "SameRows",
              "numbers[row - first] = same == null ? settled++ : same;",
              "numbers[row - first] = settled++;"),
          in("Part", "part.ints(s.at, first, end);", ""),
          in("Part", "part.flags(s.ended, first, end);", ""),
          in("Part", "part.ints(s.failure, first, end);", ""),
          in("Part", "part.ints(s.wantedSlot, first, end);", ""),
          in("Part", "part.ints(s.wantedQueue, first, end);", ""),
          in("Part", "part.longs(s.wantedValue, first, end);", ""),
          in("Part", "part.ints(s.fencedRow, first, end);", ""),
          in("Part", "part.ints(s.causesRow, 2 * first, 2 * end);", ""),
          in("Part", "part.ints(s.launched, rank, rank + 1);", ""),
          in("Part", "part.flags(s.callerDue, rank, rank + 1);", ""),
          in("Part", "part.rows(s.seen, caller, caller + 1);", ""),
          in("Part", "part.memory(model, s, rank);", ""),
          in("Part", "part.words(model, s, rank);", ""),
          in("Part", "longs(s.registers, register, register + model.lane(lane).registers());", ""),
          in("Part", "longs(s.registers, origins, origins + model.lane(lane).registers());", ""),
          in("Part", "rows(s.clocks, fenced, fenced + model.levels);", ""),
          in("Part", "rows(s.clocks, pending, pending + model.levels);", ""),
          in("Part", "rows(s.seen, 2 * lane, 2 * (lane + 1));", ""),
          in("Part", "rows(s.seen, fresh, fresh + 1);", ""),
          in("Part", "ints(s.settled, from, end);", ""),
          in("Part", "longs(s.before, first, first + model.bytes[memory]);", ""),
          in(
              "Part",
              "ints(s.shadow, model.firstShadow[memory], model.firstShadow[memory + 1]);",
              ""),
          in("Part", "part.rows(s.clocks, arranged, arranged + 1);", ""),
          in("Part", "part.rows(s.seen, before, before + 1);", ""),
          in("Part", "part.rows(s.clocks, inOrder, inOrder + 1);", ""),
          in("Part", "part.longs(s.requestValues, queue * values, (queue + 1) * values);", ""),
          in("Part", "part.longs(s.payload, queue * payload, (queue + 1) * payload);", ""));

  private RecallMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}
