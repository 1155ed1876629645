package dev.oriel.ibverbs.verbs;

/** What registered memory is for; it decides whether its order may be given up. */
public enum Purpose {
  /** Payload, whose arrival a word in other memory tells. */
  BULK,
  /** Words that are polled, or that tell of other bytes: their order is what they are for. */
  FLAGS
}
