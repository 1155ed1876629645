package dev.oriel.domain.binding;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Executes one lane with random states, epochs and loaded words, and reports the first operand
 * outside its range. Obvious on purpose: it knows nothing of proofs.
 */
final class BruteForce {
  private static final int MAX_STEPS = 20_000;

  /** An access that no accepted program may ever make. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private final Program program;
  private final RankProgram rank;
  private final Random random;
  private final Map<String, Long> registers = new HashMap<>();
  private boolean failed;
  private int steps;

  private BruteForce(Program program, RankProgram rank, Random random) {
    this.program = program;
    this.rank = rank;
    this.random = random;
  }

  static void run(Program program, Random random) {
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.unchecked(r);
      for (LaneInstance lane : rank.lanes()) {
        new BruteForce(program, rank, random).lane(lane);
      }
    }
  }

  private void lane(LaneInstance instance) {
    registers.putAll(instance.indices());
    registers.put("epoch", word());
    for (LaneFamily.State s : instance.lane().states()) {
      registers.put(s.name(), word() * rank.value(s.step()));
    }
    block(instance.lane().body());
  }

  private void block(List<Op> ops) {
    for (Op op : ops) {
      if (++steps < MAX_STEPS) {
        op(op);
      }
    }
  }

  private void op(Op op) {
    switch (op) {
      case Op.Move m -> {
        if (!failed) {
          m.sources().forEach(s -> inside(s.region(), value(m.bytes())));
          m.destinations().forEach(d -> inside(d, value(m.bytes())));
        }
      }
      case Op.Signal s -> {
        value(s.value());
        ranks(s.slot().at()).forEach(peer -> slot(s.slot(), peer));
      }
      case Op.Await a -> {
        if (!failed) {
          value(a.value());
          ranks(a.slot().at());
          slot(a.slot(), rank.rank());
        }
      }
      case Op.Flush f -> ranks(f.peers());
      case Op.Load l -> load(l);
      case Op.Let(var register, var value) -> registers.put(register, value(value));
      case Op.Assign(var state, var value) -> registers.put(state, value(value));
      case Op.Store(var word, int width, var value) -> {
        if (!failed) {
          value(value);
          word(word, width);
        }
      }
      case Op.Check(var condition, var code) ->
          failed |= !ExprEvaluator.holds(condition, this::name);
      case Op.If(var condition, var then, var otherwise) ->
          block(ExprEvaluator.holds(condition, this::name) ? then : otherwise);
      case Op.For(var variable, var count, var body) -> {
        long turns = value(count);
        require(turns >= 0, "endless loop", turns);
        for (long i = 0; i < turns && steps < MAX_STEPS; i++) {
          steps++;
          registers.put(variable, i);
          block(body);
        }
      }
      case Op.Each(var variable, var peers, var body) -> {
        for (int peer : ranks(peers)) {
          registers.put(variable, (long) peer);
          block(body);
        }
      }
      case Op.AwaitTicket t -> {}
      case Op.Sync s -> {}
      case Op.Leader(var body) -> block(body);
      case Op.Join j -> {}
      case Call c -> call(c);
    }
  }

  private void call(Call call) {
    switch (call) {
      case Call.Put p -> {
        transfer(p.to(), p.from(), p.extent());
        context(p.context());
        p.notice()
            .ifPresent(n -> {
              value(n.value());
              ranks(p.to().at()).forEach(peer -> slot(n.slot(p.to()), peer));
            });
        p.counter().ifPresent(this::call);
      }
      case Call.Get g -> {
        transfer(g.to(), g.from(), g.extent());
        context(g.context());
      }
      case Call.Change c -> {
        value(c.operand());
        value(c.compare());
        context(c.context());
        call(c.word());
        c.result().ifPresent(result -> call(result.into()));
      }
      case Call.Fence(Expr context) -> context(context);
      case Call.MemoryFence f -> {}
      case Call.Bulk b -> {
        if (!failed) {
          transfer(b.to(), b.from(), new Call.Extent(b.bytes()));
          for (Expr whole : List.of(b.to().offset(), b.from().offset(), b.bytes())) {
            require(value(whole) % 16 == 0, "misaligned bulk copy", value(whole));
          }
        }
      }
      case Call.AwaitBulk w -> {}
      case Call.OrderProxy f -> {}
      case Call.Quiet(Expr context) -> context(context);
      case Call.Wait w -> {
        value(w.value());
        call(w.word());
      }
      case Call.Read(var register, var slot, var _, var _) -> {
        if (!failed) {
          ranks(slot.at());
          slot(slot, rank.rank());
        }
        registers.put(register, word());
      }
      case Call.LoadStrong(var register, var word, var _, var _) -> {
        call(word);
        registers.put(register, word());
      }
      case Call.StoreStrong s -> {
        value(s.value());
        call(s.word());
      }
      case Call.Lock(Region word, var scope) -> call(word);
      case Call.Unlock(Region word, var scope) -> call(word);
      case Call.Meet m -> require(rank.rank() % 2 == 0, "no member", rank.rank());
    }
  }

  private void call(Region word) {
    if (!failed) {
      word(word, Long.BYTES);
    }
  }

  private void transfer(Region to, Region from, Call.Extent extent) {
    if (failed) {
      return;
    }
    ranks(to.at());
    ranks(from.at());
    if (extent.stride().isEmpty()) {
      inside(to, value(extent.bytes()));
      inside(from, value(extent.bytes()));
      return;
    }
    Call.Stride stride = extent.stride().get();
    long count = value(stride.count());
    require(count >= 0, "endless transfer", count);
    for (long i = 0; i < count && steps < MAX_STEPS; i++) {
      steps++;
      inside(to, value(to.offset()) + i * value(stride.to()), value(extent.bytes()));
      inside(from, value(from.offset()) + i * value(stride.from()), value(extent.bytes()));
    }
  }

  private void context(Expr context) {
    long number = value(context);
    require(number >= 0 && number < 64, "no context", number);
  }

  private void load(Op.Load l) {
    long word = 0;
    if (!failed) {
      word(l.word(), l.width());
      long max = l.bound().map(b -> value(b.max())).orElse(-1L);
      word = random.nextInt(3) == 0 ? max : random.nextBoolean() ? word() : random.nextInt(20);
      word = l.width() == 8 ? word : word & ((1L << (8 * l.width())) - 1);
      if (Long.compareUnsigned(word, max) > 0) {
        failed = true;
        word = 0;
      }
    }
    registers.put(l.register(), word);
  }

  private void word(Region word, int width) {
    inside(word, width);
    require(value(word.offset()) % width == 0, "misaligned word", value(word.offset()));
  }

  private void inside(Region region, long bytes) {
    inside(region, value(region.offset()), bytes);
  }

  private void inside(Region region, long offset, long bytes) {
    require(bytes >= 0, "negative length", bytes);
    BigInteger image = BigInteger.valueOf(bytes);
    if (region.access() instanceof Access.Packets(var format, Expr flag)) {
      value(flag);
      require(offset % format.bytes() == 0, "misaligned packet", offset);
      BigInteger packets =
          image
              .add(BigInteger.valueOf(format.payload() - 1L))
              .divide(BigInteger.valueOf(format.payload()));
      image = packets.max(BigInteger.ONE).multiply(BigInteger.valueOf(format.bytes()));
    }
    BigInteger end = BigInteger.valueOf(offset).add(image);
    for (int owner : ranks(region.at())) {
      long size = program.unchecked(owner).bytes(region.buffer());
      require(
          offset >= 0 && end.compareTo(BigInteger.valueOf(size)) <= 0,
          FormPrinter.print(region) + " leaves " + size + " bytes",
          offset);
    }
  }

  private void slot(Slot slot, int owner) {
    long index = value(slot.index());
    int count = program.unchecked(owner).slots(slot.signal());
    require(index >= 0 && index < count, FormPrinter.print(slot) + " leaves its row", index);
  }

  private List<Integer> ranks(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> List.of(rank.rank());
      case Peers.All() -> IntStream.range(0, program.world()).boxed().toList();
      case Peers.Others() ->
          IntStream.range(0, program.world()).filter(p -> p != rank.rank()).boxed().toList();
      case Peers.One(Expr one) -> {
        long peer = value(one);
        require(peer >= 0 && peer < program.world(), "no rank", peer);
        yield List.of((int) peer);
      }
    };
  }

  private long value(Expr expr) {
    try {
      return ExprEvaluator.value(expr, this::name);
    } catch (ProgramException e) {
      throw new Violation(String.valueOf(e.getMessage()));
    }
  }

  private long name(String name) {
    Long running = registers.get(name);
    return running != null ? running : rank.known(name);
  }

  private long word() {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> random.nextInt(100);
      case 2 -> Long.MAX_VALUE - random.nextInt(50);
      case 3 -> -random.nextInt(50);
      default -> random.nextLong();
    };
  }

  private static void require(boolean right, String what, long value) {
    if (!right) {
      throw new Violation(what + ": " + value);
    }
  }
}
