package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** The recorded parts that steps touch, and the contents of these parts, each wrong in one line. */
final class StepMemoMutants {
  static final List<EngineMutant> ALL =
      List.of(
          in(
              "StepLocality",
              "case LaneOpcode.COPY -> copy(ops, at, others);",
              "case LaneOpcode.COPY -> {}"),
          in("StepLocality", "others.or(owners(model, ops[at + 6]));", ""),
          in("StepLocality", "others.or(owners(model, ops[at + 3]));\n          others", "others"),
          in(
              "StepLocality",
              "case LaneOpcode.WRITE_SLOT -> others.or(owners(model, ops[at + 3]));",
              "case LaneOpcode.WRITE_SLOT -> {}"),
          in(
              "StepLocality",
              "i < CopyLayout.sources(ops, at); i++) {\n      into",
              "i < 0; i++) {\n      into"),
          in("StepLocality", "stage % (STAGES - 1) == 0", "true"),
          in("StepLocality", "stage % (STAGES - 1) == 0", "stage == 0"),
          in("StepLocality", "return model.world + heldBy;", "return model.rank(lane);"),
          in("StepLocality", "model.scan.wordBuffers.isEmpty()", "true"),
          in("StepLocality", "!model.scan.strict", "true"),
          in("StepMemo", "drawn[0] = true;", ""),
          in("StepMemo", "lane(model.agents.queueLane[part - model.world]);", ""),
          in(
              "StepMemo",
              "for (int i = 0; i < standing.held().length; i++) {",
              "for (int i = 9; i < 9; i++) {"),
          in("StepMemo", "loaded[p] != current[p]", "false"),
          in("PartReadiness", "2 * queue + (room ? 0 : 1)", "2 * queue"),
          in(
              "InternedSnapshots",
              "numbers[row - first] = same == null ? settled++ : same;",
              "numbers[row - first] = settled++;"),
          in(
              "StatePart",
              "if (held == null || held.ints[k] != version.ints[k]) {",
              "if (held == null) {"),
          in(
              "StatePart",
              "if (held == null || held.longs[k] != version.longs[k]) {",
              "if (held == null) {"),
          in("StatePart", "if (near != null && page.holds(near.ints[k])) {", "if (near != null) {"),
          in(
              "StatePart",
              "if (near != null && page.holds(near.longs[k])) {",
              "if (near != null) {"),
          in("StatePart", "intPages.get(k).keep(kept.ints[k]);", ""),
          in("StatePart", "longPages.get(k).keep(kept.longs[k]);", ""),
          in(
              "StatePart",
              "range.array, range.from + done, length, range.whole));\n        some",
              "range.array, range.from, length, range.whole));\n        some"),
          in(
              "StatePart",
              "range.array, range.from + done, length, range.whole));\n        page",
              "range.array, range.from, length, range.whole));\n        page"),
          in("StatePart", "part.ints(s.at, first, end);", ""),
          in("StatePart", "part.flags(s.ended, first, end);", ""),
          in("StatePart", "part.ints(s.failure, first, end);", ""),
          in("StatePart", "part.ints(s.wantedSlot, first, end, false);", ""),
          in("StatePart", "part.ints(s.wantedQueue, first, end, false);", ""),
          in("StatePart", "part.longs(s.wantedValue, first, end, false);", ""),
          in("StatePart", "part.ints(s.fencedRow, first, end, false);", ""),
          in("StatePart", "part.ints(s.causesRow, 2 * first, 2 * end, false);", ""),
          in("StatePart", "part.ints(s.launched, rank, rank + 1);", ""),
          in("StatePart", "part.flags(s.callerDue, rank, rank + 1);", ""),
          in("StatePart", "part.rows(s.seen, caller, caller + 1);", ""),
          in("StatePart", "part.memory(model, s, rank);", ""),
          in("StatePart", "part.words(model, s, rank);", ""),
          in(
              "StatePart",
              "longs(s.registers, register, register + model.lane(lane).registers());",
              ""),
          in(
              "StatePart",
              "longs(s.registers, origins, origins + model.lane(lane).registers());",
              ""),
          in("StatePart", "rows(s.clocks, fenced, fenced + model.levels);", ""),
          in("StatePart", "rows(s.clocks, pending, pending + model.levels);", ""),
          in("StatePart", "rows(s.seen, 2 * lane, 2 * (lane + 1));", ""),
          in("StatePart", "rows(s.seen, fresh, fresh + 1);", ""),
          in("StatePart", "ints(s.settled, from, end);", ""),
          in("StatePart", "longs(s.before, first, first + model.bytes[memory]);", ""),
          in(
              "StatePart",
              "ints(s.shadow, model.firstShadow[memory], model.firstShadow[memory + 1]);",
              ""),
          in("StatePart", "part.rows(s.clocks, arranged, arranged + 1);", ""),
          in("StatePart", "part.rows(s.seen, before, before + 1);", ""),
          in("StatePart", "part.rows(s.clocks, inOrder, inOrder + 1);", ""),
          in(
              "StatePart",
              "part.longs(s.requestValues, queue * values, (queue + 1) * values, false);",
              ""),
          in(
              "StatePart",
              "part.longs(s.payload, queue * payload, (queue + 1) * payload, false);",
              ""));

  /** Saved states and their digests, each wrong in one line. */
  static final List<EngineMutant> OF_SEARCH =
      List.of(
          in(
              "StatePart",
              "into.add(range.array, range.from, range.length);\n      }\n    }\n    for (Longs",
              "}\n    }\n    for (Longs"),
          in(
              "StatePart",
              "into.add(range.array, range.from, range.length);\n      }\n    }\n    for (Flags",
              "}\n    }\n    for (Flags"),
          in("StatePart", "into.add(range.array[range.from + k] ? 1 : 0);", ""),
          in("StatePart", "rest.accept(into);", ""),
          in(
              "StatePart",
              "if (model.words.owner[w] == rank) {",
              "if (model.words.owner[w] > rank) {"),
          in(
              "RequestLayout",
              "case CAUSES -> causes.hash(requests[f + i]);",
              "case CAUSES -> requests[f + i];"),
          in(
              "StepMemo",
              "high += digests[2 * version];\n      low += digests[2 * version + 1];",
              "high = digests[2 * version];\n      low = digests[2 * version + 1];"),
          in("StepMemo", "changed |= 1L << p;", ""),
          in("StepMemo", "boolean all = alone;\n    reread();", "boolean all = alone;"),
          in("VersionStack", "memo.save(numbers, depth * width());", "memo.save(numbers, 0);"),
          in(
              "VersionStack",
              "memo.restore(numbers, depth * width());",
              "memo.restore(numbers, 0);"));

  private StepMemoMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}
