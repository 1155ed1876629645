package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Validator;
import java.util.List;
import java.util.Optional;

/**
 * The lanes that share what a rank exchanges with one peer, as something that can be set.
 *
 * <p>A form that counts them has a definition that is the count of a lane index, such as {@code let
 * K = …} and {@code lane main(g < K)}: each of the {@code K} lanes carries its part of the bytes of
 * every peer that it serves. So a table's blocks per peer are its lanes, and warps of a block its
 * threads. Chunks have no counterpart: all threads of a lane move its bytes together.
 *
 * @param lanes for a peer
 * @param threads of a lane
 */
public record LaneCount(int lanes, int threads) {

  public LaneCount {
    if (lanes < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "no lanes: lanes=%d, threads=%d; use at least 1 of each".formatted(lanes, threads));
    }
  }

  /** The lanes and threads that stand for a setting of a table. */
  public static LaneCount of(Setting setting) {
    return new LaneCount(setting.blocks(), setting.threads());
  }

  /**
   * The lanes and threads that a program has by its own text.
   *
   * @throws ProgramException if it does not count its lanes
   */
  static LaneCount own(Program program) {
    String counted = counted(program.form());
    return program.form().lanes().stream()
        .filter(lane -> counts(lane, counted))
        .map(Lane::engine)
        .filter(Lane.Engine.Sm.class::isInstance)
        .map(engine ->
            new LaneCount(
                (int) Math.max(1, program.rank(0).known(counted)),
                ((Lane.Engine.Sm) engine).threads()))
        .findFirst()
        .orElseThrow(() ->
            new ProgramException(
                "no lane is a block: form=%s; count lanes of an sm engine"
                    .formatted(program.form().name())));
  }

  /** The definition by which the form counts such lanes, if it does. */
  public static Optional<String> definition(Form form) {
    return form.lanes().stream()
        .flatMap(lane -> lane.indices().stream())
        .map(Lane.Index::count)
        .filter(Expr.Name.class::isInstance)
        .map(count -> ((Expr.Name) count).name())
        .filter(name -> form.definitions().stream().anyMatch(d -> d.name().equals(name)))
        .findFirst();
  }

  /**
   * The form with so many lanes of so many threads.
   *
   * @throws ProgramException if the form does not count its lanes
   */
  public Form in(Form form) {
    String counted = counted(form);
    List<Form.Definition> definitions =
        form.definitions().stream()
            .map(d -> d.name().equals(counted) ? new Form.Definition(counted, Expr.of(lanes)) : d)
            .toList();
    return Validator.validate(
        new Form(
            form.name(),
            form.params(),
            definitions,
            form.buffers(),
            form.signals(),
            form.teams(),
            form.ensures(),
            form.lanes().stream()
                .map(lane -> counts(lane, counted) ? resized(lane) : lane)
                .toList()));
  }

  private static String counted(Form form) {
    return definition(form)
        .orElseThrow(() ->
            new ProgramException(
                "lanes are not counted: form=%s; define their number and use it for a lane index"
                    .formatted(form.name())));
  }

  private static boolean counts(Lane lane, String definition) {
    return lane.indices().stream().anyMatch(i -> i.count().equals(Expr.name(definition)));
  }

  private Lane resized(Lane lane) {
    return lane.engine() instanceof Lane.Engine.Sm(int _, int cluster)
        ? new Lane(
            lane.name(),
            lane.indices(),
            new Lane.Engine.Sm(threads, cluster),
            lane.states(),
            lane.body())
        : lane;
  }
}
