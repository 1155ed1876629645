package dev.oriel.domain.persistent;

/**
 * The next action of one rank in a call. It contains no epoch: epochs belong to the request, so
 * recorded steps can be replayed for ever.
 */
public sealed interface CallStep {

  /** The words of a request that each rank keeps for each other one. */
  enum Word {
    /** The peer has begun the call, so its range may be written. */
    READY,
    /** The peer's bytes have arrived. */
    DATA
  }

  /** Signals the peer once, ordered after all earlier puts. */
  record PeerSignal(int peer, Word word) implements CallStep {}

  /** Waits until the peer has signalled it in this call. */
  record PeerWait(int peer, Word word) implements CallStep {}

  /** Copies bytes of the source to a place in the peer's range. */
  record Put(int peer, long from, long to, long bytes) implements CallStep {}

  /** Waits until the sources of earlier puts to the peer may be overwritten. */
  record Settle(int peer) implements CallStep {}
}
