package dev.oriel.domain.explain;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.explain.ExplainedOperation.AwaitedAction;
import dev.oriel.domain.explain.ExplainedOperation.SlotChange;
import dev.oriel.domain.explain.ExplainedOperation.WrittenBytes;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The actions of a program's ranks in their first launch, lane by lane, and the reason why each
 * wait ends. Of other ranks it follows only those that a wait names, so one rank of a large world
 * costs little.
 */
public final class LaunchExplanation {
  /** The largest world in which the sender of a packet is searched. */
  private static final int SENDERS = Program.FULLY_CHECKED_WORLD;

  private final Program program;

  /** By rank: its lanes by label, each with its acts. */
  private final Map<Integer, Map<String, List<ExplainedOperation>>> followed = new TreeMap<>();

  /** The explanation of a program; nothing is followed until it is requested. */
  public LaunchExplanation(Program program) {
    this.program = program;
  }

  /**
   * A lane of a rank, with its operations in order.
   *
   * @param engine what executes it, in words
   */
  public record ExplainedLane(String label, String engine, List<ExplainedStep> steps) {
    public ExplainedLane {
      steps = List.copyOf(steps);
    }
  }

  /**
   * An operation with the value of every operand.
   *
   * @param reasons why the lane may continue after it; empty if the operation does not wait
   */
  public record ExplainedStep(String text, List<String> reasons) {
    public ExplainedStep {
      reasons = List.copyOf(reasons);
    }
  }

  /** The lanes of one rank. */
  public List<ExplainedLane> lanesOf(int rank) {
    List<ExplainedLane> explained = new ArrayList<>();
    for (RankProgram.LaneInstance lane : program.rank(rank).lanes()) {
      List<ExplainedOperation> acts = lanes(rank).getOrDefault(lane.label(), List.of());
      List<ExplainedStep> steps = new ArrayList<>();
      for (int step = 0; step < acts.size(); step++) {
        ExplainedOperation act = acts.get(step);
        steps.add(new ExplainedStep(act.text(), reasons(rank, acts.subList(0, step), act)));
      }
      explained.add(new ExplainedLane(lane.label(), engine(lane.lane().engine()), steps));
    }
    return explained;
  }

  /** Passes on the lines that describe the acts of one rank. */
  public void rank(int rank, Consumer<String> line) {
    line.accept("rank %d of %d".formatted(rank, program.world()));
    for (ExplainedLane lane : lanesOf(rank)) {
      line.accept("  lane %s: %s".formatted(lane.label(), lane.engine()));
      for (int step = 0; step < lane.steps().size(); step++) {
        line.accept("    %4d  %s".formatted(step + 1, lane.steps().get(step).text()));
        lane.steps().get(step).reasons().forEach(reason -> line.accept("            " + reason));
      }
    }
  }

  private Map<String, List<ExplainedOperation>> lanes(int rank) {
    Map<String, List<ExplainedOperation>> known = followed.get(rank);
    if (known == null) {
      RankProgram expanded = program.rank(rank);
      Map<String, List<ExplainedOperation>> lanes = new LinkedHashMap<>();
      expanded.lanes().forEach(lane -> lanes.put(lane.label(), LaneWalk.of(expanded, lane)));
      known = lanes;
      followed.put(rank, known);
    }
    return known;
  }

  private static String engine(LaneFamily.Engine engine) {
    return switch (engine) {
      case LaneFamily.Engine.Sm(int threads, int cluster) ->
          "a block of "
              + threads
              + (threads == 1 ? " thread" : " threads")
              + (cluster > 1 ? ", in a cluster of " + cluster : "");
      case LaneFamily.Engine.Copy() -> "a copy engine";
      case LaneFamily.Engine.Host() -> "a host thread";
      case LaneFamily.Engine.Nic(int queue) -> "queue " + queue + " of a network interface";
    };
  }

  /** Why the lane may continue after the operation; empty if the operation does not wait. */
  private List<String> reasons(int rank, List<ExplainedOperation> before, ExplainedOperation act) {
    return switch (act.op()) {
      case Op.Flush(var peers, var reach) -> List.of(flushed(rank, before, reach));
      case Op.AwaitTicket(String ticket) ->
          List.of("until the sources of move " + ticket + " may be overwritten");
      case Op.Join(String lane) -> List.of("until every lane " + lane + " of this rank has ended");
      case Call.Quiet quiet -> List.of("until every call of its context has ended");
      case Call.Meet(String barrier, boolean quiet) ->
          List.of("until every member of " + barrier + " has come as often");
      case Call.AwaitBulk() -> List.of("until the block's bulk copies have ended");
      case Call.Lock lock -> List.of("until the word is 0");
      case Call.Wait wait ->
          List.of("until another agent has made " + FormPrinter.print(wait.word()) + " so");
      default -> act.awaited().stream().map(awaited -> reason(rank, awaited)).distinct().toList();
    };
  }

