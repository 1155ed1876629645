package dev.oriel.it.report;

import dev.oriel.domain.release.ReleaseName;
import dev.oriel.it.report.CheckedCase.CaseFinding;
import dev.oriel.it.report.CheckedCase.CasePlace;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Findings in SARIF 2.1.0, the format of code scanners: one run, and one result a finding. */
final class SarifReport {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  /** A finding about no operation is placed where its text begins, since viewers need a place. */
  private static final CasePlace BEGINNING = new CasePlace(1, 1, "");

  private SarifReport() {}

  static String print(List<CheckedCase> cases) {
    List<String> kinds =
        List.copyOf(
            new TreeSet<>(
                cases.stream()
                    .flatMap(one -> one.findings().stream())
                    .map(CaseFinding::kind)
                    .toList()));
    List<JsonValue> results = new ArrayList<>();
    for (CheckedCase one : cases) {
      one.findings().forEach(finding -> results.add(result(one, finding, kinds)));
    }
    JsonValue run =
        object(
            "tool",
            object("driver", driver(kinds)),
            "columnKind",
            new Text("utf16CodeUnits"),
            "results",
            new Elements(results),
            "properties",
            object(
                "cases", new Whole(cases.stream().filter(one -> one.refused().isEmpty()).count()),
                "bounds", new Elements(cases.stream().flatMap(SarifReport::bounds).toList())));
    return object(
            "$schema",
            new Text(SCHEMA),
            "version",
            new Text("2.1.0"),
            "runs",
            new Elements(List.of(run)))
        .print();
  }

  private static JsonValue driver(List<String> kinds) {
    int space = ReleaseName.NAME.indexOf(' ');
    return object(
        "name", new Text(ReleaseName.NAME.substring(0, space)),
        "version", new Text(ReleaseName.NAME.substring(space + 1)),
        "rules",
            new Elements(
                kinds.stream()
                    .map(kind ->
                        object(
                            "id",
                            new Text(kind),
                            "shortDescription",
                            object("text", new Text(description(kind)))))
                    .toList()));
  }

  private static String description(String kind) {
    return kind.equals(CheckedCase.MISTAKE)
        ? "mistake in a program text"
        : "violation of kind " + kind + " in an execution of a program";
  }

  private static Stream<JsonValue> bounds(CheckedCase one) {
    return one.bounds().stream()
        .map(bound -> new Text(one.program() + " " + one.name() + ": " + bound));
  }

  private static JsonValue result(CheckedCase one, CaseFinding finding, List<String> kinds) {
    List<CasePlace> places = finding.places();
    Map<String, JsonValue> result = new TreeMap<>();
    result.put("ruleId", new Text(finding.kind()));
    result.put("ruleIndex", new Whole(kinds.indexOf(finding.kind())));
    result.put("level", new Text("error"));
    result.put("message", object("text", new Text(message(one, finding))));
    CasePlace first = places.isEmpty() ? BEGINNING : places.getFirst();
    result.put("locations", new Elements(List.of(location(one, first, 0))));
    if (places.size() > 1) {
      List<JsonValue> others = new ArrayList<>();
      for (int at = 1; at < places.size(); at++) {
        others.add(location(one, places.get(at), at));
      }
      result.put("relatedLocations", new Elements(others));
    }
    return new Members(result);
  }

  private static String message(CheckedCase one, CaseFinding finding) {
    String where = (one.program() + " " + one.name()).strip();
    List<String> lines = new ArrayList<>(List.of(where + ": " + finding.message()));
    lines.addAll(finding.details());
    return String.join("\n", lines);
  }

  private static JsonValue location(CheckedCase one, CasePlace place, int id) {
    Map<String, JsonValue> location = new TreeMap<>();
    if (id > 0) {
      location.put("id", new Whole(id));
    }
    one.file()
        .ifPresent(file ->
            location.put(
                "physicalLocation",
                object(
                    "artifactLocation",
                    object("uri", new Text(uri(file))),
                    "region",
                    region(place.line() > 0 ? place : BEGINNING))));
    location.put(
        "logicalLocations",
        new Elements(List.of(object("fullyQualifiedName", new Text(one.program())))));
    if (!place.words().isEmpty()) {
      location.put("message", object("text", new Text(place.words())));
    }
    return new Members(location);
  }

  private static JsonValue region(CasePlace place) {
    return object(
        "startLine",
        new Whole(place.line()),
        "startColumn",
        new Whole(Math.max(1, place.column())));
  }

  /** Relative to the current folder if the file is in it, as viewers of a repository need. */
  static String uri(String file) {
    Path folder = Path.of("").toAbsolutePath().normalize();
    Path path = folder.resolve(file).normalize();
    return folder.toUri().relativize(path.toUri()).toString();
  }

  private static JsonValue object(Object... members) {
    Map<String, JsonValue> all = new TreeMap<>();
    for (int at = 0; at < members.length; at += 2) {
      all.put((String) members[at], (JsonValue) members[at + 1]);
    }
    return new Members(all);
  }
}
