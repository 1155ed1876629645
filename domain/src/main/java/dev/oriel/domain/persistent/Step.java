package dev.oriel.domain.persistent;

/**
 * What one rank does next in a call. Epochs are no part of it: they belong to the request, so that
 * recorded steps can be replayed for ever.
 */
public sealed interface Step {

  /** The words of a request that each rank keeps for each other one. */
  enum Word {
    /** The peer has begun the call, so its range may be written. */
    READY,
    /** The peer's bytes have come. */
    DATA
  }

  /** Tells the peer once, behind all that was put before. */
  record Tell(int peer, Word word) implements Step {}

  /** Waits until the peer has told it in this call. */
  record Hear(int peer, Word word) implements Step {}

  /** Copies bytes of the source to a place of the peer's range. */
  record Put(int peer, long from, long to, long bytes) implements Step {}

  /** Waits until what was put to the peer may be overwritten at its source. */
  record Settle(int peer) implements Step {}
}
