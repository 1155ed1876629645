package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.topology.Topology;
import java.util.List;
import java.util.Optional;

/**
 * The number of lanes that share a rank's exchange with one peer, as a tunable value.
 *
 * <p>A form supports it with a definition that is the count of a lane index, such as {@code let K =
 * …} and {@code lane main(g < K)}. Each of the {@code K} lanes then carries its part of the bytes
 * of every peer. A table's blocks per peer thus correspond to lanes, and warps of a block to
 * threads. Chunks have no counterpart: all threads of a lane move its bytes together.
 *
 * <p>A form may have lanes with another definition for peers without NVLink, such as {@code lane
 * far(b < J)}; these are set separately. Both ends agree on whether a peer is near, so both have
 * equally many lanes for each other.
 *
 * @param lanes for a peer
 * @param far for a peer without NVLink; the same as {@code lanes} if peers are alike
 * @param threads of a lane
 */
public record LaneCount(int lanes, int far, int threads) {

  public LaneCount {
    if (lanes < 1 || far < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "no lanes: lanes=%d, far=%d, threads=%d; use at least 1 of each"
              .formatted(lanes, far, threads));
    }
  }

  /** The same number of lanes for every peer. */
  public LaneCount(int lanes, int threads) {
    this(lanes, lanes, threads);
  }

  /** The lanes and threads that correspond to a setting of a table. */
  public static LaneCount of(PeerResources setting) {
    return new LaneCount(setting.blocks(), setting.threads());
  }

  /**
   * The lanes and threads that correspond to the table if peers differ in a {@link
   * WorldParams#mixed mixed} world. All ranks have the same counts there, so those of rank 0 are
   * used.
   */
  static LaneCount split(Topology topology, long bytes) {
    PeerBlocks blocks = PeerBlocks.of(topology, 0, bytes);
    int beyond = WorldParams.row(topology);
    return new LaneCount(
        blocks.blocks(topology.peerIndex(0, 1)),
        blocks.blocks(topology.peerIndex(0, beyond)),
        blocks.setting().threads());
  }

  /**
   * The lanes and threads in a program's own text.
   *
   * @throws ProgramException if it has no definition that counts its lanes
   */
  static LaneCount own(Program program) {
    List<String> counted = counted(program.form());
    return program.form().lanes().stream()
        .filter(lane -> counts(lane, counted))
        .map(LaneFamily::engine)
        .filter(LaneFamily.Engine.Sm.class::isInstance)
        .map(engine ->
            new LaneCount(
                own(program, counted.getFirst()),
                own(program, counted.getLast()),
                ((LaneFamily.Engine.Sm) engine).threads()))
        .findFirst()
        .orElseThrow(() ->
            new ProgramException(
                "no lane is a block: form=%s; count lanes of an sm engine"
                    .formatted(program.form().name())));
  }

  private static int own(Program program, String counted) {
    return (int) Math.max(1, program.rank(0).known(counted));
  }

  /** The definition with which the form counts its lanes, if any. */
  public static Optional<String> definition(Form form) {
    return definitions(form).stream().findFirst();
  }

  /** Whether the form has separate lanes for peers without NVLink. */
  static boolean splits(Form form) {
    return definitions(form).size() == 2;
  }

  /** The first definition that counts lanes, and the one that counts those of other families. */
  private static List<String> definitions(Form form) {
    return form.lanes().stream()
        .flatMap(lane -> definition(form, lane).stream())
        .distinct()
        .limit(2)
        .toList();
  }

  private static Optional<String> definition(Form form, LaneFamily lane) {
    return lane.indices().stream()
        .map(LaneFamily.Index::count)
        .filter(Expr.Name.class::isInstance)
        .map(count -> ((Expr.Name) count).name())
        .filter(name -> form.definitions().stream().anyMatch(d -> d.name().equals(name)))
        .findFirst();
  }

  /** These lanes scaled by {@code most / all}, but at least one. */
  LaneCount fewer(long most, long all) {
    return new LaneCount(
        Math.max(1, (int) (lanes * most / all)), Math.max(1, (int) (far * most / all)), threads);
  }

  /**
   * The form with these numbers of lanes and threads.
   *
   * @throws ProgramException if the form has no definition that counts its lanes, or none for far
   *     peers
   */
  public Form in(Form form) {
    List<String> counted = counted(form);
    if (far != lanes && counted.size() == 1) {
      throw new ProgramException(
          "form counts its lanes once: form=%s, lanes=%d, far=%d; count those for far peers by another definition"
              .formatted(form.name(), lanes, far));
    }
    List<Form.Definition> definitions =
        form.definitions().stream()
            .map(d ->
                counted.contains(d.name()) ? new Form.Definition(d.name(), value(d, counted)) : d)
            .toList();
    return FormValidator.validate(
        new Form(
            form.name(),
            form.params(),
            definitions,
            form.requirements(),
            form.buffers(),
            form.signals(),
            form.teams(),
            form.ensures(),
            form.lanes().stream()
                .map(lane -> counts(lane, counted) ? resized(lane) : lane)
                .toList()));
  }

  private Expr value(Form.Definition definition, List<String> counted) {
    return Expr.of(definition.name().equals(counted.getFirst()) ? lanes : far);
  }

  private static List<String> counted(Form form) {
    List<String> counted = definitions(form);
    if (counted.isEmpty()) {
      throw new ProgramException(
          "lanes are not counted: form=%s; define their number and use it for a lane index"
              .formatted(form.name()));
    }
    return counted;
  }

  private static boolean counts(LaneFamily lane, List<String> definitions) {
    return lane.indices().stream()
        .anyMatch(i -> definitions.stream().anyMatch(d -> i.count().equals(Expr.name(d))));
  }

  private LaneFamily resized(LaneFamily lane) {
    return lane.engine() instanceof LaneFamily.Engine.Sm(int _, int cluster)
        ? new LaneFamily(
            lane.name(),
            lane.indices(),
            new LaneFamily.Engine.Sm(threads, cluster),
            lane.states(),
            lane.body())
        : lane;
  }

  /** Lanes, those for far peers where they differ, and threads. */
  @Override
  public String toString() {
    return lanes + (far == lanes ? "" : "+" + far) + "x" + threads;
  }
}
