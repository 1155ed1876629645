package dev.oriel.ibverbs.post;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Everything that one rank posts in one launch.
 *
 * @param requests lane by lane, within a lane in the order of the program
 * @param failures the code of every lane that failed a check, by the lane's position
 * @param after what the next launch starts from
 */
public record Launch(
    int rank, List<Request> requests, Map<Integer, Integer> failures, Carried after) {
  public Launch {
    requests = List.copyOf(requests);
    failures = Map.copyOf(failures);
  }

  /** The requests of each queue, in the order of their posting. */
  public SortedMap<Queue, List<Request>> queues() {
    return requests.stream()
        .collect(Collectors.groupingBy(Request::queue, TreeMap::new, Collectors.toList()));
  }
}
