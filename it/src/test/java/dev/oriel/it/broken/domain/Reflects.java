package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class Reflects {
  Class<?> load(String name) throws ClassNotFoundException {
    return Class.forName(name);
  }
}
