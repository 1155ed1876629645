package dev.oriel.sim.machine.driver;

/**
 * The format of memory keys and of registrations. Rank code makes both, and interfaces check them.
 *
 * <pre>
 * record   word: generation | interface; first byte; one past the last byte
 * key      generation | interface | rank | whether for peers | number of the record
 * </pre>
 *
 * <p>So a registration's local key differs from its remote one, and no two registrations share a
 * key. This holds for those of two ranks or interfaces, and for successive ones in one record. A
 * request without a key has {@link #NONE}; no interface ever returns the key 0.
 */
public final class MemoryKeyFormat {
  /** Bytes of a record. */
  public static final int RECORD = 3 * Long.BYTES;

  /** The key of a request that names no memory. */
  public static final long NONE = Long.MIN_VALUE;

  public static final int SLOTS = 1 << 12;
  public static final int KINDS = 2;
  public static final int RANKS = 1 << 16;
  public static final int INTERFACES = 1 << 8;

  private MemoryKeyFormat() {}

  /** The first word of the record of that generation, at least 1, for that interface. */
  public static long word(long generation, int number) {
    return generation * INTERFACES + number;
  }

  /**
   * The key of that rank's registration with that word, in the record of that number.
   *
   * @param remote whether peers use the key, or the rank's own requests
   */
  public static long key(int rank, long word, int slot, boolean remote) {
    return ((word * RANKS + rank) * KINDS + (remote ? 1 : 0)) * SLOTS + slot;
  }

  /** The number of the key's record. */
  public static int slot(long key) {
    return (int) (key % SLOTS);
  }

  /** The key of a request that names memory by any number. */
  public static long given(long key) {
    return key == NONE ? 0 : key;
  }
}
