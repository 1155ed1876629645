package dev.oriel.sim.time;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The cost model once more, directly from the micro-operations: slow, but simple. */
final class SlowTime {
  private record Event(long time, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
  private final Map<String, Long> words = new HashMap<>();
  private final Map<String, List<Agent>> waiting = new HashMap<>();
  private final Map<String, Long> ports = new HashMap<>();
  private final Map<String, Long> queueArrived = new HashMap<>();
  private final Map<String, Long> queueComplete = new HashMap<>();
  private final List<List<Agent>> agents = new ArrayList<>();
  private final Program program;
  private final Topology topology;
  private final LinkModel model;
  private final long[] launchEnd;
  private final long[] rankEnd;
  private long now;
  private long numbers;
  private long bytes;

  /** The ranks whose messages to each other take that many times as long. */
  private final Set<Integer> slow;

  private final int by;

  SlowTime(
      Program program,
      Topology topology,
      LinkModel model,
      int launches,
      Set<Integer> slow,
      int by) {
    this.slow = slow;
    this.by = by;
    this.program = program;
    this.topology = topology;
    this.model = model;
    launchEnd = new long[launches];
    rankEnd = new long[program.world()];
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      agents.add(
          rank.lanes().stream()
              .map(l -> new Agent(rank, l, lowered.lane(l.lane().name())))
              .toList());
    }
  }

  long bytes() {
    return bytes;
  }

  /** The end of each launch, in picoseconds. */
  long[] run() {
    for (int r = 0; r < agents.size(); r++) {
      launch(r);
    }
    while (!events.isEmpty()) {
      Event event = events.remove();
      now = event.time();
      event.action().run();
    }
    for (List<Agent> rank : agents) {
      if (rank.stream().anyMatch(a -> !a.ended || a.launched < launchEnd.length)) {
        throw new IllegalStateException("deadlock");
      }
    }
    return launchEnd;
  }

  private void at(long time, Runnable action) {
    events.add(new Event(time, numbers++, action));
  }

  private void launch(int rank) {
    for (Agent agent : agents.get(rank)) {
      if (agent.launched == launchEnd.length) {
        return;
      }
      agent.launched++;
      agent.ended = false;
      agent.at = 0;
      agent.pending = 0;
      agent.time = rankEnd[rank] + ps(model.block().launch());
      agent.names.merge("epoch", 1L, Long::sum);
      at(agent.time, agent::run);
    }
  }

  private static long ps(double nanos) {
    return Math.round(nanos * 1e3);
  }

  /** The time at which the last byte leaves. */
  @SuppressWarnings("ReferenceEquality") // two kinds with equal costs are different
  private long book(LinkModel.Wire wire, int from, int to, long length, long time) {
    // Two kinds of links may have equal costs, but never share a port.
    String kind = wire == model.nvlink() ? "nvlink" : "rdma";
    String out = kind + " out " + from;
    String in = kind + " in " + to;
    long takes = ps(wire.overhead()) + Math.round(length * (1e3 / wire.bandwidth()));
    long left = Math.max(time, ports.getOrDefault(out, 0L)) + takes;
    long taken = Math.max(time, ports.getOrDefault(in, 0L)) + takes;
    long end = Math.max(left, taken);
    ports.put(out, left);
    ports.put(in, taken);
    bytes += length;
    if (by > 1 && slow.contains(from) && slow.contains(to) && from != to) {
      String link = "link " + from + " to " + to;
      end = Math.max(end - takes, ports.getOrDefault(link, 0L)) + takes * by;
      ports.put(link, end);
    }
    return end;
  }

  private void arrive(long time, String word, long value, boolean adds) {
    at(
        time,
        () -> {
          words.merge(word, value, (old, given) -> adds ? old + given : given);
          List<Agent> woken = new ArrayList<>();
          List<Agent> sum = waiting.remove("sum of " + word.substring(word.indexOf(' ') + 1));
          if (sum != null) {
            sum.reversed().forEach(agent -> agent.later(now));
          }
          if (waiting.containsKey(word)) {
            woken.addAll(waiting.remove(word).reversed());
          }
          if (woken.size() == 1) {
            woken.getFirst().time = Math.max(woken.getFirst().time, now);
            woken.getFirst().run();
          } else {
            woken.forEach(agent -> agent.later(now));
          }
        });
  }

