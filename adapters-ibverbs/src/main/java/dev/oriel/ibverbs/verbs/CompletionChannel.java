package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Wakes a thread when an armed completion queue gets an entry. */
public final class CompletionChannel extends NativeHandle {
  private final ControlPathCalls library;

  @SuppressWarnings("restricted")
  CompletionChannel(ControlPathCalls library, DeviceContext context, MemorySegment pointer) {
    super(
        "completion channel", pointer.reinterpret(ControlPathLayouts.CHANNEL.byteSize()), context);
    this.library = library;
  }

  /**
   * Whether an armed queue got an entry in time. An entry that came before its queue was armed is
   * not announced: arm, poll, then wait.
   */
  public boolean await(Duration time) {
    int file = pointer().get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CHANNEL, "fd"));
    if (!ControlPathCalls.readable(file, time)) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment queue = arena.allocate(ADDRESS);
      MemorySegment user = arena.allocate(ADDRESS);
      library.check(VerbsFunction.GET_CQ_EVENT, "channel", pointer(), queue, user);
      library.call(VerbsFunction.ACK_CQ_EVENTS, queue.get(ADDRESS, 0), 1);
    }
    return true;
  }

  @Override
  void destroy() {
    library.check(VerbsFunction.DESTROY_CHANNEL, "channel", remains());
  }
}
