package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A queue in which completions are polled. Used by one thread at a time. */
public final class CompletionQueue extends NativeHandle {
  private static final int BATCH = 16;

  private final ControlPathCalls library;
  private final HotPathCalls operations;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment entries;
  private final int capacity;

  CompletionQueue(
      ControlPathCalls library,
      DeviceContext context,
      MemorySegment pointer,
      int capacity,
      NativeHandle... channel) {
    super(
        "completion queue",
        pointer,
        Stream.concat(Stream.of(context), Stream.of(channel)).toArray(NativeHandle[]::new));
    this.library = library;
    this.operations = context.operations();
    this.entries = arena.allocate(ControlPathLayouts.WC, BATCH);
    this.capacity = capacity;
  }

  /**
   * The completions since the last call, at most 16, in order for each queue pair.
   *
   * @throws MachineException if the queue itself has failed
   */
  public List<WorkCompletion> poll() {
    int count = operations.poll(pointer(), BATCH, entries);
    if (count < 0) {
      throw new MachineException(
          "completion queue failed: error=%d, entries=%d; make it longer than all queues that report to it"
              .formatted(count, capacity));
    }
    if (count == 0) {
      return List.of();
    }
    List<WorkCompletion> completions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      completions.add(completion(entries.asSlice(i * ControlPathLayouts.WC.byteSize())));
    }
    return completions;
  }

  private static WorkCompletion completion(MemorySegment wc) {
    boolean immediate = (number(wc, "wc_flags") & VerbsConstants.WC_WITH_IMM) != 0;
    return new WorkCompletion(
        wc.get(JAVA_LONG, ControlPathLayouts.at(ControlPathLayouts.WC, "wr_id")),
        number(wc, "qp_num"),
        CompletionStatus.of(number(wc, "status")),
        number(wc, "vendor_err"),
        number(wc, "opcode"),
        number(wc, "byte_len"),
        immediate ? Integer.reverseBytes(number(wc, "imm_data")) : 0);
  }

  private static int number(MemorySegment wc, String field) {
    return wc.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.WC, field));
  }

  /** Arms the queue: the channel announces the next entry, once. */
  public void arm() {
    int error = operations.notify(pointer());
    if (error != 0) {
      throw new MachineException(
          "completion queue not armed: error=%s; %s"
              .formatted(Errno.name(error), Errno.remedy(error)));
    }
  }

  @Override
  void destroy() {
    try {
      library.check(VerbsFunction.DESTROY_CQ, "entries=" + capacity, remains());
    } finally {
      arena.close();
    }
  }
}
