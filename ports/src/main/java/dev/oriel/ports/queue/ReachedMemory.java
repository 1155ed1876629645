package dev.oriel.ports.queue;

/**
 * A rank's memory as an interface in this process reaches it. What is written is there for
 * everybody before anything that is written later; offsets are the caller's to check.
 */
public interface ReachedMemory {

  /** The address of its first byte as posters and elements name it. */
  long address();

  /** How many bytes. */
  long size();

  /** A copy of the bytes as they are now. */
  byte[] read(long offset, int length);

  /** Writes the bytes; a word of 8 bytes at its own alignment in one piece. */
  void write(long offset, byte[] bytes);

  /** Adds to a word of 8 bytes in one step among those of its interface; the old word. */
  long add(long offset, long addend);

  /** Replaces the word where it is the one compared, in one step likewise; the old word. */
  long compareAndSwap(long offset, long compare, long swap);

  /** How an interface of hardware reaches it. */
  default Backing backing() {
    return new Backing.Copied(
        "copies alone reach this memory: address=0x%x; keep what peers reach in the host's memory"
            .formatted(address()));
  }

  /** Copies bytes of it to another's. */
  default void copyTo(long offset, ReachedMemory target, long targetOffset, int length) {
    target.write(targetOffset, read(offset, length));
  }
}
