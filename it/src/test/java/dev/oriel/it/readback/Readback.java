package dev.oriel.it.readback;

import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.it.readback.Event.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Executes a kernel's text, lane by lane and rank by rank, together with the steps that it was
 * printed from. Compares the actions of its threads between any two barriers with those of the
 * steps.
 *
 * <p>Rule <i>own pace</i>: between two barriers, steps keep their order in each thread, and
 * different threads are unordered. That is the guarantee of a step: only a barrier, or a word of
 * thread 0, orders two threads.
 *
 * <p>Rule <i>loads</i>: a weak load belongs to a step that is not later than the thread's next
 * action. Nothing orders two loads of a thread, and uses of a load come after it.
 */
final class Readback {
  private static final int MOST_BARRIERS = 1000;

  private final Program program;
  private final int host;
  private final LoweredForm lowered;
  private final PtxKernel kernel;
  private final Layout layout;
  private final IntFunction<PtxCode> codes;

  /** The text that the rank launches whose lanes are executed. */
  private PtxCode code;

  private final Map<String, BitSet> visited = new HashMap<>();
  private String next = "";
  private long actions;
  private long executed;

  /**
   * @param host the number of ranks of a host; other ranks are reached over the network
   */
  Readback(
      Program program,
      int host,
      LoweredForm lowered,
      PtxKernel kernel,
      IntFunction<PtxCode> codes) {
    this.program = program;
    this.host = host;
    this.lowered = lowered;
    this.kernel = kernel;
    this.layout = new Layout(program);
    this.codes = codes;
    this.code = codes.apply(0);
  }

  /** The number of actions of steps that were found in the text. */
  long actions() {
    return actions;
  }

  /** The steps of that lane that some rank executed. */
  BitSet visited(String lane) {
    return visited.computeIfAbsent(lane, l -> new BitSet());
  }

  /** The number of executed lanes, counted per launch. */
  long lanes() {
    return executed;
  }

  /** Compares every lane of every rank, in that many successive launches. */
  void compare(int launches) {
    for (int rank = 0; rank < program.world(); rank++) {
      code = codes.apply(rank);
      List<RankProgram.LaneInstance> lanes = program.rank(rank).lanes();
      for (int i = 0; i < lanes.size(); i++) {
        try {
          lane(program.rank(rank), lanes, i, launches);
        } catch (Mismatch m) {
          throw new Mismatch(
              "program=%s, world=%d, rank=%d, lane=%s: %s"
                  .formatted(
                      program.form().name(),
                      program.world(),
                      rank,
                      lanes.get(i).label(),
                      m.getMessage()));
        }
      }
    }
  }

  private void lane(
      RankProgram rank, List<RankProgram.LaneInstance> lanes, int number, int launches) {
    RankProgram.LaneInstance instance = lanes.get(number);
    LoweredLane steps = lowered.lane(instance.lane().name());
    Memory model = new Memory(layout);
    Memory real = new Memory(layout);
    Rings rings = new Rings(layout, real, rank.rank(), program.world());
    QueueWalk requests = new QueueWalk(Queued.of(rings), Rings.MESSAGE, rank.rank(), number);
    StepWalk walk =
        new StepWalk(
            rank,
            instance,
            steps,
            layout,
            model,
            real,
            peer -> remote(rank.rank(), peer),
            requests,
            visited(instance.lane().name()));
    for (long epoch = 1; epoch <= launches; epoch++) {
      PtxBlock.Start start =
          new PtxBlock.Start(number, lanes.size(), kernel.threads(), parameters(rank));
      PtxBlock block = new PtxBlock(code, real, layout, start, rings);
      long line = layout.other(rank.rank(), Layout.Other.LINES) + (long) Layout.LINE * number;
      LineRule kept = new LineRule(line, joined(instance.lane()), threads(instance.lane()));
      StatusRule earlier = new StatusRule(layout.other(rank.rank(), Layout.Other.STATUS));
      launch(walk, block, kept, earlier);
      earlier.check(threads(instance.lane()));
      executed++;
      List<Long> words = new ArrayList<>(List.of(epoch));
      for (LaneFamily.State s : steps.persistent()) {
        words.add(walk.get(s.name()));
      }
      kept.check(words);
      for (int i = 0; i < words.size(); i++) {
        model.store(line + (long) Long.BYTES * i, Long.BYTES, words.get(i));
      }
      if (rings.taken().size() != requests.asked()) {
        throw new Mismatch(
            "elements: posted=%d, asked=%d".formatted(rings.taken().size(), requests.asked()));
      }
      long differs = model.differs(real);
      if (differs >= 0) {
        throw new Mismatch(
            "memory differs after the lane: place=%s, steps=%d, kernel=%d"
                .formatted(
                    layout.describe(differs), model.load(differs, 1), real.load(differs, 1)));
      }
      walk = walk.next();
    }
  }

