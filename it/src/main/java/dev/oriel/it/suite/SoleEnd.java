package dev.oriel.it.suite;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.run.Exercise;
import dev.oriel.ports.Executor;
import dev.oriel.sim.engine.Requirements;
import dev.oriel.sim.engine.Transition;
import dev.oriel.sim.engine.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What every buffer of every rank holds behind each launch, in whichever order steps are taken. It
 * says what is right where a program promises nothing of its memory.
 *
 * @param memory by launch, rank and buffer
 */
record SoleEnd(List<List<Map<String, byte[]>>> memory) {
  private static final int MOST_STEPS = 100_000;

  /**
   * The end of a program that is launched once on each of these, one behind the other.
   *
   * @param orders random ones, in which it is executed
   * @return empty if executions end in different ways, or if one does not end
   * @throws dev.oriel.ports.MachineException if the host cannot execute it
   */
  static Optional<SoleEnd> of(
      Program program,
      Topology topology,
      List<Exercise> launches,
      int orders,
      SplittableRandom random) {
    Optional<SoleEnd> first = Optional.empty();
    for (int i = 0; i < orders; i++) {
      Optional<SoleEnd> next = one(program, topology, launches, random.split());
      if (next.isEmpty() || first.isPresent() && !next.get().alike(first.get())) {
        return Optional.empty();
      }
      first = next;
    }
    return first;
  }

  private static Optional<SoleEnd> one(
      Program program, Topology topology, List<Exercise> launches, SplittableRandom random) {
    World world =
        new World(
            program, topology, Requirements.lower(program, topology, Set.of(PeerKind.NVLINK)));
    List<List<Map<String, byte[]>>> memory = new ArrayList<>();
    for (Exercise exercise : launches) {
      for (int rank = 0; rank < world.size(); rank++) {
        for (Map.Entry<String, byte[]> before : exercise.before(rank).entrySet()) {
          byte[] bytes = before.getValue();
          System.arraycopy(bytes, 0, world.bytes(rank, before.getKey()), 0, bytes.length);
        }
        world.launch(rank);
      }
      if (!ends(world, random)) {
        return Optional.empty();
      }
      memory.add(held(program, world));
    }
    return Optional.of(new SoleEnd(memory));
  }

  private static boolean ends(World world, SplittableRandom random) {
    for (int step = 0; step < MOST_STEPS; step++) {
      List<Transition> enabled = Transition.enabled(world);
      if (enabled.isEmpty()) {
        for (int rank = 0; rank < world.size(); rank++) {
          if (!world.ended(rank)) {
            return false;
          }
        }
        return true;
      }
      enabled.get(random.nextInt(enabled.size())).apply(world);
    }
    return false;
  }

  private static List<Map<String, byte[]>> held(Program program, World world) {
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

  private boolean alike(SoleEnd other) {
    for (int launch = 0; launch < memory.size(); launch++) {
      for (int rank = 0; rank < memory.get(launch).size(); rank++) {
        Map<String, byte[]> theirs = other.memory.get(launch).get(rank);
        for (Map.Entry<String, byte[]> mine : memory.get(launch).get(rank).entrySet()) {
          if (!Arrays.equals(mine.getValue(), theirs.get(mine.getKey()))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** What local ranks hold behind a launch that they should not, the first byte of each buffer. */
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
