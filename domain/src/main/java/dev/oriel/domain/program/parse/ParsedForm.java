package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A form and the positions of its parts in the text from which it was read. */
public record ParsedForm(Form form, SourcePositions positions) {

  /**
   * The positions of the operations: for each lane, in the order of the text, an operation before
   * those of its blocks. A lowered step refers to its operation by its index here.
   */
  public Map<String, List<TextPosition>> operations() {
    Map<String, List<TextPosition>> all = new LinkedHashMap<>();
    for (LaneFamily lane : form.lanes()) {
      List<TextPosition> of = new ArrayList<>();
      positions(lane.body(), of);
      all.put(lane.name(), List.copyOf(of));
    }
    return all;
  }

  private void positions(List<Op> ops, List<TextPosition> into) {
    for (Op op : ops) {
      into.add(positions.position(op).orElseThrow());
      switch (op) {
        case Op.If branch -> {
          positions(branch.then(), into);
          positions(branch.otherwise(), into);
        }
        case Op.For loop -> positions(loop.body(), into);
        case Op.Each loop -> positions(loop.body(), into);
        case Op.Leader leader -> positions(leader.body(), into);
        default -> {}
      }
    }
  }
}
