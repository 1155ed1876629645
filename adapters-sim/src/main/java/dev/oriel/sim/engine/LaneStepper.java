package dev.oriel.sim.engine;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.CombineEvaluator;
import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.packet.PacketImage;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.LaneState.Posted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/** Executes one micro-operation of one lane. */
final class LaneStepper {
  private final WorldState world;
  private final LaneState lane;

  LaneStepper(WorldState world, LaneState lane) {
    this.world = world;
    this.lane = lane;
  }

  /** Whether the lane's next step can be taken now; a failed lane waits for nothing. */
  boolean enabled() {
    if (lane.ended) {
      return false;
    }
    return switch (lane.micro()) {
      case MicroOperation.PollSlot p -> lane.failure != 0 || satisfied(p);
      case MicroOperation.Copy c -> lane.failure != 0 || arrived(c);
      case MicroOperation.AwaitLane(var name) ->
          world.lanes.get(lane.rank()).stream()
              .filter(other -> other.instance.lane().name().equals(name))
              .allMatch(other -> other.ended && other.stores.isEmpty());
      case MicroOperation.AwaitQueue(var peer, var queue) -> queue(rank(peer)).isEmpty();
      case MicroOperation.WordStep w -> lane.failure != 0 || mayTake(w);
      case MicroOperation.Fence f -> lane.stores.isEmpty();
      default -> true;
    };
  }

  /** Whether the next step is a read that may wait longer, since its condition does not hold. */
  boolean waits() {
    if (lane.failure != 0) {
      return false;
    }
    return switch (lane.micro()) {
      case MicroOperation.ReadSlot r ->
          r.until()
              .filter(u -> !holds(u, slotValue(r.slot(), members(r.slot().at()).getFirst())))
              .isPresent();
      case MicroOperation.Rmw r ->
          r.until().filter(u -> !holds(u, word(lane.rank(), r.word()))).isPresent();
      default -> false;
    };
  }

  private boolean holds(Call.Until until, long word) {
    return until.comparison().test(word, value(until.value()));
  }

  /** Whether the next step accesses nothing that another agent can read or change. */
  boolean internal() {
    return switch (lane.micro()) {
      case MicroOperation.Label l -> true;
      case MicroOperation.Jump j -> true;
      case MicroOperation.Unless u -> true;
      case MicroOperation.UnlessKind u -> true;
      case MicroOperation.Set s -> true;
      case MicroOperation.Bar b -> true;
      case MicroOperation.VisibilityFence c -> true;
      case MicroOperation.Check c -> true;
      default -> false;
    };
  }

  void take() {
    int next = lane.at + 1;
    switch (lane.micro()) {
      case MicroOperation.Label l -> {}
      case MicroOperation.Bar b -> {}
      case MicroOperation.VisibilityFence c -> {}
      case MicroOperation.Fence f -> {}
      case MicroOperation.AwaitLane a -> {}
      case MicroOperation.AwaitQueue a -> {}
      case MicroOperation.PollSlot p -> {}
      case MicroOperation.Jump(int label) -> next = lane.code.position(label);
      case MicroOperation.Unless(var condition, int label) -> {
        if (!ExprEvaluator.holds(condition, lane::name)) {
          next = lane.code.position(label);
        }
      }
      case MicroOperation.UnlessKind(var peer, var kind, int label) -> {
        // Steps that a failed lane skips may have operands that name no rank.
        boolean nobody = lane.failure != 0 && (value(peer) < 0 || value(peer) >= world.size());
        if (nobody || world.kind(lane.rank(), rank(peer)) != kind) {
          next = lane.code.position(label);
        }
      }
      case MicroOperation.Set(var register, var value) ->
          lane.registers.put(register, value(value));
      case MicroOperation.Copy c -> {
        if (lane.failure == 0) {
          copy(c);
        }
      }
      case MicroOperation.WriteSlot w -> writeSlot(w);
      case MicroOperation.LoadWord l -> load(l);
      case MicroOperation.StoreWord(var word, int width, var value) -> {
        if (lane.failure == 0) {
          byte[] whole = new byte[Long.BYTES];
          LittleEndianWords.put(whole, 0, value(value));
          byte[] bytes = Arrays.copyOf(whole, width);
          lane.stores.add(
              PendingStore.bytes(
                  lane.rank(), world.buffer(word.buffer()), value(word.offset()), bytes));
        }
      }
      case MicroOperation.Check(var condition, int code) -> {
        if (lane.failure == 0 && !ExprEvaluator.holds(condition, lane::name)) {
          lane.failure = code;
        }
      }
      case MicroOperation.WordStep w -> take(w);
      case MicroOperation.BulkCopy(var to, var from, var bytes) -> {
        if (lane.failure == 0) {
          copy(
              new MicroOperation.Copy(
                  List.of(to), Combine.COPY, List.of(SourceSeries.of(from)), bytes));
        }
      }
      case MicroOperation.AwaitBulk w -> {}
      case MicroOperation.ProxyFence f -> {}
      case MicroOperation.Post(
              var peer,
              var queue,
              var request,
              boolean fenced,
              boolean unordered) ->
          post(rank(peer), request);
      case MicroOperation.End() -> lane.ended = true;
    }
    lane.at = lane.ended ? lane.at : next;
  }

