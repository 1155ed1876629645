package dev.oriel.domain.program;

import java.util.Locale;

/** The set of agents that a synchronising access reaches. */
public enum Scope {
  /** Threads of one lane. */
  CTA,
  /** Lanes of one cluster. */
  CLUSTER,
  /** Agents of one GPU. */
  GPU,
  /** Every agent: other GPUs, hosts, network interfaces. */
  SYS;

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