  /**
   * Runs every lane of every rank after a launch that gave up: no lane may do anything that others
   * observe, and each must end. Returns the number of lanes.
   *
   * @param status the rank's status, as the earlier launch left it
   */
  int afterGivingUp(long status) {
    int run = 0;
    for (int rank = 0; rank < program.world(); rank++) {
      code = codes.apply(rank);
      List<RankProgram.LaneInstance> lanes = program.rank(rank).lanes();
      for (int i = 0; i < lanes.size(); i++) {
        Memory memory = new Memory(layout);
        memory.store(layout.other(rank, Layout.Other.STATUS), Long.BYTES, status);
        PtxBlock.Start start =
            new PtxBlock.Start(i, lanes.size(), kernel.threads(), parameters(program.rank(rank)));
        Rings rings = new Rings(layout, memory, rank, program.world());
        idle(new PtxBlock(code, memory, layout, start, rings), lanes.get(i).label());
        run++;
      }
    }
    return run;
  }

  private void idle(PtxBlock block, String lane) {
    for (int interval = 0; !block.ended(); interval++) {
      if (interval > MOST_BARRIERS) {
        throw new Mismatch(
            "lane=%s: passes barriers for ever after a launch that gave up".formatted(lane));
      }
      for (List<Event> events : block.interval()) {
        for (Event e : events) {
          boolean observed =
              e.kind() != Kind.LOAD && e.kind() != Kind.FENCE && e.kind() != Kind.WARP;
          if (observed && !e.scope().contains("shared")) {
            throw new Mismatch(
                "lane=%s: acts after a launch that gave up: line %d `%s`, at %s"
                    .formatted(
                        lane,
                        e.line(),
                        code.atLine(e.line()),
                        layout.describe(e.place().address())));
          }
        }
      }
    }
  }

  /** Rule <i>start</i>: a barrier comes before the first step, and nothing before the barrier. */
  private void launch(StepWalk walk, PtxBlock block, LineRule kept, StatusRule earlier) {
    next = walk.where();
    compare(events(block, List.of()), List.of(), kept, earlier, 0);
    for (int interval = 1; ; interval++) {
      List<Wanted> wanted = walk.interval();
      next = walk.where();
      boolean last = walk.ended();
      if (block.ended()) {
        throw new Mismatch(
            "step %s: the kernel ends before it, in line %d"
                .formatted(walk.where(), block.lastLine()));
      }
      compare(events(block, wanted), wanted, kept, earlier, interval);
      if (last) {
        if (!block.ended()) {
          throw new Mismatch(
              "step %s: a barrier more than the steps have, in line %d"
                  .formatted(walk.where(), block.lastLine()));
        }
        return;
      }
    }
  }

  /** The first of those steps, or the next one. */
  private String step(List<Wanted> steps) {
    return "step " + (steps.isEmpty() ? next : steps.getFirst().step());
  }

  private List<List<Event>> events(PtxBlock block, List<Wanted> wanted) {
    try {
      return block.interval();
    } catch (Mismatch m) {
      throw new Mismatch("%s: %s".formatted(step(wanted), m.getMessage()));
    }
  }

