package dev.oriel.domain.program;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The hooks of a form: those that a post-condition or a move applies, each once. */
public final class AppliedHooks {
  private AppliedHooks() {}

  /** The hooks in the order of their first use. */
  public static Set<HookForm> of(Form form) {
    Set<HookForm> hooks = new LinkedHashSet<>();
    Stream.concat(form.ensures().stream().map(Ensure::combine), moves(form).map(Op.Move::combine))
        .forEach(combine -> {
          if (combine instanceof Combine.Apply(HookForm hook, HookOperands _)) {
            hooks.add(hook);
          }
        });
    return hooks;
  }

  /** Every move of the form's lanes, in the order of the text. */
  public static Stream<Op.Move> moves(Form form) {
    return form.lanes().stream().flatMap(lane -> moves(lane.body()));
  }

  private static Stream<Op.Move> moves(List<Op> ops) {
    return ops.stream()
        .flatMap(op ->
            switch (op) {
              case Op.Move m -> Stream.of(m);
              case Op.If f -> Stream.concat(moves(f.then()), moves(f.otherwise()));
              case Op.For f -> moves(f.body());
              case Op.Each e -> moves(e.body());
              default -> Stream.of();
            });
  }
}
