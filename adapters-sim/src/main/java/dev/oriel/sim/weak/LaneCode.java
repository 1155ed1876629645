package dev.oriel.sim.weak;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** One lane instance compiled: acts, how many registers they use, and which of those persist. */
final class LaneCode {
  private final RankProgram rank;
  private final LaneInstance instance;
  private final List<LaneInstance> siblings;
  private final int firstLane;
  private final Map<String, Integer> registers = new TreeMap<>();
  private final List<Act> acts = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final int[] targets;

  /** Register of the epoch; the state words follow it. */
  static final int EPOCH = 0;

  private final int persistent;

  /**
   * @param firstLane the number of the rank's first lane among all lanes of the world
   */
  LaneCode(RankProgram rank, LaneInstance instance, int firstLane, LoweredLane lowered) {
    this.rank = rank;
    this.instance = instance;
    this.siblings = rank.lanes();
    this.firstLane = firstLane;
    register("epoch");
    for (Lane.State s : instance.lane().states()) {
      register(s.name());
    }
    persistent = registers.size();
    targets = new int[lowered.steps().size() + 1];
    int at = 0;
    for (int i = 0; i < lowered.steps().size(); i++) {
      targets[i] = at;
      at += lowered.steps().get(i).micro() instanceof Micro.Label ? 0 : 1;
    }
    for (var step : lowered.steps()) {
      if (!(step.micro() instanceof Micro.Label)) {
        acts.add(act(step.micro(), lowered));
        texts.add(StepPrinter.print(step.micro()));
      }
    }
  }

  int rank() {
    return rank.rank();
  }

  LaneInstance instance() {
    return instance;
  }

  /** Every place that the lane's threads copy from or to. */
  List<Act.Place> places() {
    List<Act.Place> places = new ArrayList<>();
    for (Act act : acts) {
      if (act instanceof Act.Copy(var destinations, var combine, var sources, Term bytes)) {
        places.addAll(destinations);
        places.addAll(sources);
      }
    }
    return places;
  }

  int actCount() {
    return acts.size();
  }

  Act act(int at) {
    return acts.get(at);
  }

  String text(int at) {
    return texts.get(at);
  }

  int registerCount() {
    return registers.size();
  }

  int persistentCount() {
    return persistent;
  }

  /** Whether the lane is a block of threads, of which one signals and polls for all. */
  boolean threads() {
    return instance.lane().engine() instanceof Lane.Engine.Sm(int count) && count > 1;
  }

  /** Whether the lane posts to queues or awaits them. */
  boolean posts() {
    return acts.stream()
        .anyMatch(a ->
            a instanceof Act.PostWrite
                || a instanceof Act.PostRead
                || a instanceof Act.PostSlot
                || a instanceof Act.PostReadBack
                || a instanceof Act.AwaitQueue);
  }

  private int register(String name) {
    return registers.computeIfAbsent(name, n -> registers.size());
  }

  private Term term(Expr expr) {
    return Term.of(
        expr,
        name -> {
          Integer register = registers.get(name);
          if (register != null) {
            return new Term.Register(register);
          }
          Long index = instance.indices().get(name);
          return new Term.Literal(index != null ? index : rank.known(name));
        });
  }

  private List<Act.Compare> condition(Cond condition) {
    return condition.terms().stream()
        .map(t -> new Act.Compare(term(t.left()), t.comparison(), term(t.right())))
        .toList();
  }

  private Act.Ranks ranks(Peers peers) {
    int world = rank.program().world();
    return switch (peers) {
      case Peers.Self() -> new Act.Ranks(new int[] {rank()}, null);
      case Peers.All() -> new Act.Ranks(IntStream.range(0, world).toArray(), null);
      case Peers.Others() ->
          new Act.Ranks(IntStream.range(0, world).filter(r -> r != rank()).toArray(), null);
      case Peers.One(Expr one) -> {
        Term term = term(one);
        yield term instanceof Term.Literal(long value)
            ? new Act.Ranks(new int[] {Math.toIntExact(value)}, null)
            : new Act.Ranks(new int[0], term);
      }
    };
  }

