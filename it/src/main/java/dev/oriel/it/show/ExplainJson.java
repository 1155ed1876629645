package dev.oriel.it.show;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.explain.LaunchExplanation;
import dev.oriel.domain.explain.LaunchExplanation.ExplainedLane;
import dev.oriel.domain.explain.LaunchExplanation.ExplainedStep;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** An explanation for machines; the help of {@code oriel explain} names the members. */
final class ExplainJson {
  private final Program program;
  private final String world;
  private final LaunchExplanation explanation;

  ExplainJson(Program program, String world, LaunchExplanation explanation) {
    this.program = program;
    this.world = world;
    this.explanation = explanation;
  }

  JsonValue of(IntStream ranks) {
    Map<String, JsonValue> params = new TreeMap<>();
    program.params().forEach((name, value) -> params.put(name, new Whole(value)));
    return new Members(
        Map.of(
            "name", new Text(program.form().name()),
            "world", new Text(world),
            "params", new Members(params),
            "digest", new Text(program.digest()),
            "launch", new Whole(1),
            "ranks", new Elements(ranks.mapToObj(this::rank).toList())));
  }

  private JsonValue rank(int rank) {
    return new Members(
        Map.of(
            "rank", new Whole(rank),
            "lanes",
                new Elements(explanation.lanesOf(rank).stream().map(ExplainJson::lane).toList())));
  }

  private static JsonValue lane(ExplainedLane lane) {
    return new Members(
        Map.of(
            "lane", new Text(lane.label()),
            "engine", new Text(lane.engine()),
            "steps", new Elements(lane.steps().stream().map(ExplainJson::step).toList())));
  }

  private static JsonValue step(ExplainedStep step) {
    return new Members(
        Map.of(
            "text", new Text(step.text()),
            "reasons", new Elements(step.reasons().stream().<JsonValue>map(Text::new).toList())));
  }
}
