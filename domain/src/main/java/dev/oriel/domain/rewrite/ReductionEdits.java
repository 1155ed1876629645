package dev.oriel.domain.rewrite;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Forms with another operator and element type; a program written for one type thus serves all
 * types.
 */
public final class ReductionEdits {
  private ReductionEdits() {}

  /** The first reduction of the form's lanes; empty if there is none. */
  public static Optional<Combine.Reduce> first(Form form) {
    return form.lanes().stream().flatMap(lane -> all(lane.body())).findFirst();
  }

  /** Whether a lane of the form reduces elements of that type. */
  public static boolean reduces(Form form, DataType type) {
    return form.lanes().stream()
        .flatMap(lane -> all(lane.body()))
        .anyMatch(reduce -> reduce.type() == type);
  }

  private static Stream<Combine.Reduce> all(List<Op> ops) {
    return ops.stream()
        .flatMap(op ->
            switch (op) {
              case Op.Move m when m.combine() instanceof Combine.Reduce r -> Stream.of(r);
              case Op.If f -> Stream.concat(all(f.then()), all(f.otherwise()));
              case Op.For f -> all(f.body());
              case Op.Each e -> all(e.body());
              default -> Stream.of();
            });
  }

  /**
   * The form in which every reduction uses that operator, that element type and the type's usual
   * accumulator.
   *
   * @throws ProgramException if the post-conditions cannot be stated in this way
   */
  public static Form with(Form form, ReduceOp op, DataType type) {
    Combine.Reduce by = new Combine.Reduce(op, type, type.accumulator());
    return FormValidator.validate(
        new Form(
            form.name(),
            form.params(),
            form.definitions(),
            form.requirements(),
            form.buffers(),
            form.signals(),
            form.teams(),
            form.ensures().stream().map(e -> ensure(e, by)).toList(),
            form.lanes().stream()
                .map(l ->
                    new LaneFamily(
                        l.name(), l.indices(), l.engine(), l.states(), block(l.body(), by)))
                .toList()));
  }

  private static Ensure ensure(Ensure e, Combine.Reduce by) {
    return new Ensure(
        e.given(),
        e.when(),
        e.actual(),
        combine(e.combine(), by),
        e.grouping(),
        e.expected(),
        e.bytes());
  }

  private static Combine combine(Combine combine, Combine.Reduce by) {
    return combine instanceof Combine.Reduce ? by : combine;
  }

  private static List<Op> block(List<Op> ops, Combine.Reduce by) {
    return ops.stream()
        .map(op ->
            switch (op) {
              case Op.Move m ->
                  new Op.Move(
                      m.ticket(),
                      m.destinations(),
                      combine(m.combine(), by),
                      m.sources(),
                      m.bytes());
              case Op.If f ->
                  new Op.If(f.condition(), block(f.then(), by), block(f.otherwise(), by));
              case Op.For f -> new Op.For(f.variable(), f.count(), block(f.body(), by));
              case Op.Each e -> new Op.Each(e.variable(), e.peers(), block(e.body(), by));
              default -> op;
            })
        .toList();
  }
}
