package dev.oriel.it.broken.domain;

import javax.inject.Provider;

/** Breaks the domain's independence. */
final class UsesLibrary {
  int next(Provider<Integer> provider) {
    return provider.get();
  }
}