  /** A word's step comes after the lane's own stores, and waits for its own condition. */
  private boolean mayTake(MicroOperation.WordStep step) {
    return lane.stores.isEmpty()
        && switch (step) {
          case MicroOperation.PollWord p ->
              p.comparison().test(word(lane.rank(), p.word()), value(p.value()));
          case MicroOperation.Lock(Region word, var scope) ->
              word(members(word.at()).getFirst(), word) == 0;
          case MicroOperation.ReadSlot r -> true;
          case MicroOperation.Rmw r -> true;
        };
  }

  private void take(MicroOperation.WordStep step) {
    switch (step) {
      case MicroOperation.PollWord p -> {}
      case MicroOperation.Lock(Region word, var scope) -> change(word, Atomic.SET, 1, 0);
      case MicroOperation.ReadSlot r -> {
        int source = members(r.slot().at()).getFirst();
        lane.registers.put(r.register(), lane.failure != 0 ? 0 : slotValue(r.slot(), source));
      }
      case MicroOperation.Rmw r -> {
        long old = change(r.word(), r.change(), value(r.operand()), value(r.compare()));
        if (!r.register().isEmpty()) {
          lane.registers.put(r.register(), old);
        }
      }
    }
  }

  /** Changes the word at every rank that is named; returns the old value at the last of them. */
  private long change(Region word, Atomic change, long operand, long compare) {
    long old = 0;
    for (int owner : lane.failure != 0 ? List.<Integer>of() : members(word.at())) {
      old = word(owner, word);
      LittleEndianWords.put(bytes(owner, word), offset(word), change.apply(old, operand, compare));
    }
    return old;
  }

  private long word(int owner, Region word) {
    return LittleEndianWords.get(bytes(owner, word), offset(word));
  }

  private byte[] bytes(int owner, Region region) {
    return world.memory[owner][world.buffer(region.buffer())];
  }

  private int offset(Region region) {
    return Math.toIntExact(value(region.offset()));
  }

  private long value(Expr expr) {
    return ExprEvaluator.value(expr, lane::name);
  }

  private int rank(Expr expr) {
    return Math.toIntExact(value(expr));
  }

