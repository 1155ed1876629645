package dev.oriel.it.museum;

import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.museum.CaseStudyResult;
import dev.oriel.sim.museum.ProgramResult;
import dev.oriel.sim.museum.RequiredFeature;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The museum for machines: one JSON object on one line. */
final class MuseumJson implements MuseumReport {
  private final PrintWriter out;
  private final List<JsonValue> exhibits = new ArrayList<>();

  MuseumJson(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin() {}

  @Override
  public void line(Line line) {
    CaseStudy exhibit = line.exhibit();
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("rows", texts(exhibit.rows()));
    all.put("class", new Text(exhibit.family().word()));
    all.put("source", new Text(exhibit.source()));
    all.put("needs", texts(exhibit.needs().stream().map(RequiredFeature::name).toList()));
    all.put("story", new Text(exhibit.story()));
    all.put("outcome", new Text(line.outcome()));
    all.put("reason", new Text(exhibit.reason()));
    all.put("complaints", texts(line.complaints()));
    exhibit.showcase().ifPresent(showcase -> where(all, showcase));
    line.broken()
        .ifPresent(broken -> {
          all.put("executions", new Whole(broken.executions()));
          all.put("micros", new Whole(line.micros()));
          all.put("message", new Text(broken.message()));
          all.put("token", new Text(MuseumGuide.token(broken)));
        });
    line.visit().map(CaseStudyResult::twin).ifPresent(twin -> all.put("twin", twin(twin)));
    exhibits.add(new Members(all));
  }

  private static void where(Map<String, JsonValue> all, CaseStudyPrograms showcase) {
    all.put("world", new Text(showcase.world()));
    all.put("profile", new Text(showcase.profile().name()));
    all.put("strategy", new Text(showcase.strategy().spelling()));
    all.put("launches", new Whole(showcase.launches()));
    all.put("finds", new Text(showcase.alarm().kind()));
  }

  private static JsonValue twin(ProgramResult twin) {
    return new Members(
        Map.of(
            "passed", new Whole(twin.passed() ? 1 : 0),
            "executions", new Whole(twin.executions()),
            "bounds", texts(twin.bounds())));
  }

  @Override
  public void end(MuseumCount count) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("exhibits", new Elements(exhibits));
    all.put("rows", new Whole(count.rows()));
    all.put("rows_caught", new Whole(count.rowsCaught()));
    all.put("rows_not_expressible", new Whole(count.rowsNotExpressible()));
    all.put(
        "unreadable",
        texts(count.unreadable().stream().map(bad -> bad.file() + ": " + bad.reason()).toList()));
    all.put("expressible", new Whole(count.expressible()));
    all.put("caught", new Whole(count.caught()));
    all.put("missed", new Whole(count.missed()));
    all.put("not_expressible", new Whole(count.notExpressible()));
    all.put("twins", new Whole(count.twins()));
    all.put("twins_passed", new Whole(count.twinsPassed()));
    all.put("twins_bounded", new Whole(count.twinsBounded()));
    out.println(new Members(all).print());
  }

  private static JsonValue texts(List<String> texts) {
    return new Elements(texts.stream().map(text -> (JsonValue) new Text(text)).toList());
  }
}