  private final class Agent {
    private final RankProgram rank;
    private final RankProgram.LaneInstance instance;
    private final LoweredLane code;
    private final Map<String, Long> names = new HashMap<>();
    private int launched;
    private boolean ended = true;
    private int at;
    private long time;
    private long pending;
    private boolean paid;
    private boolean polls;
    private boolean waited;
    private int seen;

    Agent(RankProgram rank, RankProgram.LaneInstance instance, LoweredLane code) {
      this.rank = rank;
      this.instance = instance;
      this.code = code;
      names.put("epoch", 0L);
      instance.lane().states().forEach(s -> names.put(s.name(), 0L));
    }

    private int me() {
      return rank.rank();
    }

    private void later(long earliest) {
      time = Math.max(time, earliest);
      at(time, this::run);
    }

    private boolean notYet() {
      if (time > now) {
        at(time, this::run);
        return true;
      }
      return false;
    }

    private long value(Expr expr) {
      return ExprEvaluator.value(expr, this::name);
    }

    private long name(String name) {
      Long known = names.containsKey(name) ? names.get(name) : instance.indices().get(name);
      return known != null ? known : rank.known(name);
    }

    private List<Integer> members(Peers peers) {
      return switch (peers) {
        case Peers.Self() -> List.of(me());
        case Peers.One(Expr one) -> List.of((int) value(one));
        case Peers.All() -> IntStream.range(0, program.world()).boxed().toList();
        case Peers.Others() ->
            IntStream.range(0, program.world()).filter(r -> r != me()).boxed().toList();
      };
    }

    /** The members of a set in the order in which a copy reaches them. */
    private List<Integer> fromTheNext(Peers peers) {
      int world = program.world();
      List<Integer> members = new ArrayList<>(members(peers));
      members.sort(Comparator.comparingInt(to -> (to - me() - 1 + world) % world));
      return members;
    }

    void run() {
      while (step()) {}
    }

    /** Whether to continue at once. */
    private boolean step() {
      switch (code.steps().get(at).micro()) {
        case MicroOperation.Label l -> {}
        case MicroOperation.Jump(int label) -> at = code.position(label);
        case MicroOperation.Unless(var condition, int label) ->
            at = ExprEvaluator.holds(condition, this::name) ? at : code.position(label);
        case MicroOperation.UnlessKind(var peer, var kind, int label) ->
            at = topology.kind(me(), (int) value(peer)) == kind ? at : code.position(label);
        case MicroOperation.Set(var register, var value) -> names.put(register, value(value));
        case MicroOperation.Bar b -> {
          time += ps(model.block().barrier());
          polls = false;
        }
        case MicroOperation.VisibilityFence c -> time += ps(model.block().consist());
        case MicroOperation.Fence(var scope, var strict, var alone) -> {
          if (scope == Scope.SYS) {
            fence();
          }
        }
        case MicroOperation.Copy c -> {
          if (notYet() || !copy(c)) {
            return false;
          }
        }
        case MicroOperation.WriteSlot w -> {
          if (!paid && w.order() == Order.RELEASE) {
            fence();
          }
          paid = true;
          if (notYet()) {
            return false;
          }
          paid = false;
          members(w.slot().at()).forEach(to -> signal(w, to));
        }
        case MicroOperation.PollSlot p -> {
          if (!poll(p)) {
            return false;
          }
          time += ps(model.block().poll());
        }
        case MicroOperation.AwaitLane(var name) -> {
          for (Agent other : agents.get(me())) {
            if (other.instance.lane().name().equals(name)) {
              if (!other.ended) {
                waiting.computeIfAbsent("join " + me(), k -> new ArrayList<>()).add(this);
                return false;
              }
              time = Math.max(time, other.time);
            }
          }
        }
        case MicroOperation.Post p -> {
          time += paid ? 0 : ps(model.nic().post());
          paid = true;
          if (notYet()) {
            return false;
          }
          paid = false;
          post((int) value(p.peer()), p);
        }
        case MicroOperation.AwaitQueue(var peer, var queue) -> {
          Long complete = queueComplete.remove(queue((int) value(peer), value(queue)));
          if (complete != null) {
            time = Math.max(time, complete) + ps(model.block().poll());
          }
        }
        case MicroOperation.End() -> {
          if (notYet()) {
            return false;
          }
          end();
          return false;
        }
        default -> throw new IllegalStateException("not drawn: " + code.steps().get(at));
      }
      at++;
      return true;
    }

