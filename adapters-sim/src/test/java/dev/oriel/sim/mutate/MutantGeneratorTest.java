package dev.oriel.sim.mutate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MutantGeneratorTest {

  /** One lane with operations that the shipped programs lack. */
  private static final Form MIXED =
      FormParser.parse(
          """
          form mixed
          input in[64]
          output out[64 * n]
          window w[128 * n]
          signal S[2]
          lane main(g < 2): sm(32) {
            let half = (epoch & 1) * 64
            move k: w@peers[half] <- in[0] bytes 32
            move w@peers[half + 32] <- in[32] bytes 32
            flush peers remote
            signal S[g]@peers add 1 release
            await S[0]@peers >= epoch acquire
            await S[1]@((r + 1) % n) reached epoch acquire
            await ticket k
            sync
            for t < 2 {
              move out[t * 32] <- in[t * 32] bytes 32
            }
          }
          """);

  /** One-sided calls with every possible mistake. */
  private static final Form CALLS =
      FormParser.parse(
          """
          form calls
          window box[64]
          scratch mine[64]
          signal S[1]
          barrier all_in
          lane main: sm(32) {
            lock box@0[56]
            get mine[0] <- box@0[0] bytes 8
            put box@0[0] <- mine[0] bytes 8 notify S[0] set epoch
            atomic mine[8] <- box@0[8] add 1
            quiet via 1
            unlock box@0[56]
            wait box[16] == epoch acquire
            barrier all_in
          }
          """);

  private static final Form SUMS =
      FormParser.parse(
          """
          form sums
          input in[8]
          output out[8]
          scratch box[n * 8]
          lane main: sm(32) {
            move out[0] <- sum fp32 in fp32 (in[0], for p < n: box@((p + r) % n)[p * 8]) bytes 8
          }
          """);

  private static final Form HOOKS =
      FormParser.parse(
          """
          form hooks
          input in[64]
          input scale[8]
          output out[64]
          scratch mid[64]
          hook pack = quantise(f16, e4m3, 16)
          hook turn = transpose(i8, n, 4)
          lane main: sm(32) {
            move mid[0] <- pack (in[0], scale[0]) bytes 32
            move out[0] <- turn (mid[0]) bytes 4 * n
          }
          """);

  @Test
  void mistakesInHooks() {
    assertThat(made(HOOKS, "wrong-map"))
        .anyMatch(t -> t.contains("hook pack_(in0: f16 at affine(offset=1, stride=1), in1"))
        .anyMatch(t -> t.contains("in1: f32 at blocks(size=17)"))
        .anyMatch(t -> t.contains("hook turn_(in0: i8 at transpose(rows=4, columns=n))"))
        .anyMatch(t -> t.contains("hook turn_(in0: i8) -> i8"))
        .hasSize(5);
    assertThat(made(HOOKS, "swapped-sources"))
        .singleElement()
        .matches(t -> t.contains("pack (scale[0], in[0])"));
    assertThat(made(HOOKS, "dropped-source")).isEmpty();
  }

  private static final Form STEPS =
      FormParser.parse(
          """
          form steps
          input in[24]
          output out[8]
          scratch mid[8]
          lane main: sm(32) {
            move mid[0] <- sum fp32 in fp32 (in[0], in[8]) bytes 8
            move out[0] <- sum fp32 in fp32 (in[0], in[8], in[16]) bytes 8
          }
          """);

  @Test
  void mistakesInSources() {
    String run = "for p < n: box@((p + r) % n)[p * 8]";
    assertThat(made(SUMS, "dropped-source"))
        .anyMatch(t -> t.contains("fp32 (in[0])"))
        .anyMatch(t -> t.contains("fp32 (" + run + ")"));
    assertThat(made(SUMS, "doubled-source"))
        .anyMatch(t -> t.contains("(in[0], " + run + ", in[0])"))
        .anyMatch(t -> t.contains(run + ", " + run + ")"));
    assertThat(made(SUMS, "swapped-sources"))
        .singleElement()
        .matches(t -> t.contains("(" + run + ", in[0])"));
    assertThat(made(STEPS, "swapped-sources"))
        .singleElement()
        .matches(t -> t.contains("(in[0], in[16], in[8])"));
    assertThat(made(SUMS, "turned-series"))
        .singleElement()
        .matches(t -> t.contains("box@((n - 1 - p + r) % n)[(n - 1 - p) * 8]"));
    assertThat(made(SUMS, "wrong-operator")).singleElement().matches(t -> t.contains("max fp32"));
    assertThat(made(SUMS, "wrong-count")).anyMatch(t -> t.contains("for p < n - 1:"));
    assertThat(made(SUMS, "shifted-offset")).anyMatch(t -> t.contains("in[4]"));
  }

  private static List<String> made(Form form, String mutation) {
    return MutantGenerator.of(form).stream()
        .filter(m -> m.mutation().equals(mutation))
        .map(m -> FormPrinter.print(m.form()))
        .toList();
  }

  private static void makes(String mutation, String... lines) {
    List<String> texts = made(MIXED, mutation);
    for (String line : lines) {
      assertThat(texts).as("%s makes %s", mutation, line).anyMatch(text -> text.contains(line));
    }
  }

  @Test
  void createsEveryListedMistake() {
    makes("relaxed-order", "add 1 relaxed", ">= epoch relaxed");
    makes("narrow-scope", "add 1 release gpu", ">= epoch acquire gpu");
    makes("sum-of-sources", "await sum S[0]@peers");
    makes("wrong-comparison", "await S[0]@peers > epoch", "@((r + 1) % n) == epoch");
    makes("value-off-by-one", "add 2 release", "add 0 release", ">= epoch + 1", ">= epoch - 1");
    makes("wrong-slot", "S[g + 1]@peers", "S[g - 1]@peers", "S[1 % 2]@peers");
    makes("wrong-lane", "S[(g + 1) % 2]@peers");
    makes("wrong-peer", "S[1]@(((r + 1) % n + 1) % n)", "S[1]@(((r + 1) % n - 1) % n)");
    makes("no-parity", "let half = 0 * 64");
    makes("shifted-offset", "w@peers[half + 8]", "in[8] bytes", "out[t * 32 + 8]");
    makes("half-the-bytes", "bytes 32 / 2");
    makes("cover-one-move", "add 1 release cover k");
    makes("local-flush", "flush peers local");
    makes("wrong-count", "for t < 3", "for t < 1");
    makes("word-off-by-one", "let half = (epoch & 1) * 64 + 1");
    assertThat(made(MIXED, "drop")).anyMatch(text -> !text.contains("sync"));
    assertThat(made(MIXED, "drop")).anyMatch(text -> !text.contains("await ticket"));
    assertThat(made(MIXED, "drop")).anyMatch(text -> !text.contains("flush"));
  }

  @Test
  void declarationsShrinkUnderAllTheirNames() {
    assertThat(made(MIXED, "half-the-buffer"))
        .hasSize(3)
        .anyMatch(text -> text.contains("window w[128 * n / 2]"));
    assertThat(made(MIXED, "half-the-slots"))
        .singleElement()
        .matches(text -> text.contains("signal S[2 / 2]"));
    assertThat(made(CALLS, "half-the-slots")).hasSize(1);
    Form twice =
        FormParser.parse(
            """
            form twice
            input in[8]
            output out[8]
            scratch box[16]
            alias again of box
            lane main: sm(32) {
              move box[0] <- in[0] bytes 8
              move out[0] <- again[0] bytes 8
            }
            """);
    assertThat(MutantGenerator.of(twice))
        .filteredOn(m -> m.mutation().equals("half-the-buffer"))
        .extracting(Mutant::name)
        .containsExactly(
            "half-the-buffer.1 at declared:1 'in[8]'",
            "half-the-buffer.1 at declared:2 'out[8]'",
            "half-the-buffer.1 at declared:3 'box[16]'");
    assertThat(MutantGenerator.of(twice)).allMatch(m -> reads(m.form()));
  }

  /** Whether the printed form parses to itself. */
  private static boolean reads(Form form) {
    return FormParser.parse(FormPrinter.print(form)).equals(form);
  }

  @Test
  void createsEveryMistakeOfTheCalls() {
    assertThat(made(CALLS, "not-blocking"))
        .anyMatch(text -> text.contains("bytes 8 nb"))
        .anyMatch(text -> text.contains("notify S[0] set epoch nb"))
        .anyMatch(text -> text.contains("add 1 nb"));
    assertThat(made(CALLS, "wrong-context")).anyMatch(text -> text.contains("quiet via 2"));
    assertThat(made(CALLS, "no-notice")).hasSize(1).noneMatch(text -> text.contains("notify"));
    assertThat(made(CALLS, "fence-for-quiet")).anyMatch(text -> text.contains("fence via 1"));
    assertThat(made(CALLS, "meet-for-barrier")).anyMatch(text -> text.contains("meet all_in"));
    assertThat(made(CALLS, "set-for-add")).anyMatch(text -> text.contains("set 1"));
    assertThat(made(CALLS, "no-lock")).hasSize(1).noneMatch(text -> text.contains("lock "));
    assertThat(made(CALLS, "wrong-comparison")).anyMatch(text -> text.contains("wait box[16] !="));
    assertThat(made(CALLS, "value-off-by-one"))
        .anyMatch(text -> text.contains("wait box[16] == epoch + 1"));
  }

  @Test
  void ordersAndStatesOfTheRingAreSwapped() {
    Form ring = ShippedPrograms.form("ring_send_recv");
    assertThat(made(ring, "missing-credit"))
        .hasSize(1)
        .allMatch(text -> !text.contains("await FREE"));
    assertThat(made(ring, "signal-before-move"))
        .anyMatch(text -> text.indexOf("signal DATA") < text.indexOf("move stage"))
        .anyMatch(text -> text.indexOf("signal FREE") < text.indexOf("move out"));
    assertThat(made(ring, "moved-state"))
        .anyMatch(text -> text.indexOf("set sent") < text.indexOf("await FREE"))
        .anyMatch(text -> text.indexOf("set sent") > text.indexOf("set rcvd"));
    assertThat(made(ring, "wrong-lane")).anyMatch(text -> text.contains("DATA[(g + 1) % K]@succ"));
  }

  @Test
  void aNameContainsTheMistakeAndItsPlace() {
    Form ring = ShippedPrograms.form("ring_send_recv");
    assertThat(MutantGenerator.of(ring))
        .extracting(Mutant::name)
        .contains(
            "missing-credit.1 at main:7 'await FREE[g]@succ reached sent + S - D * S acquire'",
            "relaxed-order.1 at main:9 'signal DATA[g]@succ set sent + S release'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ll_all_gather", "ring_send_recv"})
  void everyMutantOfAShippedProgramParsesBack(String name) {
    Form form = ShippedPrograms.form(name);
    List<Mutant> mutants = MutantGenerator.of(form);
    assertThat(mutants).hasSizeGreaterThan(25);
    assertThat(mutants)
        .extracting(mutant -> mutant.form().digest())
        .doesNotHaveDuplicates()
        .doesNotContain(form.digest());
    for (Mutant mutant : mutants) {
      assertThat(FormParser.parse(FormPrinter.print(mutant.form()))).isEqualTo(mutant.form());
    }
    assertThat(mutants)
        .filteredOn(MutantGeneratorTest::binds)
        .hasSizeBetween(11, mutants.size() - 1);
  }

  private static boolean binds(Mutant mutant) {
    try {
      Program.bind(mutant.form(), 3, Map.of("B", 4096L));
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }

  @Test
  void everyMutationOccurs() {
    TreeSet<String> seen = new TreeSet<>();
    MutantGenerator.of(MIXED).forEach(m -> seen.add(m.mutation()));
    MutantGenerator.of(ShippedPrograms.form("ring_send_recv")).forEach(m -> seen.add(m.mutation()));
    MutantGenerator.of(CALLS).forEach(m -> seen.add(m.mutation()));
    MutantGenerator.of(SUMS).forEach(m -> seen.add(m.mutation()));
    MutantGenerator.of(HOOKS).forEach(m -> seen.add(m.mutation()));
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Mutation.ALL.stream().map(Mutation::id),
                    Stream.of(DeclarationMutation.values()).map(DeclarationMutation::id))
                .toList());
  }
}
