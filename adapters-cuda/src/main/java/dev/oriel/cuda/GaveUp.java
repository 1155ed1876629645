package dev.oriel.cuda;

import dev.oriel.cuda.process.End;
import dev.oriel.cuda.ptx.Status;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongPredicate;

/**
 * Derives why an instance has ended from the status words of this process's ranks, after their
 * kernels ended.
 */
final class GaveUp {
  private GaveUp() {}

  /**
   * A cause takes precedence over its consequences: a lane that waited for a failed rank gave up as
   * well.
   */
  static Optional<End> end(SortedMap<Integer, Long> statuses) {
    return first(statuses, status -> status == Status.QUEUE_FAILED)
        .map(rank -> lost(rank, "an interface reported a failed request: rank=%d".formatted(rank)))
        .or(() ->
            first(statuses, status -> status == Status.NO_ROW)
                .map(rank ->
                    lost(
                        rank,
                        "a hook's table names a row that does not exist: rank=%d".formatted(rank))))
        .or(() ->
            first(statuses, status -> status != Status.RUNNING && status < Status.FAILED)
                .map(rank ->
                    new End(
                        rank,
                        End.Kind.TIMED_OUT,
                        "rank=%d: a lane gave up waiting".formatted(rank))));
  }

  private static Optional<Integer> first(SortedMap<Integer, Long> statuses, LongPredicate wanted) {
    return statuses.entrySet().stream()
        .filter(e -> wanted.test(e.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static End lost(int rank, String why) {
    return new End(rank, End.Kind.ABORTED, why);
  }
}
