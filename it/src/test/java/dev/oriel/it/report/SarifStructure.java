package dev.oriel.it.report;

import static dev.oriel.it.JsonPart.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * The structure that SARIF 2.1.0 prescribes, as far as Oriel writes it: required members, their
 * types, allowed values, and references inside the document. A member that is not listed here is
 * refused, since nobody has compared it with the standard.
 */
final class SarifStructure {
  private SarifStructure() {}

  /** One result. */
  record Result(String kind, String message, String uri, long line, long column, int related) {}

  static List<Result> results(String text) {
    Members log = members(JsonValue.parse(text.strip()), "$schema", "version", "runs");
    assertThat(text(log, "version")).isEqualTo("2.1.0");
    assertThat(URI.create(text(log, "$schema")).isAbsolute()).isTrue();
    List<JsonValue> runs = elements(log, "runs");
    assertThat(runs).hasSize(1);
    Members run = members(runs.getFirst(), "tool", "columnKind", "results", "properties");
    assertThat(text(run, "columnKind")).isIn("utf16CodeUnits", "unicodeCodePoints");
    assertThat(member(run, "properties")).isInstanceOf(Members.class);
    Members driver =
        members(
            member(members(member(run, "tool"), "driver"), "driver"), "name", "version", "rules");
    assertThat(text(driver, "name")).isEqualTo("oriel");
    assertThat(text(driver, "version")).matches("\\d+\\.\\d+\\.\\d+.*");
    List<String> rules = elements(driver, "rules").stream().map(SarifStructure::rule).toList();
    assertThat(rules).doesNotHaveDuplicates();
    return elements(run, "results").stream().map(result -> result(result, rules)).toList();
  }

  private static String rule(JsonValue value) {
    Members rule = members(value, "id", "shortDescription");
    assertThat(message(rule, "shortDescription")).isNotBlank();
    return text(rule, "id");
  }

  private static Result result(JsonValue value, List<String> rules) {
    Members result =
        members(value, "ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations?");
    String kind = text(result, "ruleId");
    assertThat(text(result, "level")).isIn("none", "note", "warning", "error");
    assertThat(rules.get((int) whole(result, "ruleIndex"))).isEqualTo(kind);
    List<JsonValue> locations = elements(result, "locations");
    assertThat(locations).hasSize(1);
    List<JsonValue> related =
        result.members().containsKey("relatedLocations")
            ? elements(result, "relatedLocations")
            : List.of();
    assertThat(related.stream().map(place -> whole((Members) place, "id"))).doesNotHaveDuplicates();
    related.forEach(SarifStructure::location);
    Members first = location(locations.getFirst());
    if (!first.members().containsKey("physicalLocation")) {
      return new Result(kind, message(result, "message"), "", 0, 0, related.size());
    }
    Members physical = (Members) member(first, "physicalLocation");
    Members region = (Members) member(physical, "region");
    return new Result(
        kind,
        message(result, "message"),
        text((Members) member(physical, "artifactLocation"), "uri"),
        whole(region, "startLine"),
        whole(region, "startColumn"),
        related.size());
  }

  private static Members location(JsonValue value) {
    Members location = members(value, "id?", "logicalLocations", "message?", "physicalLocation?");
    for (JsonValue logical : elements(location, "logicalLocations")) {
      assertThat(text(members(logical, "fullyQualifiedName"), "fullyQualifiedName")).isNotBlank();
    }
    if (location.members().containsKey("message")) {
      assertThat(message(location, "message")).isNotBlank();
    }
    if (location.members().containsKey("physicalLocation")) {
      Members physical =
          members(member(location, "physicalLocation"), "artifactLocation", "region");
      Members artifact = members(member(physical, "artifactLocation"), "uri");
      assertThat(URI.create(text(artifact, "uri")).toString()).isNotBlank();
      Members region = members(member(physical, "region"), "startLine", "startColumn");
      assertThat(whole(region, "startLine")).isPositive();
      assertThat(whole(region, "startColumn")).isPositive();
    }
    return location;
  }

  private static String message(Members of, String name) {
    return text(members(member(of, name), "text"), "text");
  }

  /** An object with exactly these members; those with a question mark may be missing. */
  private static Members members(JsonValue value, String... names) {
    assertThat(value).isInstanceOf(Members.class);
    Members object = (Members) value;
    Set<String> known = new java.util.TreeSet<>();
    for (String name : names) {
      String plain = name.replace("?", "");
      known.add(plain);
      if (plain.equals(name)) {
        assertThat(object.members()).containsKey(name);
      }
    }
    assertThat(known).containsAll(object.members().keySet());
    return object;
  }

  private static List<JsonValue> elements(Members of, String name) {
    assertThat(member(of, name)).as(name).isInstanceOf(Elements.class);
    return ((Elements) member(of, name)).elements();
  }

  private static String text(Members of, String name) {
    assertThat(member(of, name)).as(name).isInstanceOf(Text.class);
    return ((Text) member(of, name)).text();
  }

  private static long whole(Members of, String name) {
    assertThat(member(of, name)).as(name).isInstanceOf(Whole.class);
    return ((Whole) member(of, name)).value();
  }
}
