package dev.oriel.ibverbs.post;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the requests of one launch and decides which are signalled and fenced. */
final class QueueLog {
  private final List<Request> requests = new ArrayList<>();
  private final TreeMap<Queue, QueueState> states;

  /** Where the last request of each queue stands, unless it is signalled already. */
  private final Map<Queue, Integer> last = new HashMap<>();

  QueueLog(Map<Queue, QueueState> before) {
    states = new TreeMap<>(before);
  }

  void post(Queue queue, Operation operation) {
    QueueState before = states.getOrDefault(queue, QueueState.NEW);
    QueueState after = before.after(operation.effect());
    last.put(queue, requests.size());
    requests.add(
        new Request(queue, after.posted(), operation, false, before.fences(operation.effect())));
    states.put(queue, after);
  }

  /** The lane goes on only when everything of the queue is complete. */
  void await(Queue queue) {
    signal(queue);
    states.computeIfPresent(queue, (_, state) -> state.awaited());
  }

  /** Ends the launch: no queue is left with a tail that nobody will ever hear of. */
  List<Request> end() {
    List.copyOf(last.keySet()).forEach(this::signal);
    return requests;
  }

  Map<Queue, QueueState> states() {
    return states;
  }

  private void signal(Queue queue) {
    Integer at = last.remove(queue);
    if (at != null) {
      requests.set(at, requests.get(at).reported());
    }
  }
}
