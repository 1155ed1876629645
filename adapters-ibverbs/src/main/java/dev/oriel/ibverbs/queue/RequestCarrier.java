package dev.oriel.ibverbs.queue;

import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Executes requests that posters handed to a host thread, on that thread. */
public interface RequestCarrier {

  /** The most bytes that one request moves. */
  long messageBytes();

  /** Connects ranks, as a {@link dev.oriel.ports.queue.QueueNetwork} does. */
  CarrierConnection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters);

  /** Connected ranks. */
  interface CarrierConnection extends AutoCloseable {

    /** The onward queue from that rank to that peer. */
    OnwardQueue onward(int rank, int peer);

    /** Makes progress with posted requests; returns whether there was any. Never waits. */
    boolean progress();

    /** As {@link dev.oriel.ports.queue.QueueNetwork.Connection#settled}. */
    default boolean settled(long round) {
      return true;
    }

    /** Why a request was refused or lost, of the first one. */
    Optional<String> failure();

    @Override
    void close();
  }

  /** The queue that takes the requests of one poster's queue, in the order of posting. */
  interface OnwardQueue {

    /** Whether a request may be posted now. */
    boolean room();

    /**
     * Posts a request; there must be room for it.
     *
     * @throws dev.oriel.ports.MachineException if no interface could execute it
     */
    void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields);

    /** The number of requests that are done. */
    long completed();

    /** Whether a request has failed, as far as is known. */
    boolean failed();
  }
}
