package dev.oriel.sim.machine.lane;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.AtomicCells;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.CopyCombiners;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.provenance.HookCombiner;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.replay.ChoiceSource;

/** Moves by loads and stores, plain and in packets. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class CopySteps {
  /** The comparison of a packet's flag with the one that a move expects. */
  public static final int EQUAL = Comparison.EQ.ordinal();

  private static final PacketFormat[] FORMATS = PacketFormat.values();

  private final MachineModel model;
  private final AgentLayout agents;
  private final OperandTable operands;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final DataWords dataWords;
  private long[] data = new long[64];
  private long[] image = new long[64];

  public CopySteps(SharedSubsystems shared) {
    model = shared.model;
    agents = model.agents;
    operands = model.code.operands();
    memory = shared.memory;
    clocks = shared.clocks;
    words = shared.words;
    dataWords = shared.dataWords;
  }

  private long value(MachineState s, int lane, int operand) {
    return operands.value(operand, s.registers, model.firstRegister[lane]);
  }

  private int rank(MachineState s, int lane, int ranks) {
    return ranks >= 0 ? model.code.members(ranks)[0] : (int) value(s, lane, ~ranks);
  }

  /** Whether every packet that the move at {@code at} reads has arrived. */
  boolean arrived(MachineState s, int lane, int at) {
    int[] ops = model.lane(lane).ops();
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int place = CopyLayout.source(ops, at, i);
      if (ops[place + CopyLayout.FORMAT] >= 0) {
        SourceCombiner making = model.makings.of(s.registers, lane, at);
        long taken = CopyCombiners.taken(making, i, value(s, lane, ops[at + 1]));
        if (!arrived(s, lane, ops, place, taken)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean arrived(MachineState s, int lane, int[] ops, int place, long length) {
    PacketFormat format = FORMATS[ops[place + CopyLayout.FORMAT]];
    int owner = rank(s, lane, ops[place + CopyLayout.RANKS]);
    int first = packet(s, lane, ops, place, owner, length);
    long flag = value(s, lane, ops[place + CopyLayout.FLAG]);
    for (int p = 0; p < format.count(length); p++) {
      if (words.find(s, first + p, lane, EQUAL, flag) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the move at {@code at} reads or writes what a pending atomic of the lane is to change.
   */
  boolean afterUpdates(MachineState s, int lane, int at, PendingAtomics updates) {
    int[] ops = model.lane(lane).ops();
    long length = value(s, lane, ops[at + 1]);
    SourceCombiner making = model.makings.of(s.registers, lane, at);
    boolean any = false;
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      long touched = CopyCombiners.written(making, length);
      any |= meets(s, lane, ops, CopyLayout.destination(at, i), touched, updates);
    }
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      long touched = CopyCombiners.taken(making, i, length);
      any |= meets(s, lane, ops, CopyLayout.source(ops, at, i), touched, updates);
    }
    return any;
  }

  private boolean meets(
      MachineState s, int lane, int[] ops, int place, long touched, PendingAtomics updates) {
    long offset = value(s, lane, ops[place + CopyLayout.OFFSET]);
    int ranks = ops[place + CopyLayout.RANKS];
    int owners = ranks >= 0 ? model.code.members(ranks).length : 1;
    boolean any = false;
    for (int k = 0; k < owners; k++) {
      int owner = ranks >= 0 ? model.code.members(ranks)[k] : (int) value(s, lane, ~ranks);
      any |= updates.any(s, lane, owner, ops[place + CopyLayout.BUFFER], offset, touched);
    }
    return any;
  }

  /** Whether one end of a bulk copy holds what a pending atomic of the lane is to change. */
  boolean meetsUpdates(
      MachineState s, int lane, int[] ops, int at, int end, PendingAtomics updates) {
    int owner = rank(s, lane, ops[at + end + 1]);
    long offset = value(s, lane, ops[at + end + 2]);
    return updates.any(s, lane, owner, ops[at + end], offset, value(s, lane, ops[at + 1]));
  }

  /** The first packet at a place, which must be aligned for packets. */
  private int packet(MachineState s, int lane, int[] ops, int place, int owner, long length) {
    PacketFormat format = FORMATS[ops[place + CopyLayout.FORMAT]];
    int buffer = ops[place + CopyLayout.BUFFER];
    int at =
        memory.checked(
            owner, buffer, value(s, lane, ops[place + CopyLayout.OFFSET]), format.image(length));
    if (at % format.bytes() != 0) {
      throw new FindingException(
          new Finding(
              Finding.Kind.BOUNDS,
              "packets not aligned: buffer=%s, owner=%d, offset=%d; use a multiple of %d"
                  .formatted(model.buffer(buffer), owner, at, format.bytes())));
    }
    return model.words.packet(model, owner, buffer, at);
  }

  private static boolean readsPackets(int[] ops, int at) {
    boolean any = false;
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      any |= ops[CopyLayout.source(ops, at, i) + CopyLayout.FORMAT] >= 0;
    }
    return any;
  }

  /** Reads every source once and writes every destination. */
  void copy(MachineState s, int lane, int at, ChoiceSource branch) {
    int[] ops = model.lane(lane).ops();
    clocks.move(s, lane);
    int seen = CausalClockIndex.worker(model, lane);
    int length = Math.toIntExact(value(s, lane, ops[at + 1]));
    int sources = CopyLayout.sources(ops, at);
    SourceCombiner making = model.makings.of(s.registers, lane, at);
    if (readsPackets(ops, at)) {
      clocks.awaited(s, lane, true);
    }
    if (making instanceof HookCombiner hook) {
      sources(s, lane, ops, at, length, hook, seen, branch);
    } else {
      room(length * sources);
      for (int i = 0; i < sources; i++) {
        source(s, lane, ops, CopyLayout.source(ops, at, i), length, i * length, seen, branch);
      }
    }
    if (making != null) {
      model.made.make(making, data, sources, length);
    }
    boolean plain = model.cells && AtomicCells.copies(model.code, lane, at);
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      int place = CopyLayout.destination(at, d);
      int format = ops[place + CopyLayout.FORMAT];
      if (format >= 0) {
        pack(FORMATS[format], length, value(s, lane, ops[place + CopyLayout.FLAG]));
      }
      long[] from = format >= 0 ? image : data;
      int bytes = format >= 0 ? (int) FORMATS[format].image(length) : length;
      int buffer = ops[place + CopyLayout.BUFFER];
      long to = value(s, lane, ops[place + CopyLayout.OFFSET]);
      int ranks = ops[place + CopyLayout.RANKS];
      int count = ranks >= 0 ? model.code.members(ranks).length : 1;
      for (int i = 0; i < count; i++) {
        int owner = ranks >= 0 ? model.code.members(ranks)[i] : (int) value(s, lane, ~ranks);
        if (format >= 0) {
          packet(s, lane, ops, place, owner, length);
        }
        if (making instanceof HookCombiner hook && hook.scatters()) {
          for (BoundHook.Run run : hook.stored(length)) {
            write(s, lane, owner, buffer, to + run.to(), run.length(), from, run.from(), seen);
          }
        } else if (plain && format < 0 && cells(owner, buffer)) {
          long source = value(s, lane, ops[CopyLayout.source(ops, at, 0) + CopyLayout.OFFSET]);
          store(s, lane, owner, buffer, to, bytes, AtomicCells.whole(source, to, bytes), seen);
        } else {
          write(s, lane, owner, buffer, to, bytes, from, 0, seen);
        }
      }
    }
  }

  private void write(
      MachineState s,
      int lane,
      int owner,
      int buffer,
      long to,
      int bytes,
      long[] from,
      int first,
      int seen) {
    int worker = agents.worker[lane];
    memory.write(s, worker, owner, buffer, to, bytes, from, first, seen);
    if (bytes > 0 && hasWords(owner, buffer)) {
      int causes = clocks.causes(s, lane, true);
      dataWords.written(s, worker, owner, buffer, (int) to, bytes, causes);
    }
  }

  private boolean cells(int owner, int buffer) {
    return agents.cells.in(owner * model.buffers + model.base[buffer]);
  }

  /** Writes the bytes that were read, the first {@code whole} of them by whole cells. */
  private void store(
      MachineState s, int lane, int owner, int buffer, long to, int bytes, int whole, int seen) {
    int worker = agents.worker[lane];
    memory.store(s, worker, owner, buffer, to, bytes, whole, data, seen);
    int causes = clocks.causes(s, lane, true);
    dataWords.written(s, worker, owner, buffer, (int) to, bytes, whole, causes);
  }

  /** Reads the elements of each source that a hook uses; tables that select elements come first. */
  private void sources(
      MachineState s,
      int lane,
      int[] ops,
      int at,
      int length,
      HookCombiner hook,
      int seen,
      ChoiceSource branch) {
    int[] begin = new int[CopyLayout.sources(ops, at) + 1];
    for (int i = 0; i + 1 < begin.length; i++) {
      begin[i + 1] = begin[i] + hook.taken(i, length);
    }
    room(Math.max(length, begin[begin.length - 1]));
    for (boolean gathered : new boolean[] {false, true}) {
      for (int i = 0; i + 1 < begin.length; i++) {
        int place = CopyLayout.source(ops, at, i);
        if (hook.gathers(i) != gathered) {
          continue;
        }
        if (ops[place + CopyLayout.FORMAT] >= 0) {
          source(s, lane, ops, place, begin[i + 1] - begin[i], begin[i], seen, branch);
          continue;
        }
        int owner = rank(s, lane, ops[place + CopyLayout.RANKS]);
        int buffer = ops[place + CopyLayout.BUFFER];
        long offset = value(s, lane, ops[place + CopyLayout.OFFSET]);
        int[] runs = hook.runs(data, i, length);
        for (int run = 0; run < runs.length; run += 2) {
          int bytes = runs[run + 1] - runs[run];
          memory.read(
              s,
              agents.worker[lane],
              owner,
              buffer,
              offset + runs[run],
              bytes,
              data,
              begin[i] + runs[run],
              false,
              seen,
              branch);
        }
      }
    }
  }

  /** Copies by the lane's unit. */
  void bulk(MachineState s, int lane, int at, ChoiceSource branch) {
    int[] ops = model.lane(lane).ops();
    clocks.bulk(s, lane);
    int unit = agents.unit[lane];
    int seen = CausalClockIndex.leader(model, lane);
    int length = Math.toIntExact(value(s, lane, ops[at + 1]));
    room(length);
    int from = rank(s, lane, ops[at + 6]);
    long source = value(s, lane, ops[at + 7]);
    memory.read(s, unit, from, ops[at + 5], source, length, data, 0, false, seen, branch);
    int to = rank(s, lane, ops[at + 3]);
    long target = value(s, lane, ops[at + 4]);
    memory.write(s, unit, to, ops[at + 2], target, length, data, 0, seen);
    if (length > 0 && hasWords(to, ops[at + 2])) {
      int causes = clocks.causes(s, lane, false);
      dataWords.written(s, unit, to, ops[at + 2], (int) target, length, causes);
    }
  }

  private boolean hasWords(int owner, int buffer) {
    int base = model.base[buffer];
    return model.scan.format[base] >= 0 || model.words.hasWords(owner * model.buffers + base);
  }

  private void room(int length) {
    if (length > data.length) {
      data = new long[2 * length];
    }
  }

  private void source(
      MachineState s,
      int lane,
      int[] ops,
      int place,
      int length,
      int at,
      int seen,
      ChoiceSource branch) {
    int owner = rank(s, lane, ops[place + CopyLayout.RANKS]);
    int buffer = ops[place + CopyLayout.BUFFER];
    long offset = value(s, lane, ops[place + CopyLayout.OFFSET]);
    if (ops[place + CopyLayout.FORMAT] < 0) {
      memory.read(
          s, agents.worker[lane], owner, buffer, offset, length, data, at, false, seen, branch);
      return;
    }
    PacketFormat format = FORMATS[ops[place + CopyLayout.FORMAT]];
    int first = packet(s, lane, ops, place, owner, length);
    long flag = value(s, lane, ops[place + CopyLayout.FLAG]);
    dataWords.awaits(flag);
    for (int p = 0; p < format.count(length); p++) {
      words.take(s, first + p, lane, EQUAL, flag, false, MachineModel.SYS, branch);
    }
    int start = model.firstByte[owner * model.buffers + buffer] + (int) offset;
    for (int i = 0; i < length; i++) {
      int packet = i / format.payload();
      data[at + i] =
          s.bytes[start + packet * format.bytes() + placeOf(format, i % format.payload())];
    }
    for (int p = 0; p < format.count(length); p++) {
      if (torn(s, format, first + p, lane)) {
        int from = p * format.payload();
        int bytes = Math.min(tornBytes(s, format, first + p, lane), length - from);
        long line = offset + (long) p * format.bytes();
        memory.read(
            s,
            agents.worker[lane],
            owner,
            buffer,
            line,
            bytes,
            data,
            at + from,
            false,
            seen,
            branch);
      }
    }
  }

  /**
   * Whether the flag of the packet covers only its own word. An interface that places writes in any
   * order does so within a line, too. So do mapped links that keep no line whole.
   */
  private boolean torn(MachineState s, PacketFormat format, int packet, int lane) {
    boolean apart =
        words.fromInterface(s, packet, lane)
            ? model.profile.relaxedOrdering()
            : model.profile.torn();
    return format == PacketFormat.LINE128 && apart;
  }

  /**
   * How many data bytes the flag of a torn packet does not cover; the last ones may be in its
   * store.
   */
  private int tornBytes(MachineState s, PacketFormat format, int packet, int lane) {
    boolean stored = model.profile.cells() && !words.fromInterface(s, packet, lane);
    return stored ? format.bytes() - AtomicCells.BYTES : format.payload();
  }

  /** The place of a data byte in its packet. */
  private static int placeOf(PacketFormat format, int i) {
    return format == PacketFormat.PKT16 ? i / 4 * 8 + i % 4 : i;
  }

  private void pack(PacketFormat format, int length, long flag) {
    int bytes = (int) format.image(length);
    if (bytes > image.length) {
      image = new long[2 * bytes];
    }
    java.util.Arrays.fill(image, 0, bytes, 0);
    for (int i = 0; i < length; i++) {
      int packet = i / format.payload();
      image[packet * format.bytes() + placeOf(format, i % format.payload())] = data[i];
    }
    for (int p = 0; p < bytes; p += format.bytes()) {
      switch (format) {
        case PKT8 -> model.origins.put(image, p + 4, 4, flag, 0);
        case PKT16 -> {
          model.origins.put(image, p + 4, 4, flag, 0);
          model.origins.put(image, p + 12, 4, flag, 0);
        }
        case LINE128 -> model.origins.put(image, p + 120, 8, flag, 0);
      }
    }
  }
}
