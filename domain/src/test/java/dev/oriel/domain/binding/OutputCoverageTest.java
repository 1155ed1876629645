package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.OutputCoverage.Part;
import dev.oriel.domain.binding.OutputCoverage.Range;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares coverage with the bytes of every claim, one by one, for every value of the words. */
class OutputCoverageTest {
  private static final int WORLD = 2;

  /** Each rank has this many words, of one byte each. */
  private static final int WORDS = 2;

  private static final int MOST = 2;

  private static final int DRAWN = 800;

  /** Random post-conditions; many overlap. */
  private static final class Drawn {
    private final SplittableRandom random;
    private boolean words;

    /** Whether words may decide which bytes a post-condition covers. */
    private boolean decided;

    Drawn(long seed) {
      random = new SplittableRandom(seed);
    }

    private int next(int limit) {
      return random.nextInt(limit);
    }

    private String pick(String... choices) {
      return choices[next(choices.length)];
    }

    String form() {
      StringBuilder ensures = new StringBuilder();
      int count = next(4);
      for (int i = 0; i < count; i++) {
        ensures.append(ensure()).append('\n');
      }
      if (next(5) == 0) {
        ensures.append("ensure out[0] = in[0] bytes 20 + 4 * r\n");
        ensures.append(next(2) == 0 ? "" : "ensure for t < 16: io[t] = in[t] bytes 1\n");
      }
      return """
      form drawn
      param B <= 5
      input in[64]
      input w[%d]
      output out[20 + 4 * r]
      inout io[16]
      scratch box[16]
      let m = 2 * r + 1
      %s%s%s
      lane main: sm(32) {
      }
      """
          .formatted(
              WORDS,
              ensures.indexOf("spread") < 0
                  ? ""
                  : "hook spread(in0: i8) -> i8 to affine(offset=peer, stride=3) = in0\n",
              ensures.indexOf("turn") < 0 ? "" : "hook turn = transpose(i8, 2, 3)\n",
              ensures);
    }

    private String ensure() {
      List<String> names = new ArrayList<>(List.of("r", "B", "m"));
      List<String> given = new ArrayList<>();
      List<String> loaded = new ArrayList<>();
      for (int i = next(4); i > 0; i--) {
        String name = "x" + i;
        switch (next(5)) {
          case 0 -> given.add("each %s in %s".formatted(name, pick("all", "peers", "self")));
          case 1 -> {
            String one = last(names);
            given.add("each %s in @min(%s, n - 1)".formatted(name, one));
            loaded.add(loaded.contains(one) ? name : "");
          }
          case 2 -> given.add("for %s < %s".formatted(name, pick("3", "B", "1")));
          default -> {
            words = true;
            loaded.add(name);
            given.add(
                "load %s <- w@%s[%s] width 1 <= %d"
                    .formatted(
                        name,
                        pick("r", "((r + 1) % n)", "min(%s, n - 1)".formatted(last(names))),
                        pick("0", "1", "min(%s, 1)".formatted(last(names))),
                        MOST));
          }
        }
        names.add(name);
      }
      String head = given.isEmpty() ? "" : String.join(", ", given) + ": ";
      String to = "%s[%s]".formatted(pick("out", "out", "io", "box"), operand(names));
      String operand = operand(names);
      String bytes = length(names);
      boolean hooked = next(4) == 0;
      decided |=
          loaded.stream()
              .filter(name -> !name.isEmpty())
              .anyMatch(name -> (to + bytes + (hooked ? operand : "")).contains(name));
      return "ensure "
          + head
          + to
          + (hooked
              ? " = spread (in[0], peer=min(%s, n - 1))".formatted(operand)
              : next(3) == 0 ? " = turn (in[0])" : " = in[%s]".formatted(last(names)))
          + " bytes "
          + bytes;
    }

    private static String last(List<String> names) {
      return names.getLast();
    }

    private String any(List<String> names) {
      return names.get(names.size() - 1 - next(names.size()));
    }

    private String operand(List<String> names) {
      return switch (next(5)) {
        case 0 -> Integer.toString(next(5));
        case 1 -> any(names);
        case 2 -> "4 * " + any(names);
        case 3 -> "min(%s, %s) + %d".formatted(any(names), any(names), next(3));
        default -> "%s + 2 * %s".formatted(any(names), any(names));
      };
    }

    private String length(List<String> names) {
      return switch (next(4)) {
        case 0 -> Integer.toString(next(4));
        case 1 -> any(names);
        case 2 -> "2 * (1 - min(1, %s ^ %s))".formatted(any(names), any(names));
        default -> "min(%s, 2)".formatted(any(names));
      };
    }
  }

