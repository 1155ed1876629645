package dev.oriel.ibverbs.post;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.ibverbs.post.AddressTable.RankMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses that a reader can take apart: with k = r + 1, rank r's i-th buffer is at 0xki0000000,
 * its slots at i = e, its sink at i = f; its own key for it is 0xki1, that of its peers 0xki2.
 */
public final class SomeAddresses {
  private SomeAddresses() {}

  public static AddressBook of(Program program) {
    List<RankMemory> ranks = new ArrayList<>();
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      Map<String, Memory> buffers = new LinkedHashMap<>();
      for (Buffer b : program.form().buffers()) {
        buffers.put(b.name(), memory(r, buffers.size(), rank.bytes(b.name())));
      }
      ranks.add(
          new RankMemory(
              buffers, memory(r, 0xe, new SlotTable(rank).bytes()), memory(r, 0xf, Long.BYTES)));
    }
    return new AddressTable(ranks);
  }

  private static Memory memory(int rank, int index, long bytes) {
    long address = ((rank + 1L) << 32) + ((long) index << 28);
    int key = ((rank + 1) << 8) + (index << 4);
    return new Memory(address, bytes, key + 1, key + 2);
  }
}
