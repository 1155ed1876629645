package dev.oriel.sim.replay;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Something that goes wrong at one known point of an execution, and what a program may make of it.
 * Ranks, queues and counts start at 0; "after k" means that k such events happen undisturbed first.
 *
 * <p>How many others have been taken counts, for a request that is late, from when it is the next
 * of its queue; for a link that is down, from when the disturbed request was fetched: what is
 * posted behind it makes no wait longer. Of several faults of one kind that hit the same place, the
 * earliest crash, abort or error is what happens, and the longest wait; of several that hold up one
 * queue's link each begins the wait anew.
 *
 * <p>{@link #legal} says what a program may make of it: no verdict speaks of that, but the machine
 * comes to nothing else. Whatever a fault does, no byte may be wrong in the output of a rank that
 * ends well.
 */
public sealed interface Fault {

  /** What became of a launch on the ranks that a fault has left alive. */
  enum Effect {
    /** Every promise holds, as if nothing had happened. */
    UNAFFECTED,
    /** Ends aborted or timed out, says so, and issues nothing new once it knows. */
    ABORTED
  }

  /**
   * The rank's lanes take {@code after} steps together and then none. What its queues have been
   * handed still arrives or not. Legal: a peer that awaits nothing more of it ends well; every
   * other one aborts or times out. Illegal: an end as if all were well where bytes are missing.
   */
  record Crash(int rank, int after) implements Fault {
    public Crash {
      numbers(rank, after);
    }
  }

  /**
   * The caller of the rank asks for an abort when the rank has taken {@code after} steps. Legal:
   * the rank ends aborted, or had nothing left to wait for and ends well; so do peers that await
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
   * to request; so may whoever awaits it.
   */
  record QueueError(int rank, int peer, int after) implements Fault {
    public QueueError {
      numbers(rank, peer, after);
      apart("queue", rank, peer);
    }
  }

  /**
   * The completion behind the first {@code after} of that queue is never posted, although the bytes
   * arrive. Legal: the rank aborts or times out if it awaits the completion, and is unaffected if
   * not; peers have their bytes and signals and are unaffected by the loss itself.
   */
  record LoseCompletion(int rank, int queue, int after) implements Fault {
    public LoseCompletion {
      numbers(rank, queue, after);
    }
  }

  /**
   * The request behind the first {@code after} of that queue takes no step before {@code by} others
   * have been taken, or nothing else can happen. Legal: unaffected; timed out only where {@link
   * Timeouts#ANY} lets it.
   */
  record Delay(int rank, int queue, int after, int by) implements Fault {
    public Delay {
      numbers(rank, queue, after, by);
    }
  }

  /**
   * The rank's lanes take a step only when {@code by} others have been taken since their last one,
   * or nothing else can happen. Legal: unaffected, as under {@link Delay}.
   */
  record Straggle(int rank, int by) implements Fault {
    public Straggle {
      numbers(rank, by);
    }
  }

  /**
   * The thread that posts for the rank hands requests on or tells of completions {@code after}
   * times and then never again. Legal: as for a crash, but that the rank itself aborts or times out
   * where it awaits a completion or room in a queue.
   */
  record ProxyCrash(int rank, int after) implements Fault {
    public ProxyCrash {
      numbers(rank, after);
    }
  }

  /**
   * The thread that posts for the rank takes a step only when {@code by} others have been taken
   * since its last one, or nothing else can happen. Legal: unaffected, as under {@link Delay}.
   */
  record ProxyStraggle(int rank, int by) implements Fault {
    public ProxyStraggle {
      numbers(rank, by);
    }
  }

  /**
   * The link between two ranks is slow: what their queues to each other do at the far side they do
   * only when {@code by} others have been taken since the queue's last such step or, where it had
   * none to do, since it has one, or nothing else can happen; in virtual time a message takes
   * {@code by} times as long. Where no queue joins the two, only time tells, and a machine without
   * time refuses it. Legal: unaffected, as under {@link Delay}.
   */
  record Degrade(int rank, int peer, int by) implements Fault {
    public Degrade {
      numbers(rank, peer, by);
      apart("link", rank, peer);
    }
  }

  /**
   * The link between two ranks goes down when a queue from one to the other has fetched the request
   * behind the first {@code after}, and up again: until that one has been through, the queue does
   * nothing at the far side before {@code by} others have been taken, or nothing else can happen.
   * Nothing is lost or overtaken, as the interfaces send again; that they give up is {@link
   * QueueError}. Legal: unaffected, as under {@link Delay}.
   */
  record Flap(int rank, int peer, int after, int by) implements Fault {
    public Flap {
      numbers(rank, peer, after, by);
      apart("link", rank, peer);
    }
  }

  /**
   * The request behind the first {@code after} of that queue is lost on its way and sent again: its
   * source has been read, but it does nothing at the far side, nor does any that is under way with
   * it, before {@code by} others have been taken, or nothing else can happen. Legal: unaffected, as
   * under {@link Delay}.
   */
  record LoseRequest(int rank, int queue, int after, int by) implements Fault {
    public LoseRequest {
      numbers(rank, queue, after, by);
    }
  }

  /**
   * The rank's interfaces refuse the registration of memory behind the first {@code after}, as one
   * does that has no room for another; whoever tries once more is served. Only rank code registers
   * memory. Legal: unaffected where it tries again or does without; else the rank ends and says so,
   * keeps nothing of what was registered before, and leaves nobody waiting for ever.
   */
  record RefuseRegistration(int rank, int after) implements Fault {
    public RefuseRegistration {
      numbers(rank, after);
    }
  }

  /** The largest number in a fault. */
  int MAX_NUMBER = 1_000_000_000;

  /** Which fault this is. */
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

  /** What may become of the launch, where waits end only at quiescence or never. */
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