  private static String flushed(int rank, List<ExplainedOperation> before, Op.Flush.Reach reach) {
    int[] steps =
        IntStream.range(0, before.size())
            .filter(i -> before.get(i).written().stream().anyMatch(w -> w.rank() != rank))
            .toArray();
    if (steps.length == 0) {
      return "at once: it has written to no rank";
    }
    return "until what it wrote to these ranks has %s; writes to others: %d, the last in step %d"
        .formatted(
            reach == Op.Flush.Reach.LOCAL ? "been read here" : "arrived there",
            steps.length,
            steps[steps.length - 1] + 1);
  }

  private String reason(int rank, AwaitedAction awaited) {
    return switch (awaited) {
      case AwaitedAction.Slot slot -> slotReason(rank, slot);
      case AwaitedAction.Packets packets -> sent(rank, packets);
    };
  }

  /**
   * The first step of the source's lanes, lane by lane, after which the slot satisfies the
   * comparison.
   */
  private String slotReason(int rank, AwaitedAction.Slot wanted) {
    if (wanted.sum()) {
      return "until the slots of all those ranks add up to it";
    }
    if (wanted.comparison().test(0, wanted.value())) {
      return "at once in this launch: a slot begins with 0";
    }
    for (Map.Entry<String, List<ExplainedOperation>> lane : lanes(wanted.source()).entrySet()) {
      long slot = 0;
      List<ExplainedOperation> acts = lane.getValue();
      for (int i = 0; i < acts.size(); i++) {
        for (SlotChange change : acts.get(i).changed()) {
          if (change.at() == rank
              && change.index() == wanted.index()
              && change.signal().equals(wanted.signal())) {
            slot = change.adds() ? slot + change.value() : change.value();
            if (wanted.comparison().test(slot, wanted.value())) {
              return "rank %d makes it %d: lane %s, step %d, %s"
                  .formatted(wanted.source(), slot, lane.getKey(), i + 1, covered(acts, i, rank));
            }
          }
        }
      }
    }
    return "nothing in this launch of rank " + wanted.source() + " alone makes it so";
  }

  /**
   * The writes of the lane at a rank that a step covers: those since its previous step that covered
   * any there.
   */
  private static String covered(List<ExplainedOperation> acts, int step, int rank) {
    if (acts.get(step).op() instanceof Op.Signal s && s.order() == Order.RELAXED) {
      return "which covers nothing";
    }
    int from = step;
    while (from > 0 && !covers(acts.get(from - 1), rank)) {
      from--;
    }
    List<WrittenBytes> since =
        acts.subList(from, step + 1).stream()
            .flatMap(act -> act.written().stream())
            .filter(w -> w.rank() == rank)
            .toList();
    return since.isEmpty()
        ? "flow control only: no data written here since its previous signal"
        : "which covers its writes here since its previous signal: " + spans(since);
  }

  private static boolean covers(ExplainedOperation act, int rank) {
    return act.changed().stream().anyMatch(change -> change.at() == rank)
        && !(act.op() instanceof Op.Signal s && s.order() == Order.RELAXED);
  }

  private static String spans(List<WrittenBytes> written) {
    List<String> spans = new ArrayList<>();
    for (int i = 0; i < written.size(); ) {
      WrittenBytes first = written.get(i);
      long to = first.to();
      i++;
      while (i < written.size()
          && written.get(i).buffer().equals(first.buffer())
          && written.get(i).from() == to) {
        to = written.get(i).to();
        i++;
      }
      spans.add("%s[%d..%d)".formatted(first.buffer(), first.from(), to));
    }
    return String.join(", ", spans);
  }

  private String sent(int rank, AwaitedAction.Packets wanted) {
    String place = "%s[%d..%d)".formatted(wanted.buffer(), wanted.from(), wanted.to());
    if (program.world() > SENDERS) {
      return "until the packets in " + place + " bear the flag";
    }
    for (int from = 0; from < program.world(); from++) {
      for (Map.Entry<String, List<ExplainedOperation>> lane : lanes(from).entrySet()) {
        List<ExplainedOperation> acts = lane.getValue();
        for (int i = 0; i < acts.size(); i++) {
          if (acts.get(i).written().stream().anyMatch(w -> w.rank() == rank && w.meets(wanted))) {
            return "until the packets in %s bear the flag: rank %d, lane %s, step %d writes them"
                .formatted(place, from, lane.getKey(), i + 1);
          }
        }
      }
    }
    return "until the packets in " + place + " bear the flag, which no lane writes in this launch";
  }
}
