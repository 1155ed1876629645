package dev.oriel.domain.persistent;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The requests of one rank, each with its own place among the most that may exist at once. They may
 * be removed in any order, and ranks need not agree on places: each rank chooses its own and
 * announces them to its peers.
 */
public final class RequestTable<T> {
  private static final Comparator<RequestKey> ORDER =
      Comparator.comparing(RequestKey::exchange)
          .thenComparingLong(RequestKey::offset)
          .thenComparingLong(RequestKey::length)
          .thenComparingLong(RequestKey::stream);

  private record Entry<T>(int place, T request) {}

  /** Creates a request at a place. */
  @FunctionalInterface
  public interface Maker<T> {
    /** The new request of that key at that place. */
    T make(RequestKey key, int place);
  }

  private final Map<RequestKey, Entry<T>> entries = new TreeMap<>(ORDER);
  private final TreeSet<Integer> free = new TreeSet<>();
  private final int places;

  public RequestTable(int places) {
    this.places = places;
    for (int i = 0; i < places; i++) {
      free.add(i);
    }
  }

  public Optional<T> find(RequestKey key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::request);
  }

  /**
   * The request of that key, created if there is none.
   *
   * @throws NoSuchElementException if every place is taken
   */
  public T open(RequestKey key, Maker<T> maker) {
    Optional<T> found = find(key);
    if (found.isPresent()) {
      return found.get();
    }
    if (free.isEmpty()) {
      throw new NoSuchElementException(
          "no place for a request: %s, places=%d; destroy one, or have more"
              .formatted(key, places));
    }
    int place = free.removeFirst();
    T request = maker.make(key, place);
    entries.put(key, new Entry<>(place, request));
    return request;
  }

  /** Removes a request; its place may be reused. */
  public Optional<T> remove(RequestKey key) {
    Entry<T> entry = entries.remove(key);
    if (entry == null) {
      return Optional.empty();
    }
    free.add(entry.place);
    return Optional.of(entry.request);
  }

  /** All of them, in the order of their keys. */
  public Collection<T> all() {
    return List.copyOf(entries.values()).stream().map(Entry::request).toList();
  }
}
