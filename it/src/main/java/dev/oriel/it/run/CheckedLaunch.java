package dev.oriel.it.run;

import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random inputs and poisoned outputs before a launch, the program's claims after it. */
public final class CheckedLaunch {
  private final Program program;
  private final Executor.Instance instance;
  private final SplittableRandom random;
  private final List<Map<String, byte[]>> inputs = new ArrayList<>();

  public CheckedLaunch(Program program, Executor.Instance instance, SplittableRandom random) {
    this.program = program;
    this.instance = instance;
    this.random = random;
  }

  public List<String> run(Supplier<List<Outcome>> launch) {
    fill();
    List<String> problems = ends(instance.ranks(), launch.get());
    return problems.isEmpty() ? problems() : problems;
  }

  /** One line for each launch that did not end well. */
  static List<String> ends(List<Integer> ranks, List<Outcome> outcomes) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done)) {
        problems.add("rank=" + ranks.get(i) + ", outcome=" + outcomes.get(i));
      }
    }
    return problems;
  }

  /** Draws every rank's bytes, so that all processes know them; writes those of the local ranks. */
  public void fill() {
    List<Integer> local = instance.ranks();
    for (int rank = 0; rank < program.world(); rank++) {
      RankProgram sizes = program.rank(rank);
      Map<String, byte[]> mine = InputWords.draw(sizes, random::nextLong);
      for (Buffer buffer : program.form().buffers()) {
        byte[] bytes =
            mine.computeIfAbsent(
                buffer.name(), name -> poisoned(Math.toIntExact(sizes.bytes(name))));
        if (local.contains(rank)
            && (buffer.space() == Space.INPUT || buffer.space() == Space.OUTPUT)) {
          instance.write(rank, buffer.name(), 0, bytes);
        }
      }
      inputs.add(mine);
    }
  }

  private static byte[] poisoned(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0xA5);
    return bytes;
  }

  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int rank : instance.ranks()) {
      for (Claim claim : program.rank(rank).claims(this::start)) {
        byte[] expected = claim.expected(this::start);
        byte[] found =
            claim.found((offset, length) -> instance.read(rank, claim.actual(), offset, length));
        int wrong = Arrays.mismatch(found, expected);
        if (wrong >= 0) {
          problems.add(
              "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x (%s)"
                  .formatted(
                      rank,
                      claim.actual(),
                      claim.place(wrong),
                      found[wrong],
                      expected[wrong],
                      claim.origin(wrong)));
        }
      }
    }
    return problems;
  }

  private byte[] start(Claim.Source source, int length) {
    byte[] whole = Objects.requireNonNull(inputs.get(source.rank()).get(source.buffer()));
    int from = Math.toIntExact(source.offset());
    return Arrays.copyOfRange(whole, from, from + length);
  }
}
