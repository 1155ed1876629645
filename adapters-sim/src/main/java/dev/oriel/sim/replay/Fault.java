package dev.oriel.sim.replay;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A fault at one known point of an execution, and the outcomes that it makes legal for a program.
 * Ranks, queues and counts start at 0; "after k" means that k such events happen undisturbed first.
 *
 * <p>The waits of some faults count steps of others. For a late request, the count starts when the
 * request is the next of its queue. For a link that is down, it starts when the disturbed request
 * was fetched; requests posted later make no wait longer. If several faults of one kind hit the
 * same place, the earliest crash, abort or error takes effect, and the longest wait. If several
 * hold up one queue's link, each starts the wait anew.
 *
 * <p>{@link #legal} lists the legal outcomes. No verdict names them, but the machine reaches no
 * other. Whatever a fault does, no byte may be wrong in the output of a rank that ends well.
 */
public sealed interface Fault {

  /** The outcome of a launch on the ranks that a fault has left alive. */
  enum Effect {
    /** Every promise holds, as without the fault. */
    UNAFFECTED,
    /**
     * Ends aborted or timed out, reports it, and issues nothing new once it has observed the abort.
     */
    ABORTED
  }

  /**
   * The rank's lanes take {@code after} steps in total and then none. Requests already in its
   * queues may or may not arrive. Legal: a peer that awaits nothing more of the rank ends well;
   * every other one aborts or times out. Illegal: a normal end with bytes missing.
   */
  record Crash(int rank, int after) implements Fault {
    public Crash {
      numbers(rank, after);
    }
  }

  /**
   * The caller of the rank requests an abort when the rank has taken {@code after} steps. Legal:
   * the rank ends aborted, or has nothing left to wait for and ends well; so do peers that await
   * it.
   */
  record Abort(int rank, int after) implements Fault {
    public Abort {
      numbers(rank, after);
    }
  }

  /**
   * The rank's queue pair to {@code peer} fails when it has executed {@code after} requests: the
   * rest complete with an error and move nothing. Legal: the rank aborts, unless nothing was left
   * to request; peers that await it may abort, too.
   */
  record QueueError(int rank, int peer, int after) implements Fault {
    public QueueError {
      numbers(rank, peer, after);
      apart("queue", rank, peer);
    }
  }

  /**
   * The completion after the first {@code after} of that queue is never posted, although the bytes
   * arrive. Legal: the rank aborts or times out if it awaits the completion, and is unaffected if
   * not. Peers have their bytes and signals, so the loss itself does not affect them.
   */
  record LoseCompletion(int rank, int queue, int after) implements Fault {
    public LoseCompletion {
      numbers(rank, queue, after);
    }
  }

  /**
   * The request after the first {@code after} of that queue takes no step before {@code by} other
   * steps have been taken, or until nothing else can happen. Legal: unaffected; timed out only
   * where {@link TimeoutPolicy#ANY} permits it.
   */
  record Delay(int rank, int queue, int after, int by) implements Fault {
    public Delay {
      numbers(rank, queue, after, by);
    }
  }

  /**
   * The rank's lanes take a step only when {@code by} other steps have been taken since their last
   * one, or nothing else can happen. Legal: unaffected, as under {@link Delay}.
   */
  record Straggle(int rank, int by) implements Fault {
    public Straggle {
      numbers(rank, by);
    }
  }

  /**
   * The rank's proxy thread forwards requests or reports completions {@code after} times and then
   * never again. Legal: as for a crash, except that the rank itself aborts or times out where it
   * awaits a completion or room in a queue.
   */
  record ProxyCrash(int rank, int after) implements Fault {
    public ProxyCrash {
      numbers(rank, after);
    }
  }

  /**
   * The rank's proxy thread takes a step only when {@code by} other steps have been taken since its
   * last one, or nothing else can happen. Legal: unaffected, as under {@link Delay}.
   */
  record ProxyStraggle(int rank, int by) implements Fault {
    public ProxyStraggle {
      numbers(rank, by);
    }
  }

  /**
   * The link between two ranks is slow. Their queues to each other act at the far side only when
   * {@code by} other steps have been taken, or nothing else can happen. The count starts at the
   * queue's last such step or, if it had nothing to do then, when it next has. In virtual time a
   * message takes {@code by} times as long. Where no queue joins the two, the fault affects only
   * time, and a machine without time refuses it. Legal: unaffected, as under {@link Delay}.
   */
  record Degrade(int rank, int peer, int by) implements Fault {
    public Degrade {
      numbers(rank, peer, by);
      apart("link", rank, peer);
    }
  }

  /**
   * The link between two ranks goes down when a queue from one to the other has fetched the request
   * after the first {@code after}. Later it comes up again. Until that request has completed, the
   * queue does nothing at the far side before {@code by} other steps have been taken, or until
   * nothing else can happen. Nothing is lost or overtaken, because the interfaces retransmit;
   * {@link QueueError} models interfaces that give up. Legal: unaffected, as under {@link Delay}.
   */
  record Flap(int rank, int peer, int after, int by) implements Fault {
    public Flap {
      numbers(rank, peer, after, by);
      apart("link", rank, peer);
    }
  }

  /**
   * The request after the first {@code after} of that queue is lost in flight and sent again. Its
   * source has been read. Neither it nor any request in flight with it acts at the far side before
   * {@code by} other steps have been taken. They act earlier only if nothing else can happen.
   * Legal: unaffected, as under {@link Delay}.
   */
  record LoseRequest(int rank, int queue, int after, int by) implements Fault {
    public LoseRequest {
      numbers(rank, queue, after, by);
    }
  }

  /**
   * The rank's interfaces refuse the registration of memory after the first {@code after}, as an
   * interface without room does; the next attempt succeeds. Only rank code registers memory. Legal:
   * unaffected if the code tries again or continues without. Otherwise the rank ends with an error,
   * keeps none of its earlier registrations, and leaves no peer waiting forever.
   */
  record RefuseRegistration(int rank, int after) implements Fault {
    public RefuseRegistration {
      numbers(rank, after);
    }
  }

  /** The largest number in a fault. */
  int MAX_NUMBER = 1_000_000_000;

  /** The kind of this fault. */
  default FaultKind kind() {
    return switch (this) {
      case Crash f -> FaultKind.CRASH;
      case Abort f -> FaultKind.ABORT;
      case QueueError f -> FaultKind.QUEUE_ERROR;
      case LoseCompletion f -> FaultKind.LOSE_COMPLETION;
      case Delay f -> FaultKind.DELAY;
      case Straggle f -> FaultKind.STRAGGLE;
      case ProxyCrash f -> FaultKind.PROXY_CRASH;
      case ProxyStraggle f -> FaultKind.PROXY_STRAGGLE;
      case Degrade f -> FaultKind.DEGRADE;
      case Flap f -> FaultKind.FLAP;
      case LoseRequest f -> FaultKind.LOSE_REQUEST;
      case RefuseRegistration f -> FaultKind.REFUSE_REGISTRATION;
    };
  }

  /** Its numbers, in the order of {@link FaultKind#keys}. */
  default List<Integer> values() {
    return switch (this) {
      case Crash(int rank, int after) -> List.of(rank, after);
      case Abort(int rank, int after) -> List.of(rank, after);
      case QueueError(int rank, int peer, int after) -> List.of(rank, peer, after);
      case LoseCompletion(int rank, int queue, int after) -> List.of(rank, queue, after);
      case Delay(int rank, int queue, int after, int by) -> List.of(rank, queue, after, by);
      case Straggle(int rank, int by) -> List.of(rank, by);
      case ProxyCrash(int rank, int after) -> List.of(rank, after);
      case ProxyStraggle(int rank, int by) -> List.of(rank, by);
      case Degrade(int rank, int peer, int by) -> List.of(rank, peer, by);
      case Flap(int rank, int peer, int after, int by) -> List.of(rank, peer, after, by);
      case LoseRequest(int rank, int queue, int after, int by) -> List.of(rank, queue, after, by);
      case RefuseRegistration(int rank, int after) -> List.of(rank, after);
    };
  }

  /** The legal outcomes of the launch, where waits end only at quiescence or never. */
  default Set<Effect> legal() {
    return switch (this) {
      case Delay f -> EnumSet.of(Effect.UNAFFECTED);
      case Straggle f -> EnumSet.of(Effect.UNAFFECTED);
      case ProxyStraggle f -> EnumSet.of(Effect.UNAFFECTED);
      case Degrade f -> EnumSet.of(Effect.UNAFFECTED);
      case Flap f -> EnumSet.of(Effect.UNAFFECTED);
      case LoseRequest f -> EnumSet.of(Effect.UNAFFECTED);
      default -> EnumSet.allOf(Effect.class);
    };
  }

  private static void apart(String what, int rank, int peer) {
    if (rank == peer) {
      throw new ReplayException(
          "%s of a rank to itself: rank=%d, peer=%d; name two ranks".formatted(what, rank, peer));
    }
  }

  private static void numbers(int... numbers) {
    for (int number : numbers) {
      if (number < 0 || number > MAX_NUMBER) {
        throw new ReplayException(
            "number of a fault out of range: value=%d, min=0, max=%d; give one in between"
                .formatted(number, MAX_NUMBER));
      }
    }
  }
}
