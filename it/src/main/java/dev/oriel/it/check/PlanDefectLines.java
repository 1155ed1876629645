package dev.oriel.it.check;

import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.it.words.LabelledFacts;
import java.io.PrintWriter;
import java.util.List;

/** The verdict of a plan that is wrong in every execution, so that none is explored. */
final class PlanDefectLines {
  /** Mistakes that are printed; one mistake often has many. */
  private static final int SHOWN = 5;

  private final MscclPlan plan;
  private final List<MscclDefect> defects;

  PlanDefectLines(MscclPlan plan, List<MscclDefect> defects) {
    this.plan = plan;
    this.defects = defects;
  }

  void print(PrintWriter out) {
    new LabelledFacts()
        .add(
            "program",
            "%s, %s of %d gpus, %s"
                .formatted(
                    plan.name(), plan.collectiveName(), plan.world(), plan.protocol().spelling()))
        .add("explored", "no execution: the plan shows the mistake by itself")
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
