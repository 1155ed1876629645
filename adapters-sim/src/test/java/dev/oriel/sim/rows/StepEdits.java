package dev.oriel.sim.rows;

import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import java.util.ArrayList;
import java.util.List;

/**
 * Edits of a lowered program. {@code drop TEXT} removes every step that prints as the text. {@code
 * fence TEXT} lets requests that contain the text wait for earlier reads.
 */
public final class StepEdits {
  private StepEdits() {}

  /** The form after those of the edits that change steps. */
  public static LoweredForm apply(LoweredForm form, List<String> edits) {
    List<LoweredLane> lanes = new ArrayList<>();
    for (LoweredLane lane : form.lanes()) {
      List<LoweredStep> steps = new ArrayList<>(lane.steps());
      edits.forEach(edit -> apply(steps, edit));
      lanes.add(new LoweredLane(lane.lane(), lane.extras(), steps));
    }
    return new LoweredForm(form.form(), form.kinds(), lanes);
  }

  private static void apply(List<LoweredStep> steps, String edit) {
    String[] words = edit.split(" ", 2);
    if (words[0].equals("drop")) {
      steps.removeIf(s -> StepPrinter.print(s.micro()).equals(words[1]));
    } else if (words[0].equals("fence")) {
      steps.replaceAll(s ->
          s.micro() instanceof MicroOperation.Post p && StepPrinter.print(p).contains(words[1])
              ? new LoweredStep(
                  new MicroOperation.Post(p.peer(), p.queue(), p.request(), true, p.unordered()),
                  s.why())
              : s);
    }
  }
}
