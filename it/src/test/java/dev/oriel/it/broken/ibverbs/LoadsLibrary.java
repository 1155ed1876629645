package dev.oriel.it.broken.ibverbs;

/** Goes native outside the one package that may. */
final class LoadsLibrary {
  @SuppressWarnings("restricted")
  void load(String name) {
    System.loadLibrary(name);
  }
}
