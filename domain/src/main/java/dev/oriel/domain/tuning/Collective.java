package dev.oriel.domain.tuning;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What ranks do together with bytes, whichever program does it. */
public enum Collective {
  ALLGATHER,
  ALLTOALL,
  /** As much for each pair as a word of memory says; the bytes of a key are the most. */
  ALLTOALLV,
  ALLREDUCE,
  REDUCESCATTER,
  BROADCAST,
  GATHER,
  SCATTER,
  SENDRECV;

  /** The collective of that {@link #word}. */
  public static Optional<Collective> of(String word) {
    return Arrays.stream(values()).filter(c -> c.word().equals(word)).findFirst();
  }

  /** Its name in texts and commands. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it makes one element of several. */
  public boolean reduces() {
    return this == ALLREDUCE || this == REDUCESCATTER;
  }

  /**
   * Bytes from a rank to a peer, where the rank has {@code bytes}: to all of them, to each, or in
   * all, as the collective counts.
   */
  public long perPeer(long bytes, int world) {
    return this == ALLREDUCE ? Math.ceilDiv(bytes, world) : bytes;
  }
}
