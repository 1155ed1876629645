package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The steps of one lane, emitted from front to back: labels, loops, barriers.
 *
 * <p>Invariant: {@code unordered} holds the accesses that threads of the lane may have made since
 * the last barrier. An edge that publishes accesses (a release, a request that the interface
 * serves) needs a barrier first exactly if it is set; every method that emits an access must set
 * it. What one thread does {@link #alone} publishes its own accesses only.
 */
final class StepEmitter {
  private static final Expr RANK = Expr.name("r");
  private static final Expr WORLD = Expr.name("n");

  private final List<LoweredStep> steps = new ArrayList<>();
  private int labels;
  private int loops;
  private PendingAccesses unordered = PendingAccesses.NONE;

  /** Whether one thread executes the steps, while the others go on. */
  private boolean alone;

  /** The operation to which new steps belong. */
  private int operation = -1;

  int operation() {
    return operation;
  }

  void serve(int number) {
    operation = number;
  }

  List<LoweredStep> steps() {
    return steps;
  }

  boolean touched() {
    return unordered.touched();
  }

  PendingAccesses unordered() {
    return unordered;
  }

  /** Emits a step that accesses memory. */
  void access(MicroOperation micro, String why) {
    emit(micro, why);
    unordered = unordered.moved();
  }

  /** Emits a load of a word by every thread, ordered after the lane's earlier stores of words. */
  void load(MicroOperation micro, String text) {
    if (unordered.stored()) {
      barrier(text + ": every thread finds what one of them stored");
    }
    emit(micro, "");
    unordered = unordered.thenLoad();
  }

  /** Emits a store of a word by one thread, ordered after the lane's earlier loads of words. */
  void store(MicroOperation micro, String text) {
    if (unordered.loaded()) {
      barrier(text + ": every thread has loaded before one of them stores");
    }
    emit(micro, text);
    unordered = unordered.thenStore();
  }

  /**
   * Emits a strong store of a word by one thread, ordered after the lane's earlier loads of words.
   */
  void strong(MicroOperation micro, String text) {
    if (unordered.loaded()) {
      barrier(text + ": every thread has loaded before one of them stores");
    }
    emit(micro, text);
    unordered = unordered.thenStrong();
  }

  /** Emits an atomic step by one thread that no one waits for. */
  void change(MicroOperation micro, String text) {
    emit(micro, text);
    unordered = unordered.thenChange();
  }

  /** Orders every thread of the lane after the words that one of them changed. */
  void settle(String text) {
    if (unordered.changed()) {
      barrier(text + ": ordered after the words that one thread changed");
    }
  }

  /**
   * Orders a call's own copy after the words that the lane stored, or loaded if the copy {@code
   * writes}.
   */
  void ownWords(boolean writes, String text) {
    if (unordered.stored() || (writes && unordered.loaded())) {
      barrier(text + ": ordered after the lane's own loads and stores");
    }
  }

  /** Runs the first if the condition holds, else the second, if there is one. */
  void branch(Cond condition, Runnable then, Runnable otherwise, boolean hasOtherwise) {
    int other = labels++;
    int end = labels++;
    PendingAccesses before = unordered;
    emit(new MicroOperation.Unless(condition, other), "");
    then.run();
    PendingAccesses after = unordered;
    unordered = before;
    if (hasOtherwise) {
      emit(new MicroOperation.Jump(end), "");
    }
    emit(new MicroOperation.Label(other), "");
    otherwise.run();
    if (hasOtherwise) {
      emit(new MicroOperation.Label(end), "");
    }
    unordered = unordered.or(after);
  }

  /** After it, no thread of the lane is still reading or writing for an earlier operation. */
  void quiet(String text) {
    if (unordered.touched()) {
      barrier(text + ": every thread is done with the earlier moves");
    }
  }

  /** Before a request: makes the block's writes visible to the interface. */
  void handOver(String text) {
    if (unordered.touched()) {
      barrier(text + ": orders the block's stores before the request");
    }
    emit(fence(Scope.SYS, false), text + ": orders them before the interface's read");
  }

  /** A register with a name that no program text can contain. */
  String register(String prefix) {
    return prefix + loops++;
  }

  /** The current value of the operand, even if the lane changes it later. */
  Expr hold(Expr operand) {
    String register = register("held$");
    emit(new MicroOperation.Set(register, operand), "");
    return Expr.name(register);
  }

  /** A loop whose body {@code leaves} unordered accesses for its next turn. */
  void loop(String variable, Expr count, PendingAccesses leaves, Runnable body) {
    int head = labels++;
    int end = labels++;
    Expr index = Expr.name(variable);
    unordered = unordered.or(leaves);
    PendingAccesses before = unordered;
    emit(new MicroOperation.Set(variable, Expr.of(0)), "");
    emit(new MicroOperation.Label(head), "");
    emit(new MicroOperation.Unless(Cond.of(index, Comparison.LT, count), end), "");
    body.run();
    emit(new MicroOperation.Set(variable, index.plus(1)), "");
    emit(new MicroOperation.Jump(head), "");
    emit(new MicroOperation.Label(end), "");
    unordered = unordered.or(before);
  }

  /** Runs the body once for each peer; {@code leaves} as in {@link #loop}. */
  void forEach(Peers peers, PendingAccesses leaves, Consumer<Expr> body) {
    switch (peers) {
      case Peers.Self() -> body.accept(RANK);
      case Peers.One(Expr rank) -> body.accept(rank);
      case Peers.All() -> everyRank(leaves, body, false);
      case Peers.Others() -> everyRank(leaves, body, true);
    }
  }

  private void everyRank(PendingAccesses leaves, Consumer<Expr> body, boolean skipSelf) {
    String variable = register("peer$");
    Expr peer = Expr.name(variable);
    loop(
        variable,
        WORLD,
        leaves,
        () -> {
          int next = labels++;
          if (skipSelf) {
            emit(new MicroOperation.Unless(Cond.of(peer, Comparison.NE, RANK), next), "");
          }
          body.accept(peer);
          if (skipSelf) {
            emit(new MicroOperation.Label(next), "");
          }
        });
  }

  /**
   * Runs the first for a peer that is reached through a network interface, the second for any
   * other.
   */
  void byKind(Expr peer, Runnable overRdma, Runnable direct) {
    int other = labels++;
    int end = labels++;
    PendingAccesses before = unordered;
    emit(new MicroOperation.UnlessKind(peer, PeerKind.RDMA, other), "");
    overRdma.run();
    PendingAccesses after = unordered;
    unordered = before;
    emit(new MicroOperation.Jump(end), "");
    emit(new MicroOperation.Label(other), "");
    direct.run();
    emit(new MicroOperation.Label(end), "");
    unordered = unordered.or(after);
  }

  /**
   * Runs the first if one rank is named, which may be reached through a network interface;
   * otherwise the second.
   */
  void route(boolean rdma, Peers at, Consumer<Expr> overRdma, Runnable direct) {
    if (rdma && at instanceof Peers.One(Expr peer)) {
      byKind(peer, () -> overRdma.accept(peer), direct);
    } else {
      direct.run();
    }
  }

  /** Runs the body for a peer that is reached through a network interface. */
  void onlyRdma(Expr peer, Runnable body) {
    int end = labels++;
    emit(new MicroOperation.UnlessKind(peer, PeerKind.RDMA, end), "");
    body.run();
    emit(new MicroOperation.Label(end), "");
  }

  /**
   * Emits what one thread does while the others go on: no step of it is a barrier, and no later
   * step has a barrier because of it.
   */
  void alone(Runnable body) {
    PendingAccesses before = unordered;
    alone = true;
    body.run();
    alone = false;
    unordered = before;
  }

  /** A fence of every thread, or of the one that is alone. */
  MicroOperation fence(Scope scope, boolean strict) {
    return new MicroOperation.Fence(scope, strict, alone);
  }

  /** Orders all accesses of the lane's threads, unless one of them is alone. */
  void barrier(String why) {
    if (alone) {
      return;
    }
    emit(new MicroOperation.Bar(), why);
    unordered = PendingAccesses.NONE;
  }

  /** Emits a step that touches no memory that a barrier orders. */
  void emit(MicroOperation micro, String why) {
    steps.add(new LoweredStep(micro, why, operation));
  }
}
