package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.RequestDraft;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ibverbs.queue.ConnectedRanks.RemoteMemoryKey;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * Posts the requests of one queue to a queue pair. Fields are used as they are: the device refuses
 * addresses outside a rank's memory.
 */
final class VerbsInitiator implements RequestCarrier.OnwardQueue {
  private final SendQueue queue;
  private final RemoteMemoryKey own;
  private final RemoteMemoryKey peers;
  private final boolean atomics;

  /** The numbers of the requests that are not known to be done, in order. */
  private final Deque<Long> numbers = new ArrayDeque<>();

  private long completed;
  private long seen;

  VerbsInitiator(ConnectedRanks.PostingPath way) {
    this.queue = way.queue();
    this.own = way.own();
    this.peers = way.peers();
    this.atomics = way.atomics();
  }

  @Override
  public boolean room() {
    return queue.failure().isEmpty() && queue.room(1);
  }

  @Override
  public void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    RequestEffect effect = effect(kind);
    if (effect == RequestEffect.CHANGES && !atomics) {
      throw MachineException.lacking(
          "device changes no words in one step: peer=%d, kind=%s; use another device, or no add, cas, fetch or lock"
              .formatted(queue.peer(), kind));
    }
    numbers.add(queue.post(effect, draft(kind, fenced, fields)));
  }

  private static RequestEffect effect(RequestKind kind) {
    return switch (kind) {
      case WRITE, WRITE_WORD -> RequestEffect.WRITES;
      case READ -> RequestEffect.READS;
      case ADD, COMPARE_SWAP -> RequestEffect.CHANGES;
      case WAIT -> throw waits();
    };
  }

  private RequestDraft draft(RequestKind kind, boolean asked, Map<RequestField, Long> fields) {
    Remote remote = new Remote(field(fields, RequestField.REMOTE) + peers.shift(), peers.key());
    long value = field(fields, RequestField.VALUE);
    return switch (kind) {
      case WRITE -> {
        Local local = local(fields, field(fields, RequestField.LENGTH));
        yield (id, signalled, fenced) ->
            new WorkRequest.Write(id, signalled, fenced || asked, local, remote);
      }
      case READ -> {
        Local local = local(fields, field(fields, RequestField.LENGTH));
        yield (id, signalled, fenced) ->
            new WorkRequest.Read(id, signalled, fenced || asked, local, remote);
      }
      case WRITE_WORD ->
          (id, signalled, fenced) ->
              new WorkRequest.WriteWord(id, signalled, fenced || asked, value, remote);
      case ADD -> {
        Local local = local(fields, Long.BYTES);
        yield (id, signalled, fenced) ->
            new WorkRequest.FetchAdd(id, signalled, fenced || asked, value, local, remote);
      }
      case COMPARE_SWAP -> {
        Local local = local(fields, Long.BYTES);
        long compare = field(fields, RequestField.COMPARE);
        yield (id, signalled, fenced) ->
            new WorkRequest.CompareSwap(
                id, signalled, fenced || asked, compare, value, local, remote);
      }
      case WAIT -> throw waits();
    };
  }

  private static MachineException waits() {
    return new MachineException(
        "no queue pair of verbs waits for another: kind=WAIT; post it to the queue's companion");
  }

  private Local local(Map<RequestField, Long> fields, long bytes) {
    return new Local(field(fields, RequestField.LOCAL) + own.shift(), bytes, own.key());
  }

  private static long field(Map<RequestField, Long> fields, RequestField field) {
    return fields.getOrDefault(field, 0L);
  }

  /** If no request was added since the last call, requests a report of all of them. */
  @Override
  public long completed() {
    if (queue.failure().isEmpty()) {
      while (!numbers.isEmpty() && queue.ended(numbers.peek())) {
        numbers.remove();
        completed++;
      }
      if (!numbers.isEmpty() && numbers.getLast() == seen) {
        queue.report();
      }
      seen = numbers.isEmpty() ? 0 : numbers.getLast();
    }
    return completed;
  }

  @Override
  public boolean failed() {
    return queue.failure().isPresent();
  }

  Optional<String> failure() {
    return queue.failure();
  }
}
