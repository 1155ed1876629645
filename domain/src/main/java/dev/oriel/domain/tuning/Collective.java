package dev.oriel.domain.tuning;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The collective operation that ranks perform, independent of its implementation. */
public enum Collective {
  ALLGATHER,
  ALLTOALL,
  /**
   * Each pair transfers the bytes that a word of memory gives; the bytes of a key are the maximum.
   */
  ALLTOALLV,
  ALLREDUCE,
  REDUCESCATTER,
  BROADCAST,
  GATHER,
  SCATTER,
  SENDRECV;

  /** The collective with that {@link #word}. */
  public static Optional<Collective> of(String word) {
    return Arrays.stream(values()).filter(c -> c.word().equals(word)).findFirst();
  }

  /** The name in texts and commands. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it combines several elements into one. */
  public boolean reduces() {
    return this == ALLREDUCE || this == REDUCESCATTER;
  }

  /**
   * The bytes from a rank to a peer, if the rank has {@code bytes}: for all peers, for each, or in
   * total, as the collective counts.
   */
  public long perPeer(long bytes, int world) {
    return this == ALLREDUCE ? Math.ceilDiv(bytes, world) : bytes;
  }
}
