package dev.oriel.sim.litmus;

/** The set of threads that a strong operation reckons with, from the narrowest. */
enum LitmusScope {
  CTA,
  CLUSTER,
  GPU,
  SYS
}