    private void end() {
      ended = true;
      time = Math.max(time, pending);
      rankEnd[me()] = Math.max(rankEnd[me()], time);
      launchEnd[launched - 1] = Math.max(launchEnd[launched - 1], rankEnd[me()]);
      List<Agent> joining = waiting.remove("join " + me());
      if (joining != null) {
        joining.reversed().forEach(agent -> agent.later(now));
      }
      if (agents.get(me()).stream().allMatch(a -> a.ended)) {
        launch(me());
      }
    }

    private void fence() {
      time += ps(model.block().fence());
      if (pending > 0) {
        time = Math.max(time, pending + ps(model.nvlink().latency()));
        pending = 0;
      }
    }

    private String slot(Slot slot, int source, int owner) {
      return source + " " + owner + " " + slot.signal() + value(slot.index());
    }

    private String place(Region region, int owner) {
      return "packets " + owner + " " + region.buffer() + value(region.offset());
    }

    private void signal(MicroOperation.WriteSlot w, int to) {
      time += ps(model.block().issue());
      long arrival = time;
      if (to != me()) {
        arrival =
            book(model.nvlink(), me(), to, model.nvlink().signal(), time)
                + ps(model.nvlink().latency());
        pending = Math.max(pending, arrival);
      }
      arrive(arrival, slot(w.slot(), me(), to), value(w.value()), w.change() == Change.ADD);
    }

    private boolean poll(MicroOperation.PollSlot p) {
      List<Integer> sources = members(p.slot().at());
      LongPredicate satisfied = word -> p.comparison().test(word, value(p.value()));
      if (p.quantifier() == Quantifier.SUM && !(p.slot().at() instanceof Peers.One)) {
        long sum =
            sources.stream().mapToLong(s -> words.getOrDefault(slot(p.slot(), s, me()), 0L)).sum();
        return satisfied.test(sum) || waits("sum of " + slot(p.slot(), 0, me()).substring(2));
      }
      for (; seen < sources.size(); seen++) {
        String word = slot(p.slot(), sources.get(seen), me());
        if (!satisfied.test(words.getOrDefault(word, 0L))) {
          return waits(word);
        }
      }
      seen = 0;
      return true;
    }

    private boolean waits(String word) {
      waiting.computeIfAbsent(word, k -> new ArrayList<>()).add(this);
      return false;
    }

    private static long image(Region region, long bytes) {
      return region.access() instanceof Access.Packets(var format, Expr flag)
          ? format.image(bytes)
          : bytes;
    }

    /** Every source separately, with its variable replaced by its value. */
    private boolean lines(MicroOperation.Copy c) {
      return Stream.concat(c.destinations().stream(), sources(c).stream())
          .anyMatch(region ->
              region.access() instanceof Access.Packets(var format, Expr flag)
                  && format == PacketFormat.LINE128);
    }

    private List<Region> sources(MicroOperation.Copy c) {
      List<Region> sources = new ArrayList<>();
      for (SourceSeries s : c.sources()) {
        for (long i = 0; i < value(s.count()); i++) {
          Region g = s.region();
          Expr turn = Expr.of(i);
          Peers at =
              g.at() instanceof Peers.One(Expr one)
                  ? Peers.one(ExprEdits.substitute(one, s.variable(), turn))
                  : g.at();
          Expr offset = ExprEdits.substitute(g.offset(), s.variable(), turn);
          sources.add(new Region(g.buffer(), at, offset, g.access()));
        }
      }
      return sources;
    }

