package dev.oriel.it.readback;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.CombineEvaluator;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;

/**
 * Determines the bytes and packets that a move reads and writes, and executes it in the steps'
 * memory.
 */
final class CopyWalk {
  private final StepWalk walk;
  private final RankProgram rank;
  private final Memory model;
  private final Memory real;

  CopyWalk(StepWalk walk, RankProgram rank, Memory model, Memory real) {
    this.walk = walk;
    this.rank = rank;
    this.model = model;
    this.real = real;
  }

  Moving copy(String step, MicroOperation.Copy c) {
    long bytes = walk.value(c.bytes());
    Combine combine = rank.bound(c.combine(), walk::name);
    Moving move = new Moving(step);
    List<Long> sources = new ArrayList<>();
    for (int s = 0; s < c.sources().size(); s++) {
      SourceSeries series = c.sources().get(s);
      for (long i = 0; i < walk.value(series.count()); i++) {
        walk.set(series.variable(), i);
        Region region = series.region();
        long from = walk.place(region, walk.ranks(region.at()).getFirst());
        sources.add(from);
        long taken = CombineEvaluator.taken(combine, s, bytes);
        if (region.access() instanceof Access.Packets packets) {
          packetsFrom(move, packets, from, taken);
        } else if (combine instanceof Combine.Apply) {
          move.among(from, taken);
        } else {
          move.from(from, taken);
        }
      }
      walk.forget(series.variable());
    }
    List<BoundHook.Run> runs = CombineEvaluator.runs(combine, (int) bytes);
    for (Region d : c.destinations()) {
      for (int peer : walk.ranks(d.at())) {
        long to = walk.place(d, peer);
        if (d.access() instanceof Access.Packets packets) {
          packetsTo(move, packets, to, content(c, combine, sources.getFirst()), bytes);
          continue;
        }
        runs.forEach(run -> move.to(to + run.to(), run.length()));
        if (combine instanceof Combine.Copy) {
          unpack(c.sources().getFirst().region().access(), to, sources.getFirst(), bytes);
        } else {
          runs.forEach(run -> model.make(to + run.to(), run.length()));
        }
      }
    }
    return move;
  }

  private void unpack(Access from, long to, long source, long bytes) {
    if (!(from instanceof Access.Packets packets)) {
      model.copy(to, source, bytes);
      return;
    }
    for (long done = 0; done < bytes; done++) {
      model.copy(to + done, source + inPackets(packets, done), 1);
    }
  }

  /** The offset of a data byte in its packets: a flag follows each 4 bytes, except in lines. */
  private static long inPackets(Access.Packets packets, long index) {
    int payload = packets.format().payload();
    long data = index % payload;
    return index / payload * packets.format().bytes()
        + (packets.format().bytes() == 128 ? data : data / 4 * 8 + data % 4);
  }

  /** Stores the byte of that index of a move's data at an address of the steps' memory. */
  @FunctionalInterface
  private interface Content {
    void put(long to, long index);
  }

  private Content content(MicroOperation.Copy c, Combine combine, long source) {
    if (!(combine instanceof Combine.Copy)) {
      return (to, index) -> model.make(to, 1);
    }
    if (c.sources().getFirst().region().access() instanceof Access.Packets from) {
      return (to, index) -> model.copy(to, source + inPackets(from, index), 1);
    }
    return (to, index) -> model.copy(to, source + index, 1);
  }

  /** Bytes after the data are of no account where they come from packets or from a reduction. */
  private void packetsTo(Moving move, Access.Packets packets, long to, Content from, long bytes) {
    long flag = walk.value(packets.flag());
    int size = packets.format().bytes();
    int payload = packets.format().payload();
    for (long p = 0; p < packets.format().count(bytes); p++) {
      move.toPacket(packets.format(), to + p * size);
      for (int i = 0; i < payload; i++) {
        long index = p * payload + i;
        long place = to + inPackets(packets, index);
        if (index < bytes) {
          from.put(place, index);
        } else {
          model.make(place, 1);
        }
      }
      flag(model, packets, to + p * size, flag);
    }
  }

  private static void flag(Memory memory, Access.Packets packets, long packet, long flag) {
    int size = packets.format().bytes();
    if (size == 128) {
      memory.store(packet + 120, 8, flag);
      return;
    }
    for (int word = 0; word < size; word += 8) {
      memory.store(packet + word + 4, 4, flag);
    }
  }

  /** The second word of a packet arrives after the first. */
  private void packetsFrom(Moving move, Access.Packets packets, long from, long bytes) {
    long flag = walk.value(packets.flag());
    int size = packets.format().bytes();
    for (long p = 0; p < packets.format().count(bytes); p++) {
      long packet = from + p * size;
      move.fromPacket(packets.format(), packet, flag);
      flag(model, packets, packet, flag);
      flag(real, packets, packet, flag);
      for (int word = size == 128 ? 120 : 0; word < size; word += 8) {
        real.arrives(packet + word, 0, 1 + word / 8 % 2);
      }
    }
  }
}
