package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Forms of kernels to which the host passes the number of the launch: {@code epoch} is that number.
 * A captured graph contains the numbers of its launches, so each replay passes them again. Memory,
 * signals and states stay, and count on.
 *
 * <p>With eager launches in between, a word of a uniform input says of each launch whether it is
 * eager. The host captures the graph immediately before its first replay, and counts all launches
 * that it makes or captures. An eager launch never interrupts a replay. The result is an ordinary
 * form.
 *
 * @param launches the number of launches in the graph; 0 if none is replayed
 * @param eager whether eager launches come between the replays
 */
public record GraphReplay(int launches, boolean eager) {
  /** The most launches of a graph. */
  public static final int MOST = 8;

  /** No graph: the host passes another number to each launch. */
  public static final GraphReplay NONE = new GraphReplay(0, false);

  /** The word that says of each launch whether the host replays the graph. */
  public static final String REPLAYED = "graph_replayed";

  /** The code of a lane that reads a word above 1; callers write 0 or 1. */
  private static final int NO_WORD = 1;

  private static final String WORD = "graph_word";
  private static final String REPLAY = "graph_replay";
  private static final String CAPTURE = "graph_capture";

  /** The number that the host passes, in place of {@code epoch}. */
  private static final String PASSED = "passed_epoch";

  /** The launches that the host has counted, and those of the graph that this replay has made. */
  private static final String COUNTED = "graph_counted";

  private static final String MADE = "graph_made";

  /** The number of the graph's first launch; 0 before the capture. */
  private static final String FIRST = "graph_first";

  public GraphReplay {
    if (launches < 0 || launches > MOST) {
      throw new IllegalArgumentException("launches out of range: " + launches);
    }
  }

  public boolean replayed() {
    return launches > 0;
  }

  /** The value of the option that asks for it, such as {@code 2,eager}. */
  public String words() {
    return launches + (eager ? ",eager" : "");
  }

  /** Whether some lane does something with the number of the launch. */
  public static boolean affects(Form form) {
    return form.lanes().stream().anyMatch(GraphReplay::uses);
  }

  /**
   * The form whose launches have the numbers that the host passes.
   *
   * @throws ProgramException if no lane uses the number of the launch
   */
  public Form of(Form form) {
    if (!replayed()) {
      return form;
    }
    if (!affects(form)) {
      throw new ProgramException(
          "nothing that a graph repeats: program=%s; no lane uses epoch, the number that the host passes with each launch"
              .formatted(form.name()));
    }
    Form changed =
        FormEdits.withLanes(
            FormEdits.withName(form, form.name() + "-graph-" + launches),
            form.lanes().stream().map(lane -> uses(lane) ? lane(lane) : lane).toList());
    return FormValidator.validate(
        eager
            ? FormEdits.withBuffers(
                FormEdits.withName(changed, changed.name() + "-eager"),
                Stream.concat(
                        form.buffers().stream(),
                        Stream.of(new Buffer(Space.UNIFORM, REPLAYED, Expr.of(Long.BYTES))))
                    .toList())
            : changed);
  }

  /** The origins of the parts of {@link #of}. */
  public FormOrigins origins(Form form) {
    Map<String, List<Integer>> operations = new TreeMap<>();
    for (LaneFamily lane : form.lanes()) {
      List<Integer> all = new ArrayList<>();
      if (eager && uses(lane)) {
        all.addAll(Collections.nCopies(counting().size(), FormOrigins.ADDED));
      }
      IntStream.range(0, FormOrigins.size(lane.body())).forEach(all::add);
      operations.put(lane.name(), all);
    }
    return new FormOrigins(operations, IntStream.range(0, form.ensures().size()).boxed().toList());
  }

  private static boolean uses(LaneFamily lane) {
    return !substituted(lane.body(), Expr.of(0)).equals(lane.body());
  }

  private static List<Op> substituted(List<Op> ops, Expr number) {
    return PartTraversal.everywhere(
        ops,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T each) {
            return each instanceof Expr expr && ExprEdits.uses(expr, "epoch")
                ? part.type().cast(ExprEdits.folded(ExprEdits.substitute(expr, "epoch", number)))
                : each;
          }
        });
  }

  private LaneFamily lane(LaneFamily lane) {
    if (!eager) {
      Expr number = Expr.epoch().minus(1).mod(Expr.of(launches)).plus(1);
      return FormEdits.withBody(
          lane, substituted(lane.body(), launches == 1 ? Expr.of(1) : number));
    }
    List<LaneFamily.State> states = new ArrayList<>(lane.states());
    for (String name : List.of(COUNTED, FIRST, MADE)) {
      states.add(new LaneFamily.State(name, Expr.of(1)));
    }
    List<Op> body = new ArrayList<>(counting());
    body.addAll(substituted(lane.body(), Expr.name(PASSED)));
    return FormEdits.withBody(FormEdits.withStates(lane, states), body);
  }

  /** What the host does before each launch, counted anew by each lane. */
  private List<Op> counting() {
    Expr counted = Expr.name(COUNTED);
    Expr first = Expr.name(FIRST);
    Expr made = Expr.name(MADE);
    Expr replay = Expr.name(REPLAY);
    Expr capture = Expr.name(CAPTURE);
    Expr one = Expr.of(1);
    return List.of(
        new Op.Load(WORD, Region.of(REPLAYED, Expr.of(0)), one, NO_WORD),
        new Op.Let(REPLAY, Expr.max(Expr.name(WORD), Expr.min(made, one))),
        new Op.Let(CAPTURE, replay.times(one.minus(Expr.min(first, one)))),
        new Op.Assign(FIRST, first.plus(capture.times(counted.plus(1)))),
        new Op.Assign(COUNTED, counted.plus(capture.times(launches)).plus(one.minus(replay))),
        new Op.Let(PASSED, replay.times(first.plus(made)).plus(one.minus(replay).times(counted))),
        new Op.Assign(MADE, made.plus(replay).mod(Expr.of(launches))));
  }
}
