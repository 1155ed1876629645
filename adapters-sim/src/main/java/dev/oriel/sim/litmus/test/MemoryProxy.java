package dev.oriel.sim.litmus.test;

/** The path by which an access reaches memory. */
public enum MemoryProxy {
  GENERIC,
  SURFACE,
  TEXTURE,
  CONSTANT
}
