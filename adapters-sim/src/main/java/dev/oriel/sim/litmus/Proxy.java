package dev.oriel.sim.litmus;

/** The path by which an access reaches memory. */
enum Proxy {
  GENERIC,
  SURFACE,
  TEXTURE,
  CONSTANT
}
