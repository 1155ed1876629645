package dev.oriel.ibverbs.post;

import java.util.OptionalLong;

/** The words of a rank's own memory that its program loads, as far as they are known. */
@FunctionalInterface
public interface LoadedWords {
  /** No word is known. */
  LoadedWords NONE = (buffer, offset) -> OptionalLong.empty();

  /** The word at that offset of the rank's own buffer, or empty if it is not known yet. */
  OptionalLong at(String buffer, long offset);
}
