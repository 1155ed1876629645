package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.LitmusStep.Place;
import dev.oriel.sim.oracle.LitmusStep.Strength;
import dev.oriel.sim.oracle.LitmusStep.Word;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lanes that both a program and a litmus test can express. A lane is a thread of the test, alone in
 * its block, on the GPU of its rank. An outcome lists the value that each observing step found,
 * lane by lane in program order, and then the final value of every word.
 */
record LitmusProgram(int ranks, List<LitmusLane> lanes, List<Word> words) {
  /** Most steps of a lane. */
  static final int MAX_STEPS = 16;

  /**
   * A lane.
   *
   * @param block whether the lane has several threads, of which the first takes strong steps
   */
  record LitmusLane(int rank, boolean block, List<LitmusStep> steps) {
    LitmusLane {
      steps = List.copyOf(steps);
    }

    LitmusLane without(int step) {
      List<LitmusStep> left = new ArrayList<>(steps);
      left.remove(step);
      return new LitmusLane(rank, block, left);
    }

    LitmusLane with(int step, LitmusStep other) {
      List<LitmusStep> changed = new ArrayList<>(steps);
      changed.set(step, other);
      return new LitmusLane(rank, block, changed);
    }
  }

  LitmusProgram {
    lanes = List.copyOf(lanes);
    words = List.copyOf(words);
  }

  LitmusProgram with(int lane, LitmusLane other) {
    List<LitmusLane> changed = new ArrayList<>(lanes);
    changed.set(lane, other);
    return new LitmusProgram(ranks, changed, words);
  }

  /** The same on one GPU. */
  LitmusProgram onOneGpu() {
    List<Word> moved = words.stream().map(word -> word.at(0)).toList();
    List<LitmusLane> changed =
        lanes.stream()
            .map(lane ->
                new LitmusLane(
                    0, lane.block(), lane.steps().stream().map(step -> step.at(0)).toList()))
            .toList();
    return new LitmusProgram(1, changed, moved);
  }

  /** The same with lanes of one thread. */
  LitmusProgram ofSingleThreads() {
    List<LitmusLane> changed =
        lanes.stream().map(lane -> new LitmusLane(lane.rank(), false, lane.steps())).toList();
    return new LitmusProgram(ranks, changed, words);
  }

  int rank(int lane) {
    return lanes.get(lane).rank();
  }

  int steps() {
    return lanes.stream().mapToInt(lane -> lane.steps().size()).sum();
  }

  /** Whether some lane waits for a word or a slot. */
  boolean waits() {
    return lanes.stream()
        .flatMap(lane -> lane.steps().stream())
        .anyMatch(step -> step instanceof LitmusStep.Wait || step instanceof LitmusStep.Await);
  }

  /**
   * Whether a lane waits for a word that another lane stores plainly. The rounds in which the wait
   * finds nothing may race with that store even if the last one does not.
   */
  boolean pollsPlainStores() {
    for (int lane = 0; lane < lanes.size(); lane++) {
      for (int other = 0; other < lanes.size(); other++) {
        if (lane != other && waitsFor(lane).anyMatch(plainlyStored(other)::contains)) {
          return true;
        }
      }
    }
    return false;
  }

  private Stream<String> waitsFor(int lane) {
    return lanes.get(lane).steps().stream()
        .filter(LitmusStep.Wait.class::isInstance)
        .map(step -> ((LitmusStep.Wait) step).word().name());
  }

  private List<String> plainlyStored(int lane) {
    return lanes.get(lane).steps().stream()
        .filter(step -> step instanceof LitmusStep.Store s && s.strength() == Strength.WEAK)
        .map(step -> ((LitmusStep.Store) step).word().name())
        .toList();
  }

  static String slot(int writer, int target) {
    return "s%dt%d".formatted(writer, target);
  }

  private Place place(int lane, int step) {
    return new Place(lane, rank(lane), step);
  }

  String program() {
    StringBuilder text = new StringBuilder("form drawn\n");
    words.forEach(word -> text.append("scratch %s[8]\n".formatted(word.name())));
    text.append("scratch mine[%d]\n".formatted(8 * lanes.size() * MAX_STEPS));
    text.append("signal S[%d]\n".formatted(lanes.size()));
    for (int lane = 0; lane < lanes.size(); lane++) {
      LitmusLane thread = lanes.get(lane);
      text.append("lane l%d: %s {\n".formatted(lane, thread.block() ? "sm(32)" : "sm(1)"));
      String indent = ranks == 1 ? "  " : "    ";
      if (ranks > 1) {
        text.append("  if r == %d {\n".formatted(thread.rank()));
      }
      for (int i = 0; i < thread.steps().size(); i++) {
        String operations = thread.steps().get(i).program(place(lane, i), this);
        text.append(indent).append(operations.replace("; ", "\n" + indent)).append('\n');
      }
      text.append(ranks > 1 ? "  }\n}\n" : "}\n");
    }
    return text.toString();
  }

  /** For each value of an outcome, where the simulator finds it; see {@link SimulatedOutcomes}. */
  String observed() {
    StringJoiner places = new StringJoiner(" ");
    for (int lane = 0; lane < lanes.size(); lane++) {
      int register = 1;
      for (LitmusStep step : lanes.get(lane).steps()) {
        if (step.observes()) {
          places.add("register:%d:%d:%d".formatted(rank(lane), lane, register++));
        }
      }
    }
    for (int i = 0; i < words.size(); i++) {
      places.add("word:%d:%d:0".formatted(words.get(i).owner(), i));
    }
    return places.toString();
  }

  /** The names of the values of an outcome. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      for (int i = 0; i < lanes.get(lane).steps().size(); i++) {
        if (lanes.get(lane).steps().get(i).observes()) {
          names.add("P%d:%s".formatted(lane, place(lane, i).register()));
        }
      }
    }
    words.forEach(word -> names.add(word.name()));
    return names;
  }

  String litmus() {
    List<List<String>> columns = new ArrayList<>();
    StringBuilder first = new StringBuilder("{ ");
    words.forEach(word -> first.append("%s=0; ".formatted(word.name())));
    for (int lane = 0; lane < lanes.size(); lane++) {
      List<String> column = new ArrayList<>();
      column.add("P%d@cta %d,gpu %d".formatted(lane, lane, rank(lane)));
      for (int i = 0; i < lanes.get(lane).steps().size(); i++) {
        column.addAll(lanes.get(lane).steps().get(i).litmus(place(lane, i), this));
      }
      columns.add(column);
      for (int target = 0; target < ranks; target++) {
        first.append("%s=0; ".formatted(slot(lane, target)));
      }
    }
    int rows = Collections.max(columns.stream().map(List::size).toList());
    StringBuilder text = new StringBuilder("PTX drawn\n").append(first).append("}\n");
    for (int row = 0; row < rows; row++) {
      int now = row;
      text.append(
          columns.stream()
              .map(column -> now < column.size() ? column.get(now) : "")
              .collect(Collectors.joining(" | ", "", " ;\n")));
    }
    return text.append("locations [%s]\nexists true\n".formatted(String.join("; ", names())))
        .toString();
  }
}
