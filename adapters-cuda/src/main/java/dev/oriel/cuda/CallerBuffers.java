package dev.oriel.cuda;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.process.AllocationExchange.MappedAllocation;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The application's memory that serves as buffers of a program: inputs and outputs of sufficient
 * length.
 */
final class CallerBuffers {
  /** Bytes of the widest access of a kernel. */
  private static final int ALIGNMENT = 16;

  private CallerBuffers() {}

  /**
   * Refuses memory of ranks in other processes, and all such memory if there is a network: the
   * network's interfaces have only the program's own memory registered.
   */
  static void require(
      Program program,
      Map<Integer, Map<String, UserMemory>> given,
      Set<Integer> local,
      Optional<? extends OutsideNetwork> outside) {
    boolean some = given.values().stream().anyMatch(of -> !of.isEmpty());
    if (some && outside.isPresent()) {
      throw new MachineException(
          "memory of apps and a network: form=%s, ranks=%s; use NVLink peers only, or let the program have memory of its own"
              .formatted(program.form().name(), given.keySet()));
    }
    if (!local.containsAll(given.keySet())) {
      throw new MachineException(
          "memory of ranks elsewhere: form=%s, given=%s, local=%s; give memory of ranks of this process"
              .formatted(program.form().name(), given.keySet(), local));
    }
  }

  /** The addresses of a local rank's lent buffers, which peers in this process reach as well. */
  static Map<String, Long> here(
      RankProgram rank, AllocationSharing gpu, Map<String, UserMemory> given) {
    Map<String, MappedAllocation> reached = new TreeMap<>();
    given.forEach((name, memory) -> {
      DeviceAllocation found = gpu.find(memory).holding(memory, gpu.gpu()).exportable(memory);
      if (!gpu.reaches(found.kind())) {
        throw new MachineException(
            "memory cannot be shared inside a process: rank=%d, buffer=%s, kind=%s; use cuMemAlloc, or one process for each GPU"
                .formatted(rank.rank(), name, found.kind()));
      }
      reached.put(name, new MappedAllocation(memory.address(), memory.bytes()));
    });
    return addresses(rank, reached);
  }

  /** The addresses of a rank's lent buffers, of any process. */
  static Map<String, Long> addresses(RankProgram rank, Map<String, MappedAllocation> reached) {
    Map<String, Long> addresses = new TreeMap<>();
    reached.forEach((name, memory) -> {
      requireFits(rank, name, memory);
      addresses.put(name, memory.address());
    });
    requireApart(rank, reached);
    return addresses;
  }

  /**
   * Refuses two buffers that overlap, unless the program only reads both: it relies on their being
   * distinct.
   */
  private static void requireApart(RankProgram rank, Map<String, MappedAllocation> reached) {
    Form form = rank.program().form();
    reached.forEach((one, here) ->
        reached.forEach((other, there) -> {
          boolean written = form.buffer(one).orElseThrow().space().taken();
          boolean meet =
              here.address() < there.address() + rank.bytes(other)
                  && there.address() < here.address() + rank.bytes(one);
          if (written && meet && !one.equals(other)) {
            throw new MachineException(
                "memory overlaps: rank=%d, buffers=%s and %s, form=%s; give each its own, or prepare the form that InPlace.of makes"
                    .formatted(rank.rank(), one, other, form.name()));
          }
        }));
  }

  private static void requireFits(RankProgram rank, String name, MappedAllocation memory) {
    Space space =
        rank.program().form().buffers().stream()
            .filter(b -> b.name().equals(name))
            .map(Buffer::space)
            .findFirst()
            .orElse(Space.SHARED);
    if (!space.callers()) {
      throw new MachineException(
          "no input or output of that name: rank=%d, buffer=%s, form=%s; give memory for inputs and outputs"
              .formatted(rank.rank(), name, rank.program().form().name()));
    }
    if (memory.bytes() < rank.bytes(name)) {
      throw new MachineException(
          "memory too small: rank=%d, buffer=%s, bytes=%d, needed=%d; give more, or bind a smaller size"
              .formatted(rank.rank(), name, memory.bytes(), rank.bytes(name)));
    }
    if (memory.address() % ALIGNMENT != 0) {
      throw new MachineException(
          "memory is not aligned: rank=%d, buffer=%s, address=%d, alignment=%d; begin at a multiple"
              .formatted(rank.rank(), name, memory.address(), ALIGNMENT));
    }
  }
}
