package dev.oriel.cuda;

import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.ptx.LaneStatus;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;

/**
 * Derives why an instance has ended from the status words of this process's ranks, after their
 * kernels ended.
 */
final class LaunchEndCause {
  private LaunchEndCause() {}

  /**
   * A cause takes precedence over its consequences: a lane that waited for a failed rank gave up as
   * well.
   *
   * @param wait describes the wait that a rank gave up
   */
  static Optional<InstanceEnd> end(SortedMap<Integer, Long> statuses, IntFunction<String> wait) {
    return first(statuses, status -> status == LaneStatus.QUEUE_FAILED)
        .map(rank -> lost(rank, "an interface reported a failed request: rank=%d".formatted(rank)))
        .or(() ->
            first(statuses, status -> status == LaneStatus.NO_ROW)
                .map(rank ->
                    lost(
                        rank,
                        "a hook's table names a row that does not exist: rank=%d".formatted(rank))))
        .or(() ->
            first(statuses, status -> status != LaneStatus.RUNNING && status < LaneStatus.FAILED)
                .map(rank ->
                    new InstanceEnd(
                        rank,
                        InstanceEnd.Kind.TIMED_OUT,
                        "rank=%d: a lane gave up waiting%s".formatted(rank, wait.apply(rank)))));
  }

  private static Optional<Integer> first(SortedMap<Integer, Long> statuses, LongPredicate wanted) {
    return statuses.entrySet().stream()
        .filter(e -> wanted.test(e.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static InstanceEnd lost(int rank, String why) {
    return new InstanceEnd(rank, InstanceEnd.Kind.ABORTED, why);
  }
}