  /**
   * The bytes of each output, starting with the first rank's, that some claim covers or every one
   * does.
   */
  private record Judged(Map<String, BitSet> always, Map<String, BitSet> ever) {}

  private static String place(int rank, String buffer) {
    return rank + " " + buffer;
  }

  /** Every initial state whose words are within their bounds, and the claims of each. */
  private static Judged oracle(Program program, boolean words) {
    Map<String, BitSet> always = new TreeMap<>();
    Map<String, BitSet> ever = new TreeMap<>();
    int starts = words ? (int) Math.pow(MOST + 1.0, WORLD * WORDS) : 1;
    for (int start = 0; start < starts; start++) {
      int[] values = new int[WORLD * WORDS];
      int rest = start;
      for (int i = 0; i < values.length; i++, rest /= MOST + 1) {
        values[i] = rest % (MOST + 1);
      }
      for (int rank = 0; rank < program.world(); rank++) {
        Map<String, BitSet> now = new TreeMap<>();
        for (BoundPostCondition claim :
            program
                .rank(rank)
                .claims((source, length) ->
                    new byte[] {(byte) values[source.rank() * WORDS + (int) source.offset()]})) {
          BitSet bytes = now.computeIfAbsent(place(rank, claim.actual()), b -> new BitSet());
          for (long i = 0; i < claim.bytes(); i++) {
            bytes.set((int) claim.place(i));
          }
        }
        for (Buffer buffer : program.form().buffers()) {
          String key = place(rank, buffer.name());
          BitSet bytes = now.getOrDefault(key, new BitSet());
          always.computeIfAbsent(key, k -> (BitSet) bytes.clone()).and(bytes);
          ever.computeIfAbsent(key, k -> new BitSet()).or(bytes);
        }
      }
    }
    return new Judged(always, ever);
  }

  private static Map<String, BitSet> bytes(List<Part> parts) {
    Map<String, BitSet> all = new TreeMap<>();
    for (Part part : parts) {
      for (int rank : part.ranks()) {
        BitSet bytes = all.computeIfAbsent(place(rank, part.buffer()), k -> new BitSet());
        for (Range range : part.ranges()) {
          assertThat(bytes.get((int) range.first(), (int) range.last() + 1).isEmpty()).isTrue();
          bytes.set((int) range.first(), (int) range.last() + 1);
        }
      }
    }
    return all;
  }

  private static void compare(
      String text, boolean words, boolean decided, int b, Map<String, Integer> seen) {
    Form form = FormParser.parse(text);
    Program program;
    try {
      program = Program.bind(form, WORLD, Map.of("B", (long) b));
    } catch (ProgramException outside) {
      return;
    }
    OutputCoverage coverage = OutputCoverage.of(program);
    Judged judged = oracle(program, words);
    Map<String, BitSet> silent = bytes(coverage.silent());
    Map<String, BitSet> conditional = bytes(coverage.conditional());
    long size = 0;
    long promised = 0;
    long others = 0;
    for (int rank = 0; rank < WORLD; rank++) {
      for (Buffer buffer : form.buffers()) {
        String key = place(rank, buffer.name());
        BitSet ever = Objects.requireNonNull(judged.ever().get(key));
        if (!buffer.space().taken()) {
          others += ever.cardinality();
          continue;
        }
        int bytes = (int) program.rank(rank).bytes(buffer.name());
        BitSet never = silent.getOrDefault(key, new BitSet());
        BitSet perhaps = conditional.getOrDefault(key, new BitSet());
        BitSet rest = new BitSet();
        rest.set(0, bytes);
        rest.andNot(never);
        rest.andNot(perhaps);
        assertThat(never.intersects(perhaps)).as("twice %s%n%s", key, text).isFalse();
        assertThat(never.intersects(ever)).as("silent of %s%n%s", key, text).isFalse();
        BitSet always = Objects.requireNonNull(judged.always().get(key));
        BitSet more = (BitSet) rest.clone();
        more.andNot(always);
        assertThat(more).as("promised of %s%n%s", key, text).matches(BitSet::isEmpty);
        if (!decided) {
          assertThat(rest).as("promised of %s%n%s", key, text).isEqualTo(always);
          assertThat(perhaps.isEmpty()).as("conditional of %s%n%s", key, text).isTrue();
        }
        size += bytes;
        promised += rest.cardinality();
      }
    }
    count(seen, "all", true);
    count(seen, "hook", text.contains("hook"));
    count(seen, "words", words && !decided);
    count(seen, "decided", decided);
    count(seen, "conditional", !coverage.conditional().isEmpty());
    count(seen, "silent", !coverage.silent().isEmpty());
    count(seen, "complete", coverage.promised() == size && size > 0);
    count(seen, "nothing", coverage.nothing());
    boolean spoken = judged.ever().values().stream().anyMatch(ever -> !ever.isEmpty());
    if (!decided) {
      assertThat(coverage.nothing()).isEqualTo(!spoken);
    }
    assertThat(coverage.bytes()).isEqualTo(size);
    assertThat(coverage.promised()).isEqualTo(promised);
    assertThat(coverage.complete()).isEqualTo(promised == size);
    assertThat(coverage.elsewhere()).isGreaterThanOrEqualTo(others);
    assertThat(coverage.ensures()).isEqualTo(form.ensures().size());
    if (!decided) {
      assertThat(coverage.elsewhere()).isEqualTo(others);
    }
  }

