package dev.oriel.it.check;

import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The verdict of a plan that is wrong in every execution, so that none is explored. */
final class PlanDefectLines {
  /** Mistakes that are printed; one mistake often has many. */
  private static final int SHOWN = 5;

  private final ImportedPlan plan;
  private final List<MscclDefect> defects;

  PlanDefectLines(ImportedPlan plan, List<MscclDefect> defects) {
    this.plan = plan;
    this.defects = defects;
  }

  /** One object with the members of a verdict that apply. */
  String json() {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("name", new JsonValue.Text(plan.name()));
    all.put("executions", new JsonValue.Whole(0));
    all.put("verdict", new JsonValue.Text("violation"));
    all.put(
        "violation",
        new JsonValue.Elements(defects.stream().map(PlanDefectLines::violation).toList()));
    return ChecksummedReport.of(all).print();
  }

  private static JsonValue violation(MscclDefect defect) {
    return new JsonValue.Members(
        Map.of(
            "kind", new JsonValue.Text(defect.kind().word()),
            "message", new JsonValue.Text(defect.reason()),
            "places",
                new JsonValue.Elements(
                    defect.places().stream()
                        .map(place ->
                            (JsonValue)
                                new JsonValue.Members(
                                    Map.of(
                                        "line", new JsonValue.Whole(place.at().line()),
                                        "text", new JsonValue.Text(place.words()))))
                        .toList())));
  }

  void print(PrintWriter out) {
    new LabelledFacts()
        .add("program", "%s, %s".formatted(plan.name(), plan.kind()))
        .add("explored", "no execution: the text of the plan shows the mistake")
        .add("verdict", "VIOLATION (%s)".formatted(defects.getFirst().kind().word()))
        .print(out);
    out.println();
    for (MscclDefect defect : defects.subList(0, Math.min(SHOWN, defects.size()))) {
      String name = "reason";
      for (String part : LabelledFacts.wrapped(defect.reason(), LabelledFacts.WIDTH - 9)) {
        out.println(CheckLines.line(name, part));
        name = "";
      }
      name = "places";
      for (MscclDefect.Location place : defect.places()) {
        out.println(
            CheckLines.line(name, "line=%d: %s".formatted(place.at().line(), place.words())));
        name = "";
      }
    }
    if (defects.size() > SHOWN) {
      out.println(
          CheckLines.line("", "and %d more of such reasons".formatted(defects.size() - SHOWN)));
    }
  }
}
