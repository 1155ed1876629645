package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WorldSizeCheck;
import java.util.Set;
import java.util.stream.Stream;

/** Refuses, before any allocation, a program that could not be run to its end. */
final class ProgramRequirements {
  private ProgramRequirements() {}

  /** The program lowered for a world in which every peer is a network peer. */
  static LoweredForm lower(Program program, Topology topology) {
    WorldSizeCheck.require(program, topology);
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space() == Space.SHARED) {
        throw refused(program, "buffer=" + buffer.name(), "use scratch instead of shared memory");
      }
      if (buffer.isAlias()) {
        throw refused(program, "alias=" + buffer.name(), "use " + buffer.of());
      }
    }
    LoweredForm lowered;
    try {
      lowered = FormLowering.lower(program.form(), Set.of(PeerKind.RDMA));
    } catch (ProgramException e) {
      throw new MachineException(String.valueOf(e.getMessage()), e);
    }
    lowered.lanes().stream()
        .flatMap(lane -> lane.steps().stream())
        .forEach(step -> check(program, step.micro()));
    Set<String> changed = WordAtomicity.of(lowered).remote();
    lowered.lanes().stream()
        .flatMap(lane -> lane.steps().stream())
        .forEach(step -> checkCounter(program, step.micro(), changed));
    return lowered;
  }

  /**
   * Counters are changed by the host, whose changes are not atomic with respect to an interface's.
   */
  private static void checkCounter(Program program, MicroOperation micro, Set<String> changed) {
    if (micro instanceof MicroOperation.Post(_, _, MicroOperation.Request.Count(var word), _, _)
        && changed.contains(word.buffer())) {
      throw refused(
          program,
          "counter=" + word.buffer(),
          "peers change words of that buffer too: give counters one of their own");
    }
  }

  private static void check(Program program, MicroOperation micro) {
    switch (micro) {
      case MicroOperation.ProxyStep p ->
          throw refused(program, "operation=" + StepPrinter.print(p), "use moves, puts and gets");
      case MicroOperation.Copy c
          when Stream.concat(
                  c.destinations().stream(), c.sources().stream().map(SourceSeries::region))
              .anyMatch(ProgramRequirements::line) ->
          throw refused(
              program,
              "operation=" + StepPrinter.print(c),
              "use pkt16: a line of 128 bytes may arrive in parts");
      default -> {}
    }
  }

  private static boolean line(Region region) {
    return region.access() instanceof Access.Packets(PacketFormat format, var _)
        && format == PacketFormat.LINE128;
  }

  private static MachineException refused(Program program, String fact, String remedy) {
    return new MachineException(
        "not run over RDMA: form=%s, %s; %s".formatted(program.form().name(), fact, remedy));
  }
}
