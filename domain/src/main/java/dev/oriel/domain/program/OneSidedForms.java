package dev.oriel.domain.program;

import java.util.List;

/**
 * Recognises forms that reach memory of other ranks by one-sided calls: puts, gets and atomic
 * changes.
 */
public final class OneSidedForms {
  private OneSidedForms() {}

  /** Whether a lane of the form makes such a call. */
  public static boolean in(Form form) {
    return form.lanes().stream().anyMatch(lane -> in(lane.body()));
  }

  private static boolean in(List<Op> ops) {
    return ops.stream()
        .anyMatch(op ->
            switch (op) {
              case Call.Put _, Call.Get _, Call.Change _ -> true;
              case Op.If f -> in(f.then()) || in(f.otherwise());
              case Op.For f -> in(f.body());
              case Op.Each e -> in(e.body());
              case Op.Leader l -> in(l.body());
              default -> false;
            });
  }
}
