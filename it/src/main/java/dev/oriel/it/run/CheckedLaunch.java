package dev.oriel.it.run;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Random inputs and poisoned outputs before a launch, the program's claims after it; repeatable
 * with each new fill.
 */
public final class CheckedLaunch {
  private final LaunchExercise exercise;
  private final Executor.Instance instance;

  /** The expected bytes of all launches on these inputs, once they were requested. */
  private @Nullable List<Held> held;

  private JudgedConditions conditions = JudgedConditions.NONE;

  /** A promise to a rank, and the expected bytes. */
  private static final class Held {
    private final int rank;
    private final BoundPostCondition claim;
    private final byte[] expected;

    Held(int rank, BoundPostCondition claim, byte[] expected) {
      this.rank = rank;
      this.claim = claim;
      this.expected = expected;
    }
  }

  public CheckedLaunch(Program program, Executor.Instance instance, SplittableRandom random) {
    this(LaunchExercise.draw(program, random), instance);
  }

  public CheckedLaunch(LaunchExercise exercise, Executor.Instance instance) {
    this.exercise = exercise;
    this.instance = instance;
  }

  public List<String> run(Supplier<List<Outcome>> launch) {
    fill();
    List<String> problems = ends(instance.ranks(), launch.get());
    return problems.isEmpty() ? problems() : problems;
  }

  /** One line for each launch that did not end well. */
  public static List<String> ends(List<Integer> ranks, List<Outcome> outcomes) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done)) {
        problems.add("rank=" + ranks.get(i) + ", outcome=" + outcomes.get(i));
      }
    }
    return problems;
  }

  /** Writes the bytes of the local ranks. */
  public void fill() {
    for (int rank : instance.ranks()) {
      exercise.before(rank).forEach((buffer, bytes) -> instance.write(rank, buffer, 0, bytes));
    }
  }

  /** For each claim, the first byte that is not as promised. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Held one : held()) {
      BoundPostCondition claim = one.claim;
      BoundPostCondition.Memory memory =
          (buffer, offset, length) -> instance.read(one.rank, buffer, offset, length);
      boolean applies = claim.applies(memory);
      if (claim.when().isPresent()) {
        conditions = conditions.and(new JudgedConditions(1, applies ? 1 : 0));
      }
      if (!applies) {
        continue;
      }
      byte[] found = claim.found(memory);
      int wrong = Arrays.mismatch(found, one.expected);
      if (wrong >= 0) {
        problems.add(
            "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x (%s)"
                .formatted(
                    one.rank,
                    claim.actual(),
                    claim.place(wrong),
                    found[wrong],
                    one.expected[wrong],
                    claim.origin(wrong)));
      }
    }
    return problems;
  }

  /** The conditions of post-conditions that were looked at so far. */
  public JudgedConditions conditions() {
    return conditions;
  }

  private List<Held> held() {
    List<Held> known = held;
    if (known == null) {
      known = new ArrayList<>();
      for (int rank : instance.ranks()) {
        for (BoundPostCondition claim : exercise.claims(rank)) {
          known.add(new Held(rank, claim, exercise.expected(claim)));
        }
      }
      held = known;
    }
    return known;
  }
}
