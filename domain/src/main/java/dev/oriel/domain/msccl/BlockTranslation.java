package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations of one thread block. A connection is a ring of slots at its receiver. {@code sent}
 * and {@code received} count transfers of all launches:
 *
 * <pre>
 * sender                                              receiver
 * await free reached sent - (slots - 1)               await full reached received + 1
 * write slot sent % slots                             read slot received % slots
 * signal full = sent + 1      (release)               signal free = received + 1  (release)
 * </pre>
 *
 * <p>Packets have no counter {@code full}: the reader polls their flags, and thus acquires nothing
 * else. Blocks of one gpu wait for each other's {@code done}, which grows over all launches. Each
 * move has the name of its step, such as {@code step12}, or {@code step12_4} from chunk 4 on.
 */
final class BlockTranslation {
  /** Transfers of the connection on which the block sends, in all launches. */
  static final String SENT = "sent";

  /** The same for the connection on which it receives. */
  static final String RECEIVED = "received";

  private final ConnectionMemory connections;
  private final PlanMemory memory;
  private final ThreadBlock block;
  private final MscclVariant variant;
  private final FlagOrder flags;
  private final long turns;
  private final List<Op> ops = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  /**
   * Translates a block.
   *
   * @param turns more than the steps of any block
   */
  BlockTranslation(
      PlanMemory memory,
      ConnectionMemory connections,
      ThreadBlock block,
      MscclVariant variant,
      FlagOrder flags,
      long turns) {
    this.memory = memory;
    this.connections = connections;
    this.block = block;
    this.variant = variant;
    this.flags = flags;
    this.turns = turns;
    FusedSteps.of(block).forEach(this::transfer);
    if (steps.stream().anyMatch(step -> step.type().sends())) {
      // The caller may overwrite its input after all reads of it have completed.
      Step last = steps.getLast();
      add(last, new Op.Flush(Peers.one(Expr.of(block.send())), Op.Flush.Reach.LOCAL));
    }
  }

  List<Op> ops() {
    return List.copyOf(ops);
  }

  /** The step to which each operation belongs. */
  List<Step> steps() {
    return List.copyOf(steps);
  }

  private void transfer(FusedSteps transfer) {
    Step step = transfer.first();
    if (!ops.isEmpty()) {
      // A block finishes each step before the next.
      add(step, new Op.Sync());
    }
    transfer.dependencies().forEach(on -> add(step, await(on)));
    boolean connected = step.type().sends() || step.type().receives();
    int most = connected ? variant.mostChunks() : step.count();
    for (int done = 0; done < step.count(); done += most) {
      if (done > 0) {
        add(step, new Op.Sync());
      }
      piece(transfer, done, Math.min(most, step.count() - done));
    }
    Step last = transfer.last();
    if (last.announced()) {
      add(last, announce(last));
    }
  }

  /** Some chunks of a transfer, as many as travel at once. */
  private void piece(FusedSteps transfer, int ahead, int count) {
    Step step = transfer.first();
    Expr sent = Expr.name(SENT);
    Expr received = Expr.name(RECEIVED);
    boolean counted = connections.packets().isEmpty();
    if (step.type().sends()) {
      add(
          step,
          await(
              connections.free(block.channel(), block.send()),
              sent.minus(connections.slots() - 1L)));
    }
    if (step.type().receives() && counted) {
      add(step, await(connections.full(block.channel(), block.receive()), received.plus(1)));
    }
    move(transfer, ahead, count);
    if (step.type().sends()) {
      if (counted) {
        add(step, signal(connections.full(block.channel(), block.send()), sent.plus(1)));
      }
      add(step, new Op.Assign(SENT, sent.plus(1)));
    }
    if (step.type().receives()) {
      // The sender overwrites the slot after this block's reads of it.
      add(step, signal(connections.free(block.channel(), block.receive()), received.plus(1)));
      add(step, new Op.Assign(RECEIVED, received.plus(1)));
    }
  }

  private void move(FusedSteps transfer, int ahead, int count) {
    Step step = transfer.first();
    List<Region> to = new ArrayList<>();
    List<Region> from = new ArrayList<>();
    if (step.type().receives()) {
      from.add(connections.receiving(block.receive(), block.channel(), Expr.name(RECEIVED)));
    }
    if (step.type() == StepType.RE) {
      step.destination().ifPresent(place -> from.add(region(place, ahead)));
    }
    for (Step each : transfer.steps()) {
      each.source().ifPresent(place -> from.add(region(place, ahead)));
    }
    step.destination().ifPresent(place -> to.add(region(place, ahead)));
    if (step.type().sends()) {
      to.add(connections.sending(block.gpu(), block.send(), block.channel(), Expr.name(SENT)));
    }
    if (from.equals(to)) {
      // A copy onto itself, as where input and output are one.
      return;
    }
    Combine combine = from.size() == 1 ? Combine.COPY : CollectiveMemory.SUM;
    String ticket = "step" + step.number() + (ahead == 0 ? "" : "_" + ahead);
    add(step, new Op.Move(ticket, to, combine, SourceSeries.of(from), memory.bytes(count)));
  }

  private Region region(Place place, int ahead) {
    return memory.region(block.gpu(), place, ahead);
  }

  private Op await(Dependency on) {
    Slot slot = new Slot(ConnectionMemory.DONE, Expr.of(on.block()), Peers.SELF);
    return new Op.Await(
        slot,
        Op.Await.Quantifier.EACH,
        Comparison.REACHED,
        turn(on.step()),
        flags.read(),
        flags.scope());
  }

  private Op announce(Step step) {
    Slot slot = new Slot(ConnectionMemory.DONE, Expr.of(block.id()), Peers.SELF);
    return new Op.Signal(
        slot,
        Op.Signal.Change.SET,
        turn(step.number()),
        flags.stored(),
        flags.scope(),
        Op.Signal.Cover.LANE);
  }

  /** The value that a block's flag has after that step of this launch. */
  private Expr turn(int step) {
    return Expr.epoch().times(turns).plus(step + 1L);
  }

  private static Op await(Slot slot, Expr value) {
    return new Op.Await(
        slot, Op.Await.Quantifier.EACH, Comparison.REACHED, value, Order.ACQUIRE, Scope.SYS);
  }

  private static Op signal(Slot slot, Expr value) {
    return new Op.Signal(
        slot, Op.Signal.Change.SET, value, Order.RELEASE, Scope.SYS, Op.Signal.Cover.LANE);
  }

  private void add(Step step, Op op) {
    steps.add(step);
    ops.add(op);
  }
}
