package dev.oriel.sim.machine.memo;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.rows.FlatClockTable;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.state.MachineState;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every element of the state that changes belongs to exactly one part. */
class StatePartTest {
  /**
   * Arrays that no part needs to hold: those that stay 0 without faults and for so many launches,
   * derived ones, and rows, which keep their numbers.
   */
  private static final Set<String> WITHOUT =
      Set.of(
          "steps",
          "lastStep",
          "allSteps",
          "held",
          "stalled",
          "enabled",
          "last",
          "turns",
          "releases",
          "causes",
          "model");

  /** Arrays that must be empty for recalled steps. */
  private static final Set<String> EMPTY =
      Set.of("locks", "proxies", "named", "updates", "updateValues", "updateCauses");

  private static final String PROGRAM =
      """
      form parts
      input in[64]
      output out[64]
      scratch ll[64]
      scratch box[64]
      alias view of box
      signal S[2]
      signal T[1]
      lane copies: copy {
        move box@((r + 1) % n)[0] <- in[0] bytes 8
      }
      lane main(i < 2): sm(32) cluster(2) {
        state sent step 1
        signal S[i]@peers set epoch release
        await S[i]@((r + 1) % n) reached epoch acquire cluster
        put box@((r + 1) % n)[8 + 8 * i] <- in[0] bytes 8 notify T[0] add 1 nb
        get out[8 * i] <- box@((r + 1) % n)[32] bytes 8
        quiet
        sync
      }
      """;

  private static final String PACKETS =
      """
      form packets
      input in[8]
      output out[8]
      scratch ll[64]
      lane main: sm(32) {
        move ll@peers[0] pkt16(1) <- in[0] bytes 8
        move out[0] <- ll[0] pkt16(1) bytes 8
      }
      """;

  private static MachineModel model(String text, String shape, String profile, int registrations) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    WorldCode code =
        new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
    return new MachineModel(
        code, topology, Profile.parse(profile), new StateCapacities(), registrations);
  }

  private static List<StatePart> parts(MachineModel model, MachineState s) {
    List<StatePart> parts = new ArrayList<>();
    for (int r = 0; r < model.world; r++) {
      parts.add(StatePart.rank(model, s, r));
    }
    for (int q = 0; q < model.agents.queues; q++) {
      parts.add(StatePart.queue(model, s, q));
    }
    return parts;
  }

  private static void fill(Object array, int value) {
    switch (array) {
      case int[] ints -> Arrays.fill(ints, value);
      case long[] longs -> Arrays.fill(longs, value);
      case boolean[] flags -> Arrays.fill(flags, value != 0);
      default -> throw new AssertionError(array);
    }
  }

  private static boolean filled(Object array, int i) {
    return switch (array) {
      case int[] ints -> ints[i] != 0;
      case long[] longs -> longs[i] != 0;
      case boolean[] flags -> flags[i];
      default -> throw new AssertionError(array);
    };
  }

  /** For each index of the array: the number of parts that save and restore this element. */
  private static int[] holders(List<StatePart> parts, Object array) {
    fill(array, 1);
    List<StatePart.Version> full = parts.stream().map(part -> part.version(null)).toList();
    int[] holders = new int[Array.getLength(array)];
    for (int p = 0; p < parts.size(); p++) {
      fill(array, 0);
      parts.get(p).load(full.get(p), null);
      for (int i = 0; i < holders.length; i++) {
        holders[i] += filled(array, i) ? 1 : 0;
      }
    }
    return holders;
  }

  /** The arrays of such a state that have elements, each of which exactly one part must hold. */
  private static Set<String> held(MachineModel model, List<Field> arrays)
      throws IllegalAccessException {
    MachineState s = new MachineState(model, true);
    s.clear();
    List<StatePart> parts = parts(model, s);
    Set<String> found = new TreeSet<>();
    for (Field field : arrays) {
      Object array = field.get(s) instanceof FlatClockTable rows ? rows.cells : field.get(s);
      int[] holders = holders(parts, array);
      assertThat(Arrays.stream(holders).allMatch(count -> count == 1))
          .as("%s: %s", field.getName(), Arrays.toString(holders))
          .isTrue();
      if (holders.length > 0) {
        found.add(field.getName());
      }
    }
    return found;
  }

  @Test
  void everyElementIsInOnePart() throws IllegalAccessException {
    List<Field> arrays =
        Arrays.stream(MachineState.class.getDeclaredFields())
            .filter(field -> !WITHOUT.contains(field.getName()))
            .toList();
    assertThat(arrays)
        .allMatch(field -> field.getType().isArray() || field.getType() == ClockTable.class);
    Set<String> found = new TreeSet<>();
    for (String shape : List.of("2x1", "1x2", "2x2")) {
      found.addAll(held(model(PROGRAM, shape, "L3", -1), arrays));
      found.addAll(held(model(PACKETS, shape, "L2", -1), arrays));
    }
    found.addAll(EMPTY);
    assertThat(found)
        .isEqualTo(arrays.stream().map(Field::getName).collect(toCollection(TreeSet::new)));
  }

  private static boolean allHeld(MachineModel model) {
    return StatePart.holdAll(new MachineState(model, true));
  }

  private static String lane(String steps) {
    return "form some\nscratch box[64]\nlane main: sm(32) { %s }".formatted(steps);
  }

  @Test
  void programsWithElementsOutsideOfPartsAreRecognised() {
    String put = lane("put box@((r + 1) % n)[0] <- box[8] bytes 8 nb");
    assertThat(allHeld(model(put, "2x1", "L2", -1))).isTrue();
    assertThat(allHeld(model(put, "2x1", "L2", 0))).isFalse();
    assertThat(allHeld(model(put, "2x1", "L2,proxy=1", -1))).isFalse();
    assertThat(allHeld(model(lane("atomic box[0] add 1"), "1x2", "L2", -1))).isFalse();
    assertThat(allHeld(model(lane("lock box@0[0]"), "1x2", "L2", -1))).isFalse();
  }
}