  private void compare(
      List<List<Event>> threads,
      List<Wanted> wanted,
      LineRule kept,
      StatusRule earlier,
      int interval) {
    for (List<Event> events : threads) {
      int from = 0;
      List<Event> loads = new ArrayList<>();
      for (Event e : events) {
        if (kept.takes(e, interval)
            || earlier.takes(e)
            || e.kind() == Kind.WARP
            || e.scope().contains("shared")) {
          continue;
        }
        if (e.kind() == Kind.LOAD && e.weak()) {
          loads.add(e);
          continue;
        }
        int to = from;
        while (to < wanted.size() && !wanted.get(to).takes(e)) {
          to++;
        }
        if (to == wanted.size()) {
          throw unasked(e, wanted.subList(from, to));
        }
        loads(loads, wanted, from, to);
        loads.clear();
        from = to;
      }
      if (!loads.isEmpty()) {
        loads(loads, wanted, from, wanted.size() - 1);
      }
    }
    for (Wanted w : wanted) {
      Optional<String> missing = w.missing(layout);
      if (missing.isPresent()) {
        throw new Mismatch("step %s: %s; %s".formatted(w.step(), missing.get(), span(threads)));
      }
      actions += w.actions();
    }
  }

  private void loads(List<Event> loads, List<Wanted> wanted, int from, int to) {
    int bound = to;
    for (Event load : loads.reversed()) {
      if (wanted.subList(from, to + 1).stream().anyMatch(w -> w.needs(load))) {
        continue;
      }
      while (bound >= from && !wanted.get(bound).reads(load)) {
        bound--;
      }
      if (bound < from) {
        throw unasked(load, wanted.isEmpty() ? wanted : wanted.subList(from, to + 1));
      }
    }
  }

  private Mismatch unasked(Event e, List<Wanted> steps) {
    return new Mismatch(
        "%s: no step asks thread %d for: line %d `%s`, at %s"
            .formatted(
                step(steps),
                e.thread(),
                e.line(),
                code.atLine(e.line()),
                layout.describe(e.place().address())));
  }

  /** The lines of the text that threads executed. */
  private String span(List<List<Event>> threads) {
    int[] lines = threads.stream().flatMap(List::stream).mapToInt(Event::line).sorted().toArray();
    return lines.length == 0
        ? "no line of the text between these barriers"
        : "lines %d to %d of the text".formatted(lines[0], lines[lines.length - 1]);
  }

  private boolean remote(int rank, int peer) {
    return peer / host != rank / host;
  }

  private boolean joined(LaneFamily lane) {
    return lowered.lanes().stream()
        .flatMap(l -> l.steps().stream())
        .anyMatch(s -> s.micro().equals(new MicroOperation.AwaitLane(lane.name())));
  }

  private static int threads(LaneFamily lane) {
    return ((LaneFamily.Engine.Sm) lane.engine()).threads();
  }

  private Map<Long, Long> parameters(RankProgram rank) {
    Map<Long, Long> words = new HashMap<>();
    List<Long> bases = layout.bases();
    for (int i = 0; i < bases.size(); i++) {
      words.put(PtxCode.PARAMETERS + (long) Long.BYTES * i, bases.get(i));
    }
    for (int i = 1; i < code.text().parameters().size(); i++) {
      String name = code.text().parameters().get(i);
      long value =
          switch (name) {
            case "state" -> layout.other(rank.rank(), Layout.Other.LINES);
            case "status" -> layout.other(rank.rank(), Layout.Other.STATUS);
            case "abort" -> layout.other(rank.rank(), Layout.Other.ABORT);
            case "patience" -> Long.MAX_VALUE;
            case "queues" -> layout.other(rank.rank(), Layout.Other.QUEUES);
            case "sink" -> layout.other(rank.rank(), Layout.Other.SINK);
            case "remote" ->
                IntStream.range(0, program.world())
                    .filter(peer -> remote(rank.rank(), peer))
                    .mapToLong(peer -> 1L << peer)
                    .sum();
            default -> rank.known(name.substring(2));
          };
      words.put(PtxCode.PARAMETERS + PtxCode.SCALARS + (long) Long.BYTES * i, value);
    }
    return words;
  }
}
