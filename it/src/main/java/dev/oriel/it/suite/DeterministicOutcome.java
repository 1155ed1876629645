package dev.oriel.it.suite;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.engine.Transition;
import dev.oriel.sim.engine.WorldState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The content of every buffer of every rank after each launch, if it is the same in every order of
 * steps. It is the expected result where a program promises nothing about its memory.
 *
 * @param memory by launch, rank and buffer
 * @param changes whether any launch changes any of it: else there is nothing to compare
 */
record DeterministicOutcome(List<List<Map<String, byte[]>>> memory, boolean changes) {
  private static final int MOST_STEPS = 100_000;

  /**
   * The result of a program with that start.
   *
   * @param orders the number of random orders in which it is executed
   * @return empty if executions end in different ways, if a lane fails, or if one does not end
   * @throws dev.oriel.ports.MachineException if the host cannot execute it
   */
  static Optional<DeterministicOutcome> of(
      Program program,
      Topology topology,
      RepairedProgramStart start,
      int orders,
      SplittableRandom random) {
    Optional<DeterministicOutcome> first = Optional.empty();
    for (int i = 0; i < orders; i++) {
      Optional<DeterministicOutcome> next = one(program, topology, start, random.split());
      if (next.isEmpty() || (first.isPresent() && !next.get().alike(first.get()))) {
        return Optional.empty();
      }
      first = next;
    }
    return first;
  }

  private static Optional<DeterministicOutcome> one(
      Program program, Topology topology, RepairedProgramStart start, SplittableRandom random) {
    WorldState world =
        new WorldState(
            program,
            topology,
            EngineRequirements.lower(program, topology, Set.of(PeerKind.NVLINK)));
    List<List<Map<String, byte[]>>> memory = new ArrayList<>();
    boolean changes = false;
    for (int launch = 0; launch < start.launches(); launch++) {
      for (int rank = 0; rank < world.size(); rank++) {
        for (Map.Entry<String, byte[]> before : start.before(launch, rank).entrySet()) {
          byte[] bytes = before.getValue();
          System.arraycopy(bytes, 0, world.bytes(rank, before.getKey()), 0, bytes.length);
        }
        world.launch(rank);
      }
      List<Map<String, byte[]>> before = held(program, world);
      if (!ends(world, random)) {
        return Optional.empty();
      }
      List<Map<String, byte[]>> after = held(program, world);
      changes |= !alike(before, after);
      memory.add(after);
    }
    return Optional.of(new DeterministicOutcome(memory, changes));
  }

  private static boolean ends(WorldState world, SplittableRandom random) {
    for (int step = 0; step < MOST_STEPS; step++) {
      List<Transition> enabled = Transition.enabled(world);
      if (enabled.isEmpty()) {
        for (int rank = 0; rank < world.size(); rank++) {
          if (!world.ended(rank) || world.failure(rank).isPresent()) {
            return false;
          }
        }
        return true;
      }
      enabled.get(random.nextInt(enabled.size())).apply(world);
    }
    return false;
  }

  private static List<Map<String, byte[]>> held(Program program, WorldState world) {
    List<Map<String, byte[]>> held = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      Map<String, byte[]> buffers = new TreeMap<>();
      for (Buffer buffer : program.form().buffers()) {
        String name = program.form().base(buffer.name());
        buffers.put(name, world.bytes(rank, name).clone());
      }
      held.add(buffers);
    }
    return held;
  }

  private boolean alike(DeterministicOutcome other) {
    return IntStream.range(0, memory.size())
        .allMatch(launch -> alike(memory.get(launch), other.memory.get(launch)));
  }

  private static boolean alike(List<Map<String, byte[]>> one, List<Map<String, byte[]>> other) {
    for (int rank = 0; rank < one.size(); rank++) {
      Map<String, byte[]> theirs = other.get(rank);
      for (Map.Entry<String, byte[]> mine : one.get(rank).entrySet()) {
        if (!Arrays.equals(mine.getValue(), theirs.get(mine.getKey()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The errors in the memory of local ranks after a launch, with the first byte of each buffer. */
  List<String> problems(Executor.Instance instance, int launch) {
    List<String> problems = new ArrayList<>();
    for (int rank : instance.ranks()) {
      memory
          .get(launch)
          .get(rank)
          .forEach((name, expected) -> {
            byte[] found = instance.read(rank, name, 0, expected.length);
            int wrong = Arrays.mismatch(found, expected);
            if (wrong >= 0) {
              problems.add(
                  "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x (as in every order that was tried)"
                      .formatted(rank, name, wrong, found[wrong], expected[wrong]));
            }
          });
    }
    return problems;
  }
}
