package dev.oriel.sim.litmus.test;

/** The set of threads that a strong operation includes, from the narrowest. */
public enum LitmusScope {
  CTA,
  CLUSTER,
  GPU,
  SYS
}