  private Act.Place place(Region region) {
    int buffer = rank.program().form().bufferIndex(region.buffer());
    return region.access() instanceof Access.Packets(var format, Expr flag)
        ? new Act.Place(buffer, ranks(region.at()), term(region.offset()), format, term(flag))
        : new Act.Place(
            buffer, ranks(region.at()), term(region.offset()), null, new Term.Literal(0));
  }

  private Act.Word word(Slot slot) {
    int signal = rank.program().form().signalIndex(slot.signal());
    return new Act.Word(signal, term(slot.index()), ranks(slot.at()));
  }

  private Act act(Micro micro, LoweredLane lowered) {
    return switch (micro) {
      case Micro.Label l -> throw new AssertionError("labels are no acts");
      case Micro.Jump(int label) -> new Act.Jump(target(label, lowered));
      case Micro.Unless(var condition, int label) ->
          new Act.Unless(condition(condition), target(label, lowered));
      case Micro.UnlessKind(var peer, var kind, int label) ->
          new Act.UnlessKind(term(peer), kind, target(label, lowered));
      case Micro.Set(var register, var value) -> {
        Term compiled = term(value);
        yield new Act.Set(register(register), compiled);
      }
      case Micro.Bar() -> new Act.Bar();
      case Micro.Fence(var scope) -> new Act.Fence(scope);
      case Micro.Copy c ->
          new Act.Copy(
              c.destinations().stream().map(this::place).toList(),
              c.combine(),
              c.sources().stream().map(this::place).toList(),
              term(c.bytes()));
      case Micro.WriteSlot w ->
          new Act.WriteSlot(
              word(w.slot()), w.change(), term(w.value()), w.order() == Order.RELEASE, w.scope());
      case Micro.PollSlot p ->
          new Act.Poll(
              word(p.slot()),
              p.quantifier() == Quantifier.SUM,
              p.comparison(),
              term(p.value()),
              p.order() == Order.ACQUIRE,
              p.scope());
      case Micro.AwaitLane(var lane) ->
          new Act.AwaitLane(
              IntStream.range(0, siblings.size())
                  .filter(i -> siblings.get(i).lane().name().equals(lane))
                  .mapToObj(i -> firstLane + i)
                  .toList());
      case Micro.LoadWord(var register, var word, int width, var max, int code) -> {
        Act.Place place = place(word);
        Term limit = term(max);
        yield new Act.Load(register(register), place, limit, code);
      }
      case Micro.OnWord w -> throw new AssertionError(w);
      case Micro.StoreWord(var word, int width, var value) ->
          new Act.Store(place(word), term(value));
      case Micro.Check(var condition, int code) -> new Act.Check(condition(condition), code);
      case Micro.Post(var peer, var queue, var request, boolean fenced, boolean loose) ->
          switch (request) {
            case Micro.Request.Write(var local, var remote, var bytes) ->
                new Act.PostWrite(term(peer), place(local), place(remote), term(bytes));
            case Micro.Request.Read(var local, var remote, var bytes) ->
                new Act.PostRead(term(peer), place(local), place(remote), term(bytes));
            case Micro.Request.WriteSlot(var slot, var value) ->
                new Act.PostSlot(term(peer), word(slot), Change.SET, term(value));
            case Micro.Request.AddSlot(var slot, var value) ->
                new Act.PostSlot(term(peer), word(slot), Change.ADD, term(value));
            case Micro.Request.ReadBack() -> new Act.PostReadBack(term(peer));
            case Micro.Request.OneSided r -> throw new AssertionError(r);
          };
      case Micro.AwaitQueue(var peer, var queue) -> new Act.AwaitQueue(term(peer));
      case Micro.Consist() -> new Act.Consist();
      case Micro.End() -> new Act.End();
    };
  }

  private int target(int label, LoweredLane lowered) {
    return targets[lowered.position(label)];
  }
}
