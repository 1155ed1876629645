package dev.oriel.ibverbs.verbs;

/** The use of registered memory; it decides whether the memory's order may be relaxed. */
public enum MemoryPurpose {
  /** Payload; a word in other memory announces its arrival. */
  BULK,
  /** Words that are polled, or that announce other bytes: their order is essential. */
  FLAGS
}
