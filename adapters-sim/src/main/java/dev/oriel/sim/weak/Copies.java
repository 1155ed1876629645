package dev.oriel.sim.weak;

import dev.oriel.domain.binding.Combining;
import dev.oriel.domain.program.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.engine.Packets;
import dev.oriel.sim.engine.Words;
import java.util.ArrayList;
import java.util.List;

/** Moves by loads and stores, plain and in packets; single words. */
final class Copies {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final SyncAccess words;

  Copies(Model model, Memory memory, Orders orders, SyncAccess words) {
    this.model = model;
    this.memory = memory;
    this.orders = orders;
    this.words = words;
  }

  /** Reads every source once and writes every destination. */
  void copy(LaneRun run, Act.Copy c, int site) {
    orders.move(run);
    int worker = run.worker;
    int length = Math.toIntExact(run.value(c.bytes()));
    List<byte[]> taken = new ArrayList<>();
    for (Act.Place source : c.sources()) {
      taken.add(taken(run, source, length, site));
    }
    byte[] data = Combining.bytes(c.combine(), taken);
    for (Act.Place d : c.destinations()) {
      long target = run.value(d.offset());
      PacketFormat format = d.format();
      byte[] image = format == null ? data : Packets.pack(format, data, run.value(d.flag()));
      for (int owner : run.ranks(d.ranks())) {
        orders.access(worker, owner, d.buffer(), target, image.length, true, site);
        System.arraycopy(image, 0, memory.bytes[owner][d.buffer()], (int) target, image.length);
        if (format != null) {
          words.sendPackets(
              run,
              worker,
              owner,
              d.buffer(),
              (int) target,
              format,
              image,
              orders.seen[run.worker],
              site);
        }
      }
    }
  }

  private byte[] taken(LaneRun run, Act.Place source, int length, int site) {
    int owner = run.rank(source.ranks());
    long offset = run.value(source.offset());
    PacketFormat format = source.format();
    if (format != null) {
      return takePackets(run, source, format, owner, (int) offset, length, site);
    }
    orders.access(run.worker, owner, source.buffer(), offset, length, false, site);
    return memory.copy(owner, source.buffer(), (int) offset, length);
  }

  /** Whether every packet that the move reads is there. */
  boolean arrived(LaneRun run, Act.Copy c) {
    return c.sources().stream().allMatch(source -> arrived(run, source, c.bytes()));
  }

  private boolean arrived(LaneRun run, Act.Place source, Term bytes) {
    PacketFormat format = source.format();
    if (format == null) {
      return true;
    }
    int owner = run.rank(source.ranks());
    int offset = (int) run.value(source.offset());
    long flag = run.value(source.flag());
    long count = format.count(run.value(bytes));
    for (int p = 0; p < count; p++) {
      SyncWord word = memory.packet(owner, source.buffer(), offset + p * format.bytes());
      if (words.find(word, run, Comparison.EQ, flag) < 0) {
        return false;
      }
    }
    return true;
  }

  private byte[] takePackets(
      LaneRun run,
      Act.Place source,
      PacketFormat format,
      int owner,
      int offset,
      int length,
      int site) {
    long flag = run.value(source.flag());
    int count = (int) format.count(length);
    String name = model.form.buffers().get(source.buffer()).name();
    byte[] image = new byte[(int) format.image(length)];
    for (int p = 0; p < count; p++) {
      SyncWord word = memory.packet(owner, source.buffer(), offset + p * format.bytes());
      Message m = words.take(run, word, Comparison.EQ, flag, site, name);
      System.arraycopy(m.data(), 0, image, p * format.bytes(), format.bytes());
    }
    return Packets.unpack(format, image, length);
  }

  /** Reads a word of the rank's own memory. */
  void load(LaneRun run, Act.Load l, int site) {
    if (run.failure != 0) {
      run.registers[l.register()] = 0;
      return;
    }
    int rank = run.rank();
    long offset = run.value(l.place().offset());
    orders.move(run);
    orders.access(run.worker, rank, l.place().buffer(), offset, Long.BYTES, false, site);
    long word = Words.get(memory.bytes[rank][l.place().buffer()], (int) offset);
    if (Long.compareUnsigned(word, run.value(l.max())) > 0) {
      run.failure = l.code();
      word = 0;
    }
    run.registers[l.register()] = word;
  }

  /** Writes a word of the rank's own memory. */
  void store(LaneRun run, Act.Store s, int site) {
    int buffer = s.place().buffer();
    long offset = run.value(s.place().offset());
    orders.access(run.leader, run.rank(), buffer, offset, Long.BYTES, true, site);
    Words.put(memory.bytes[run.rank()][buffer], (int) offset, run.value(s.value()));
  }
}
