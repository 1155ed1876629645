package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.ibverbs.post.AddressTable.RankMemory;
import dev.oriel.ibverbs.post.NicSlotLayout;
import dev.oriel.ibverbs.post.RegisteredMemory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The layout of the one piece of memory that a rank registers: its buffers, its slots, a sink, and
 * for each lane a word for the returned values that it uses. Every rank computes it for every
 * other: only address and key are exchanged.
 */
record RankMemoryLayout(Map<String, Long> offsets, Map<String, Long> sizes, long slots, long sink) {
  /** The lanes' words for returned values; no program can name a buffer so. */
  static final String ANSWERS = "answers$";

  private static final long LINE = 128;

  static RankMemoryLayout of(RankProgram rank) {
    Map<String, Long> offsets = new LinkedHashMap<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    long next = 0;
    for (Buffer buffer : rank.program().form().buffers()) {
      offsets.put(buffer.name(), next);
      sizes.put(buffer.name(), rank.bytes(buffer.name()));
      next = Math.ceilDiv(next + rank.bytes(buffer.name()), LINE) * LINE;
    }
    long sink = Math.ceilDiv(next + new NicSlotLayout(rank).bytes(), LINE) * LINE;
    offsets.put(ANSWERS, sink + LINE);
    sizes.put(ANSWERS, (long) Long.BYTES * rank.lanes().size());
    return new RankMemoryLayout(offsets, sizes, next, sink);
  }

  /** Bytes of the whole memory. */
  long bytes() {
    return sink + LINE + size(ANSWERS);
  }

  /** The parts that no caller writes or reads, by their offset: all but inputs and outputs. */
  Map<Long, Long> zeroed(RankProgram rank) {
    Map<Long, Long> runs = new LinkedHashMap<>();
    for (Buffer buffer : rank.program().form().buffers()) {
      if (!buffer.space().callers()) {
        runs.put(offset(buffer.name()), size(buffer.name()));
      }
    }
    runs.put(slots, bytes() - slots);
    return runs;
  }

  /** Its entry in an address table. */
  RankMemory at(long address, int localKey, int remoteKey) {
    Map<String, RegisteredMemory> buffers = new LinkedHashMap<>();
    offsets.forEach((name, offset) ->
        buffers.put(name, new RegisteredMemory(address + offset, size(name), localKey, remoteKey)));
    return new RankMemory(
        buffers,
        new RegisteredMemory(address + slots, sink - slots, localKey, remoteKey),
        new RegisteredMemory(address + sink, LINE, localKey, remoteKey));
  }

  long offset(String buffer) {
    return offsets.getOrDefault(buffer, 0L);
  }

  long size(String buffer) {
    return sizes.getOrDefault(buffer, 0L);
  }
}
