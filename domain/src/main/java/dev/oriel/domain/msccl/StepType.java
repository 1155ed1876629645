package dev.oriel.domain.msccl;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The type of a step; {@code nop} only carries one more dependency for the next step. */
public enum StepType {
  /** Sends the source. */
  S(true, false, false, true),
  /** Receives into the destination. */
  R(false, true, true, false),
  /** Receives into the destination and sends the same. */
  RCS(false, true, true, true),
  /** Sends the sum of what it receives and the source, and stores nothing. */
  RRS(true, true, false, true),
  /** Stores the sum of what it receives and the source. */
  RRC(true, true, true, false),
  /** Stores and sends the sum of what it receives and the source. */
  RRCS(true, true, true, true),
  /** Copies the source into the destination. */
  CPY(true, false, true, false),
  /** Adds the source to the destination. */
  RE(true, false, true, false),
  /** Does nothing. */
  NOP(false, false, false, false);

  private final boolean reads;
  private final boolean receives;
  private final boolean writes;
  private final boolean sends;

  StepType(boolean reads, boolean receives, boolean writes, boolean sends) {
    this.reads = reads;
    this.receives = receives;
    this.writes = writes;
    this.sends = sends;
  }

  /** The type of that spelling. */
  static Optional<StepType> named(String spelling) {
    return Arrays.stream(values()).filter(type -> type.spelling().equals(spelling)).findFirst();
  }

  /** The spelling in files. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it reads its source buffer. */
  public boolean reads() {
    return reads;
  }

  /** Whether it takes a slot's contents from the connection on which its block receives. */
  public boolean receives() {
    return receives;
  }

  /** Whether it writes its destination buffer. */
  public boolean writes() {
    return writes;
  }

  /** Whether it fills a slot of the connection on which its block sends. */
  public boolean sends() {
    return sends;
  }
}