  private static void count(Map<String, Integer> seen, String what, boolean is) {
    if (is) {
      seen.merge(what, 1, Integer::sum);
    }
  }

  @Test
  void coverageEqualsTheCheckersComparison() {
    Map<String, Integer> seen = new TreeMap<>();
    for (int seed = 0; seed < DRAWN; seed++) {
      Drawn drawn = new Drawn(seed);
      String text = drawn.form();
      compare(text, drawn.words, drawn.decided, drawn.next(6), seen);
    }
    assertThat(seen.keySet())
        .containsExactly(
            "all", "complete", "conditional", "decided", "hook", "nothing", "silent", "words");
    assertThat(seen.values()).as(seen.toString()).allMatch(count -> count > DRAWN / 80);
  }

  private static OutputCoverage of(String ensures, int world) {
    String text =
        """
        form f
        param B <= 8
        input in[64]
        input size[8 * n]
        output out[8 * n]
        scratch box[8]
        %s
        lane main: sm(32) {
        }
        """
            .formatted(ensures);
    return OutputCoverage.of(Program.bind(FormParser.parse(text), world, Map.of("B", 8L)));
  }

  private static List<String> texts(List<Part> parts, int world) {
    return parts.stream().map(part -> part.text(world)).toList();
  }

  @Test
  void partsNameBytesAndRanks() {
    OutputCoverage gaps = of("ensure for t < n: out[2 * t] = in[0] bytes 1", 5);
    assertThat(gaps.unpromised()).isEqualTo(5 * 35);
    assertThat(texts(gaps.silent(), 5))
        .containsExactly("bytes 1, 3, 5 and 2 more runs of out at every rank");
    OutputCoverage some = of("ensure out[0] = in[0] bytes 8 * n - (r & 1)", 4);
    assertThat(texts(some.silent(), 4)).containsExactly("byte 31 of out at ranks 1, 3");
    OutputCoverage own = of("ensure each p in peers: out[8 * p] = in@p[0] bytes 8", 3);
    assertThat(texts(own.silent(), 3))
        .containsExactly(
            "bytes 0-7 of out at rank 0",
            "bytes 8-15 of out at rank 1",
            "bytes 16-23 of out at rank 2");
    OutputCoverage all = of("ensure out[0] = in[0] bytes 8 * n", 2);
    assertThat(all.complete()).isTrue();
    assertThat(all.silent()).isEmpty();
  }

  @Test
  void bytesThatDependOnWordsAreConditional() {
    OutputCoverage words =
        of("ensure each p in all, load c <- size@p[8 * r] <= B: out[8 * p] = in@p[0] bytes c", 2);
    assertThat(words.promised()).isZero();
    assertThat(words.unpromised()).isZero();
    assertThat(texts(words.conditional(), 2)).containsExactly("bytes 0-15 of out at every rank");
    OutputCoverage source =
        of("ensure load d <- size[0] <= n - 1: out[0] = in@d[0] bytes 8 * n", 2);
    assertThat(source.complete()).isTrue();
  }

  @Test
  void withoutAPostConditionNothingIsCovered() {
    assertThat(of("", 2).nothing()).isTrue();
    assertThat(of("ensure for t < 0: out[0] = in[0] bytes 1", 2).nothing()).isTrue();
    assertThat(of("ensure box[0] = in[0] bytes 8", 2).nothing()).isFalse();
    assertThat(of("ensure out[0] = in[0] bytes 1", 2).nothing()).isFalse();
  }
}
