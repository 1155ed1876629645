package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether one lane has the meaning of a block. All threads of a block move data, but thread i alone
 * signals and waits at channel i of an operation. Only a {@code nop} orders one thread's operations
 * with those of another. A lane orders more. This makes no difference if between two {@code nop}s
 *
 * <ul>
 *   <li>no thread moves data after a wait of another,
 *   <li>no thread signals after another moved data, and
 *   <li>no thread signals after another waited.
 * </ul>
 *
 * <p>Otherwise the threads that signal and wait need lanes of their own.
 */
final class BlockThreads {
  private boolean moved;
  private boolean waited;
  private boolean waitedApart;
  private boolean apart;

  private BlockThreads() {}

  /** Whether one lane models all threads of the block. */
  static boolean inOneLane(Block block) {
    BlockThreads threads = new BlockThreads();
    for (Operation operation : block.operations()) {
      if (operation.type() == OperationType.PIPELINE) {
        // Twice, since the end of one turn and the begin of the next have no nop between them.
        operation.inner().forEach(threads::add);
        operation.inner().forEach(threads::add);
      } else {
        threads.add(operation);
      }
    }
    return !threads.apart;
  }

  private void add(Operation of) {
    int threads = Math.max(of.channels().size(), of.semaphores().size());
    switch (of.type()) {
      case NOP, BARRIER -> {
        moved = false;
        waited = false;
        waitedApart = false;
      }
      case WAIT, RLXWAIT, SEM_ACQUIRE, FLUSH -> {
        waited = true;
        waitedApart |= threads > 1;
      }
      case SIGNAL, SEM_RELEASE -> releases(threads);
      case RLXSIGNAL -> apart |= waitedApart || (waited && threads > 1);
      default -> {
        if (isRequest(of)) {
          releases(threads);
          if (of.type() == OperationType.PWSF) {
            waited = true;
            waitedApart |= threads > 1;
          }
        } else {
          apart |= waited;
          moved = true;
        }
      }
    }
  }

  private void releases(int threads) {
    apart |= moved || waitedApart || (waited && threads > 1);
  }

  /** Whether few threads hand the data to a proxy. */
  static boolean isRequest(Operation of) {
    return of.isPort() && of.type().moves();
  }

  /** The operations of a block as they are executed, with the turn of each. */
  static List<Executed> executed(Block block, ExecutionVariant variant) {
    List<Executed> all = new ArrayList<>();
    for (Operation operation : block.operations()) {
      if (operation.type() != OperationType.PIPELINE) {
        all.add(new Executed(operation, 0));
        continue;
      }
      int turns = variant.turnsOf(operation.turns().orElseThrow().chunks());
      for (int turn = 0; turn < turns; turn++) {
        for (Operation inner : operation.inner()) {
          all.add(new Executed(inner, turn));
        }
      }
    }
    return all;
  }

  /** An operation in a turn of its pipeline; 0 for all others. */
  record Executed(Operation operation, int turn) {}
}
