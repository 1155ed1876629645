package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Wakes a thread when an armed completion queue gets an entry. */
public final class CompletionChannel extends Handle {
  private final Library library;

  @SuppressWarnings("restricted")
  CompletionChannel(Library library, Context context, MemorySegment pointer) {
    super("completion channel", pointer.reinterpret(Layouts.CHANNEL.byteSize()), context);
    this.library = library;
  }

  /**
   * Whether an armed queue got an entry in time. An entry that came before its queue was armed is
   * not announced: arm, poll, then wait.
   */
  public boolean await(Duration time) {
    int file = pointer().get(JAVA_INT, Layouts.at(Layouts.CHANNEL, "fd"));
    if (!Library.readable(file, time)) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment queue = arena.allocate(ADDRESS);
      MemorySegment user = arena.allocate(ADDRESS);
      library.check(Call.GET_CQ_EVENT, "channel", pointer(), queue, user);
      library.call(Call.ACK_CQ_EVENTS, queue.get(ADDRESS, 0), 1);
    }
    return true;
  }

  @Override
  void destroy() {
    library.check(Call.DESTROY_CHANNEL, "channel", remains());
  }
}
