package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import dev.oriel.ports.setup.StepAgreement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ranks of several processes or hosts over UCX. Posters hand their requests to the thread that
 * calls for progress.
 */
public final class UcxNetwork implements RemoteNetwork {
  /** A message takes two requests, and one more reports them. */
  private static final int LEAST_DEPTH = 4;

  private final int slots;
  private final int depth;
  private final boolean copies;

  private UcxNetwork(int slots, int depth, boolean copies) {
    this.slots = slots;
    this.depth = depth;
    this.copies = copies;
    if (depth < LEAST_DEPTH) {
      throw new MachineException(
          "too few requests under way: depth=%d, min=%d; use more".formatted(depth, LEAST_DEPTH));
    }
    String _ = UcxConnections.version();
  }

  /**
   * A network without connections that reaches memory of the host only. Requests go to the peer's
   * memory directly.
   *
   * @param slots of each queue, a power of two
   * @param depth the requests that UCX may have under way to a peer, at least 4
   * @throws MachineException if this machine has no UCX, with the reason and the remedy
   */
  public UcxNetwork(int slots, int depth) {
    this(slots, depth, /* copies= */ false);
  }

  /**
   * A network without connections that reaches any memory, as that of a GPU, by copies. Requests go
   * to a mailbox of the peer, whose thread executes them when it calls for progress.
   *
   * @param slots of each queue, a power of two
   * @param depth the requests that UCX may have under way to a peer, at least 4
   * @throws MachineException if this machine has no UCX, with the reason and the remedy
   */
  public static UcxNetwork copying(int slots, int depth) {
    return new UcxNetwork(slots, depth, /* copies= */ true);
  }

  @Override
  public boolean copies() {
    return copies;
  }

  @Override
  public QueueFormat format() {
    return ProxyQueues.format(copies ? MailboxLayout.PAYLOAD : ConnectedRanks.MESSAGE);
  }

  /** One rank's connections, which are made in two steps. */
  interface Joining extends RequestCarrier.CarrierConnection {

    /** The bytes by which the peers connect. */
    byte[] offers();

    /** Connects to all peers by what each of them offered. */
    void connect(List<byte[]> offers);
  }

  @Override
  public QueueNetwork.Connection connect(
      String step, Bootstrap ranks, ReachedMemory own, InitiatorMemory posters) {
    Joining[] made = new Joining[1];
    try {
      Joining joining =
          StepAgreement.all(ranks, step + ": open UCX", () -> made[0] = joining(ranks, own));
      List<byte[]> offers = ranks.allGather(step + ": exchange", joining.offers());
      Joining connected =
          StepAgreement.all(
              ranks,
              step + ": connect",
              () -> {
                joining.connect(offers);
                return joining;
              });
      // A step of its own: a rank that fails here closes, and all peers have connected before.
      return StepAgreement.all(
          ranks,
          step + ": queues",
          () ->
              ProxyConnection.over(
                  connected,
                  slots,
                  new TreeMap<>(Map.of(ranks.rank(), own)),
                  ranks.world(),
                  (rank, peer) -> rank == ranks.rank() && !peer.equals(rank),
                  posters));
    } catch (RuntimeException e) {
      Joining open = made[0];
      throw open == null ? e : ClosingSequence.closeAfter(e, open::close);
    }
  }

  private Joining joining(Bootstrap ranks, ReachedMemory own) {
    return copies
        ? new MailboxRank(ranks.rank(), ranks.world(), own, depth)
        : new HostRank(ranks.rank(), ranks.world(), own, depth);
  }
}
