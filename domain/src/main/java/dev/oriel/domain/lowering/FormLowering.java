package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.topology.PeerKind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lowers forms; the only place that decides which barriers, fences and requests an operation needs.
 */
public final class FormLowering {
  private FormLowering() {}

  /**
   * The steps of every lane of {@code form} in a world whose ranks reach each other over {@code
   * kinds} of links; a rank always reaches itself.
   *
   * @throws dev.oriel.domain.program.ProgramException if an operation has no form on such a link
   */
  public static LoweredForm lower(Form form, Set<PeerKind> kinds) {
    TreeSet<PeerKind> links = new TreeSet<>(kinds);
    links.remove(PeerKind.SELF);
    return new LoweredForm(
        form, links, form.lanes().stream().map(lane -> lane(form, lane, links)).toList());
  }

  private static LoweredLane lane(Form form, LaneFamily lane, Set<PeerKind> links) {
    LaneEmitter emitter = new LaneEmitter(form, lane, links);
    List<LoweredStep> steps = emitter.steps();
    return new LoweredLane(lane, emitter.extras(), steps);
  }
}