  List<Integer> members(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> List.of(lane.rank());
      case Peers.One(Expr one) -> List.of(rank(one));
      case Peers.All() -> IntStream.range(0, world.size()).boxed().toList();
      case Peers.Others() ->
          IntStream.range(0, world.size()).filter(r -> r != lane.rank()).boxed().toList();
    };
  }

  private boolean satisfied(MicroOperation.PollSlot p) {
    long expected = value(p.value());
    List<Integer> sources = members(p.slot().at());
    if (p.quantifier() == Quantifier.SUM) {
      long sum = sources.stream().mapToLong(s -> slotValue(p.slot(), s)).sum();
      return p.comparison().test(sum, expected);
    }
    return sources.stream().allMatch(s -> p.comparison().test(slotValue(p.slot(), s), expected));
  }

  long slotValue(Slot slot, int source) {
    int place = world.slot(slot.signal(), source, value(slot.index()));
    return world.slots[lane.rank()][world.signal(slot.signal())][place];
  }

  private boolean arrived(MicroOperation.Copy c) {
    boolean[] all = {true};
    eachSource(c, (source, bytes) -> all[0] &= arrived(source, bytes));
    return all[0];
  }

  private boolean arrived(Region source, int bytes) {
    if (!(source.access() instanceof Access.Packets(var format, Expr flag))) {
      return true;
    }
    int length = Math.toIntExact(format.image(bytes));
    return PacketImage.arrived(format, read(source, length), value(flag));
  }

  /** Passes each source, with the number of bytes used, while its variable is bound. */
  private void eachSource(MicroOperation.Copy c, ObjIntConsumer<Region> look) {
    Combine combine = bound(c);
    long bytes = value(c.bytes());
    int source = 0;
    for (SourceSeries s : c.sources()) {
      long turns = value(s.count());
      for (long i = 0; i < turns; i++) {
        lane.registers.put(s.variable(), i);
        look.accept(s.region(), Math.toIntExact(CombineEvaluator.taken(combine, source++, bytes)));
      }
      lane.registers.remove(s.variable());
    }
  }

  private void copy(MicroOperation.Copy c) {
    int bytes = Math.toIntExact(value(c.bytes()));
    List<byte[]> taken = new ArrayList<>();
    eachSource(c, (source, length) -> taken.add(taken(source, length)));
    byte[] data = CombineEvaluator.bytes(bound(c), taken, bytes);
    for (Region d : c.destinations()) {
      if (d.access() instanceof Access.Packets(var format, Expr flag)) {
        store(d, 0, PacketImage.pack(format, data, value(flag)));
        continue;
      }
      for (BoundHook.Run run : CombineEvaluator.runs(bound(c), bytes)) {
        store(d, run.to(), Arrays.copyOfRange(data, run.from(), run.from() + run.length()));
      }
    }
  }

  private void store(Region d, int offset, byte[] image) {
    if (image.length > 0) {
      for (int peer : members(d.at())) {
        lane.stores.add(
            PendingStore.bytes(peer, world.buffer(d.buffer()), value(d.offset()) + offset, image));
      }
    }
  }

  private Combine bound(MicroOperation.Copy c) {
    return world.ranks.get(lane.rank()).bound(c.combine(), lane::name);
  }

  private byte[] taken(Region source, int bytes) {
    return source.access() instanceof Access.Packets(var format, Expr flag)
        ? PacketImage.unpack(format, read(source, (int) format.image(bytes)), bytes)
        : read(source, bytes);
  }

  /** The bytes as the lane reads them: arrived bytes, overlaid with its own stores. */
  private byte[] read(Region region, int length) {
    int owner = members(region.at()).getFirst();
    int buffer = world.buffer(region.buffer());
    int offset = Math.toIntExact(value(region.offset()));
    byte[] bytes = new byte[length];
    System.arraycopy(world.memory[owner][buffer], offset, bytes, 0, length);
    PendingStore wanted = PendingStore.bytes(owner, buffer, offset, bytes);
    for (PendingStore s : lane.stores) {
      if (s.overlaps(wanted)) {
        for (int i = 0; i < s.bytes().length; i++) {
          long at = s.offset() + i - offset;
          if (at >= 0 && at < length) {
            bytes[(int) at] = s.bytes()[i];
          }
        }
      }
    }
    return bytes;
  }

  private void writeSlot(MicroOperation.WriteSlot w) {
    for (int owner : members(w.slot().at())) {
      lane.stores.add(
          slotStore(owner, w.slot(), w.change(), w.value(), w.order() == Order.RELEASE));
    }
  }

  private PendingStore slotStore(int owner, Slot slot, Change change, Expr value, boolean release) {
    return PendingStore.slot(
        owner,
        world.signal(slot.signal()),
        world.slot(slot.signal(), lane.rank(), value(slot.index())),
        change == Change.SET ? PendingStore.Kind.SLOT_SET : PendingStore.Kind.SLOT_ADD,
        value(value),
        release);
  }

  private static MachineException unsupported(Object what) {
    return new MachineException("not executed by this engine: operation=" + what);
  }

  private void load(MicroOperation.LoadWord l) {
    if (lane.failure != 0) {
      lane.registers.put(l.register(), 0L);
      return;
    }
    long word = LittleEndianWords.get(Arrays.copyOf(read(l.word(), l.width()), Long.BYTES), 0);
    if (Long.compareUnsigned(word, value(l.max())) > 0) {
      lane.failure = l.code();
      word = 0;
    }
    lane.registers.put(l.register(), word);
  }

  private List<Posted> queue(int peer) {
    return lane.queues.computeIfAbsent(peer, p -> new ArrayList<>());
  }

  private void post(int peer, MicroOperation.Request request) {
    switch (request) {
      case MicroOperation.Request.Write(var local, var remote, var bytes) -> {
        if (lane.failure == 0) {
          queue(peer)
              .add(
                  new Posted.Write(
                      world.buffer(local.buffer()),
                      value(local.offset()),
                      Math.toIntExact(value(bytes)),
                      world.buffer(remote.buffer()),
                      value(remote.offset())));
        }
      }
      case MicroOperation.Request.Read(var local, var remote, var bytes) -> {
        if (lane.failure == 0) {
          queue(peer)
              .add(
                  new Posted.Read(
                      world.buffer(local.buffer()),
                      value(local.offset()),
                      Math.toIntExact(value(bytes)),
                      world.buffer(remote.buffer()),
                      value(remote.offset())));
        }
      }
      case MicroOperation.Request.WriteSlot(var slot, var value, var order, var scope) ->
          queue(peer).add(new Posted.Slot(slotStore(peer, slot, Change.SET, value, true)));
      case MicroOperation.Request.AddSlot(var slot, var value, var order, var scope) ->
          queue(peer).add(new Posted.Slot(slotStore(peer, slot, Change.ADD, value, true)));
      case MicroOperation.Request.ReadBack() -> queue(peer).add(new Posted.ReadBack());
      case MicroOperation.Request.OneSided r -> throw unsupported(r);
    }
  }
}
