package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The result of binding a form: a verdict applies to this and to nothing else. */
final class BindingSummary {
  private final Program program;
  private final List<RankProgram> ranks;

  BindingSummary(Program program) {
    this.program = program;
    this.ranks = IntStream.range(0, program.world()).mapToObj(program::rank).toList();
  }

  /** The number of lanes of each family on a rank, and their engine. */
  List<String> lanes() {
    return program.form().lanes().stream()
        .map(lane -> "%s %s x %s".formatted(lane.name(), spread(r -> count(lane, r)), engine(lane)))
        .toList();
  }

  /** The values of the form's own names, such as lanes, tiles and the bytes of a lane. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (Form.Definition definition : program.form().definitions()) {
      values.put(definition.name(), spread(rank -> rank.known(definition.name())));
    }
    return values;
  }

  private static long count(LaneFamily lane, RankProgram rank) {
    long count = 1;
    for (LaneFamily.Index index : lane.indices()) {
      count *= rank.value(index.count());
    }
    return count;
  }

  private static String engine(LaneFamily lane) {
    return switch (lane.engine()) {
      case LaneFamily.Engine.Sm(int threads, int cluster) ->
          "sm(%d)".formatted(threads) + (cluster == 1 ? "" : " cluster(%d)".formatted(cluster));
      case LaneFamily.Engine.Copy() -> "copy";
      case LaneFamily.Engine.Host() -> "host";
      case LaneFamily.Engine.Nic(int queue) -> "nic(%d)".formatted(queue);
    };
  }

  /** One number if all ranks agree, else the least and the greatest. */
  private String spread(ToLongFunction<RankProgram> of) {
    LongSummaryStatistics all = ranks.stream().mapToLong(of).summaryStatistics();
    return all.getMin() == all.getMax()
        ? Long.toString(all.getMin())
        : all.getMin() + " to " + all.getMax();
  }
}
