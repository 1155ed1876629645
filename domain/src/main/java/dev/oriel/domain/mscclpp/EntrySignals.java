package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.program.Order;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The orders of signals and waits. Relaxed ones order nothing, with one exception: those with which
 * a launch begins. A signal before its block has moved anything, or acquired from others, only says
 * that the launch has begun, so what earlier kernels wrote, such as the input, is visible. Such a
 * pair of a signal and a relaxed wait is modelled as one that releases and acquires, which orders
 * nothing more.
 */
final class EntrySignals {
  /** Signals and relaxed waits before any data was moved. */
  private final Set<Operation> entries = new HashSet<>();

  /** Channels, at the gpu that waits, whose first signal of a launch is such an operation. */
  private final Set<String> begun = new HashSet<>();

  private final Set<String> signalled = new HashSet<>();
  private final Set<String> awaited = new HashSet<>();

  EntrySignals(ExecutionPlan plan) {
    plan.blocks().forEach(this::signals);
    plan.blocks().forEach(this::waits);
  }

  private void signals(Block block) {
    boolean informed = false;
    for (Operation outer : block.operations()) {
      for (Operation of : outer.all().toList()) {
        boolean signals = of.type() == OperationType.SIGNAL || of.type() == OperationType.RLXSIGNAL;
        boolean once = outer.type() != OperationType.PIPELINE;
        boolean entry = signals && !informed && once;
        if (entry) {
          entries.add(of);
        }
        for (Channel channel : signals ? of.channels() : List.<Channel>of()) {
          if (signalled.add(key(channel, channel.peer(), of.gpu())) && entry) {
            begun.add(key(channel, channel.peer(), of.gpu()));
          }
        }
        informed |= of.type().moves() || acquires(of);
      }
    }
  }

  private void waits(Block block) {
    boolean moved = false;
    for (Operation outer : block.operations()) {
      for (Operation of : outer.all().toList()) {
        boolean waits = of.type() == OperationType.WAIT || of.type() == OperationType.RLXWAIT;
        boolean first = true;
        boolean begins = true;
        for (Channel channel : waits ? of.channels() : List.<Channel>of()) {
          first &= awaited.add(key(channel, of.gpu(), channel.peer()));
          begins &= begun.contains(key(channel, of.gpu(), channel.peer()));
        }
        boolean once = outer.type() != OperationType.PIPELINE;
        if (of.type() == OperationType.RLXWAIT && !moved && once && first && begins) {
          entries.add(of);
        }
        moved |= of.type().moves();
      }
    }
  }

  private static boolean acquires(Operation of) {
    return switch (of.type()) {
      case WAIT, BARRIER, SEM_ACQUIRE -> true;
      default -> false;
    };
  }

  /** The channel between two gpus, named by the one that waits and the one that signals. */
  private static String key(Channel channel, int waits, int signals) {
    return "%s %d: %d to %d".formatted(channel.type(), channel.pair(), signals, waits);
  }

  /** The order of a signal. */
  Order orderOf(Operation signal) {
    return signal.type() == OperationType.SIGNAL || entries.contains(signal)
        ? Order.RELEASE
        : Order.RELAXED;
  }

  /** The order of a wait. */
  Order orderOfWait(Operation wait) {
    return wait.type() == OperationType.WAIT || entries.contains(wait)
        ? Order.ACQUIRE
        : Order.RELAXED;
  }
}
