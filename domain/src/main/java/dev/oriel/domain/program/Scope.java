package dev.oriel.domain.program;

import java.util.Locale;

/** How far a synchronising access reaches. */
public enum Scope {
  /** Threads of one lane. */
  CTA,
  /** Lanes of one cluster. */
  CLUSTER,
  /** Agents of one GPU. */
  GPU,
  /** Every agent: other GPUs, hosts, network interfaces. */
  SYS;

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