    private boolean copy(MicroOperation.Copy c) {
      boolean polled = false;
      for (Region source : sources(c)) {
        if (source.access() instanceof Access.Packets(var format, Expr flag)) {
          String word = place(source, me());
          if (words.getOrDefault(word, 0L) != value(flag)) {
            waited = true;
            return waits(word);
          }
          polled = true;
        }
      }
      if (polled) {
        time += !polls || waited ? ps(model.block().poll()) : 0;
        polls = true;
        waited = false;
      }
      long length = value(c.bytes());
      long read = sources(c).stream().mapToLong(s -> image(s, length)).sum();
      long written =
          c.destinations().stream().mapToLong(d -> image(d, length) * members(d.at()).size()).sum();
      if (read + written == 0) {
        return true;
      }
      int threads = ((LaneFamily.Engine.Sm) instance.lane().engine()).threads();
      long latency = ps(model.nvlink().latency());
      long start = time;
      long issued =
          start
              + (polled ? 0 : ps(model.block().load()))
              + (lines(c) ? ps(model.block().line()) : 0)
              + Math.round(1e3 / model.block().thread() / threads * Math.max(read, written));
      for (Region source : sources(c)) {
        int from = members(source.at()).getFirst();
        if (from != me()) {
          long end = book(model.nvlink(), from, me(), length, start + latency);
          issued = Math.max(issued, end + latency);
        }
      }
      time = issued;
      for (Region d : c.destinations()) {
        for (int to : fromTheNext(d.at())) {
          long arrival = issued;
          if (to != me()) {
            long end = book(model.nvlink(), me(), to, image(d, length), start);
            time = Math.max(time, end);
            arrival = Math.max(issued, end) + latency;
            pending = Math.max(pending, arrival);
          }
          if (d.access() instanceof Access.Packets(var format, Expr flag)) {
            if (to == me()) {
              words.put(place(d, to), value(flag));
            }
            arrive(arrival, place(d, to), value(flag), false);
          }
        }
      }
      return true;
    }

    private String queue(int peer, long number) {
      return me() + " " + instance.label() + " " + peer + " " + number;
    }

    private void post(int peer, MicroOperation.Post p) {
      String nic = "nic " + me();
      String queue = queue(peer, value(p.queue()));
      long latency = ps(model.rdma().latency());
      long begin = Math.max(time + ps(model.nic().doorbell()), ports.getOrDefault(nic, 0L));
      ports.put(nic, begin + ps(model.nic().gap()));
      switch (p.request()) {
        case MicroOperation.Request.Write(var local, var remote, var length) -> {
          long arrival =
              arrived(queue, book(model.rdma(), me(), peer, value(length), begin) + latency);
          Long flag = words.get(place(local, me()));
          if (flag != null) {
            arrive(arrival, place(remote, peer), flag, false);
          }
        }
        case MicroOperation.Request.Read(var local, var remote, var length) ->
            complete(
                queue, book(model.rdma(), peer, me(), value(length), begin + latency) + latency);
        case MicroOperation.Request.WriteSlot(var slot, var value, var order, var scope) ->
            slot(queue, slot, peer, value(value), false, begin);
        case MicroOperation.Request.AddSlot(var slot, var value, var order, var scope) ->
            slot(queue, slot, peer, value(value), true, begin);
        case MicroOperation.Request.ReadBack() ->
            complete(
                queue, Math.max(queueArrived.getOrDefault(queue, 0L), begin + latency) + latency);
        default -> throw new IllegalStateException("not drawn: " + p);
      }
    }

    private void slot(String queue, Slot slot, int peer, long value, boolean adds, long begin) {
      long end = book(model.rdma(), me(), peer, model.rdma().signal(), begin);
      long arrival = arrived(queue, end + ps(model.rdma().latency()));
      arrive(arrival, slot(slot, me(), peer), value, adds);
    }

    private long arrived(String queue, long time) {
      long arrival = queueArrived.merge(queue, time, Math::max);
      complete(queue, arrival + ps(model.rdma().latency()));
      return arrival;
    }

    private void complete(String queue, long time) {
      queueComplete.merge(queue, time, Math::max);
    }
  }
}
