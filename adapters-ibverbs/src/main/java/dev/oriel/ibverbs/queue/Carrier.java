package dev.oriel.ibverbs.queue;

import dev.oriel.ports.queue.Field;
import dev.oriel.ports.queue.PosterMemory;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Carries out the requests that were handed to a thread of the host, on that thread. */
public interface Carrier {

  /** How many bytes one request moves at most. */
  long messageBytes();

  /** As a {@link dev.oriel.ports.queue.QueueNetwork} connects. */
  Carried connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters);

  /** Connected ranks. */
  interface Carried extends AutoCloseable {

    /** From that rank to that peer. */
    Onward onward(int rank, int peer);

    /** Does some of what was posted; returns whether there was anything to do. Never waits. */
    boolean progress();

    /** The first request that was refused or lost, and why. */
    Optional<String> failure();

    @Override
    void close();
  }

  /** Where requests of one queue go, in the order of posting. */
  interface Onward {

    /** Whether a request may be posted now. */
    boolean room();

    /**
     * Posts one; there must be room for it.
     *
     * @throws dev.oriel.ports.MachineException if no interface could carry it out
     */
    void post(RequestKind kind, boolean fenced, Map<Field, Long> fields);

    /** How many are done. */
    long completed();

    /** Whether one failed, as far as was looked. */
    boolean failed();
  }
}
