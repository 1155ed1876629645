package dev.oriel.sim.engine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WorldSizeCheck;
import java.util.Set;

/** Refuses, before anything runs, programs that this engine cannot execute completely. */
public final class EngineRequirements {
  private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8L;

  private EngineRequirements() {}

  /**
   * The program lowered for those links, after checks that a world of it can be built and run.
   *
   * @throws MachineException naming the reason if it cannot
   */
  public static LoweredForm lower(Program program, Topology topology, Set<PeerKind> kinds) {
    WorldSizeCheck.require(program, topology);
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space() == Space.SHARED) {
        throw new MachineException(
            "shared memory not executed by this engine: form=%s, buffer=%s; use scratch"
                .formatted(program.form().name(), buffer.name()));
      }
    }
    LoweredForm lowered;
    try {
      lowered = FormLowering.lower(program.form(), kinds);
    } catch (ProgramException e) {
      throw new MachineException(String.valueOf(e.getMessage()), e);
    }
    size(program);
    return lowered;
  }

  private static void size(Program program) {
    long most = Runtime.getRuntime().maxMemory();
    long total = 0;
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      for (Buffer b : program.form().buffers()) {
        total += array("buffer", b.name(), r, rank.bytes(b.name()));
        fits(total, most);
      }
      for (SignalArray s : program.form().signals()) {
        long slots = (long) rank.slots(s.name()) * program.world();
        total += Long.BYTES * array("signal", s.name(), r, slots);
        fits(total, most);
      }
    }
  }

  private static long array(String what, String name, int rank, long length) {
    if (length > LARGEST_ARRAY) {
      throw new MachineException(
          "%s too large for this engine: name=%s, rank=%d, length=%d, max=%d; choose smaller parameters"
              .formatted(what, name, rank, length, LARGEST_ARRAY));
    }
    return length;
  }

  private static void fits(long total, long most) {
    if (total > most) {
      throw MachineException.lacking(
          "world larger than this JVM's memory: bytes>=%d, max=%d; choose smaller parameters, or give -Xmx"
              .formatted(total, most));
    }
  }
}
