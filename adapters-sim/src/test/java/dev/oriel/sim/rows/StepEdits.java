package dev.oriel.sim.rows;

import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.Step;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.sim.rows.Row.Edit;
import java.util.ArrayList;
import java.util.List;

/**
 * Edits of what a program is lowered to: {@code steps: drop TEXT} takes out every step that prints
 * so, {@code steps: fence TEXT} makes requests that hold the text wait for reads before them.
 */
final class StepEdits {
  private StepEdits() {}

  static LoweredForm apply(LoweredForm form, List<Edit> edits) {
    List<LoweredLane> lanes = new ArrayList<>();
    for (LoweredLane lane : form.lanes()) {
      List<Step> steps = new ArrayList<>(lane.steps());
      edits.stream().filter(Row::steps).forEach(e -> apply(steps, e.old()));
      lanes.add(new LoweredLane(lane.lane(), lane.extras(), steps));
    }
    return new LoweredForm(form.form(), form.kinds(), lanes);
  }

  private static void apply(List<Step> steps, String edit) {
    String[] words = edit.split(" ", 3);
    if (words[1].equals("drop")) {
      steps.removeIf(s -> StepPrinter.print(s.micro()).equals(words[2]));
      return;
    }
    steps.replaceAll(s ->
        s.micro() instanceof Micro.Post p && StepPrinter.print(p).contains(words[2])
            ? new Step(new Micro.Post(p.peer(), p.queue(), p.request(), true, p.loose()), s.why())
            : s);
  }
}
