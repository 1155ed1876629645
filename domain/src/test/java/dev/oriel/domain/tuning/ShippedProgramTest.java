package dev.oriel.domain.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.BoundPostCondition.Source;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram.Purpose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every program is considered where programs are chosen. */
class ShippedProgramTest {
  private static final int WORLD = 4;
  private static final Map<String, Long> PARAMS =
      Map.of("B", 48L, "root", 1L, "domain", 2L, "R", 3L, "T", 3L);

  @Test
  void everyShippedTextIsListedOnce() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/programs"))) {
      assertThat(ShippedProgram.ALL.stream().map(p -> p.text() + ".oriel"))
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> file.getFileName().toString()).toList());
    }
    assertThat(ShippedProgram.ALL).extracting(ShippedProgram::name).doesNotHaveDuplicates();
  }

  @Test
  void programsThatAreNoCandidatesHaveAReason() {
    assertThat(
            ShippedProgram.ALL.stream()
                .filter(p -> p.purpose() instanceof Purpose.Alone(String why) && !why.isEmpty())
                .map(ShippedProgram::name))
        .containsExactly(
            "barrier",
            "dissemination-barrier",
            "expert-counts",
            "fp8-allgather",
            "moe-combine",
            "moe-dispatch",
            "transpose-alltoall",
            "weighted-moe-combine");
  }

  @ParameterizedTest
  @EnumSource
  @Sampled(every = 3)
  void candidatesShareTheirPostConditionWithNoOthers(Collective collective) {
    List<ShippedProgram> doing = ShippedProgram.doing(collective);
    assertThat(doing).extracting(ShippedProgram::name).contains(collective.word());
    assertThat(doing).extracting(ShippedProgram::algorithm).doesNotHaveDuplicates();
    Map<String, Set<String>> promise = promise(doing.getFirst());
    for (ShippedProgram program : ShippedProgram.ALL) {
      assertThat(promise(program).equals(promise))
          .as("%s does %s", program.name(), collective.word())
          .isEqualTo(doing.contains(program));
    }
  }

  /** The origin of every byte of every rank's outputs, and its combination. */
  private static Map<String, Set<String>> promise(ShippedProgram shipped) {
    Form form = ShippedText.form(shipped.text());
    Map<String, Long> params = new TreeMap<>();
    form.params().forEach(p -> params.put(p.name(), PARAMS.getOrDefault(p.name(), 0L)));
    Program program = Program.bind(form, WORLD, params);
    Map<String, Set<String>> promise = new TreeMap<>();
    for (int rank = 0; rank < WORLD; rank++) {
      for (BoundPostCondition claim : program.rank(rank).claims(ShippedProgramTest::words)) {
        for (int i = 0; i < claim.bytes(); i++) {
          String place = "%d:%s[%d]".formatted(rank, claim.actual(), claim.actualOffset() + i);
          promise.computeIfAbsent(place, p -> new TreeSet<>()).addAll(made(claim, i));
        }
      }
    }
    return promise;
  }

  private static List<String> made(BoundPostCondition claim, int at) {
    String by = claim.combine() instanceof Combine.Copy ? "" : claim.combine() + " of ";
    List<String> made = new ArrayList<>();
    for (Source source : claim.sources()) {
      made.add("%s%d:%s[%d]".formatted(by, source.rank(), source.buffer(), source.offset() + at));
    }
    return made;
  }

  /** Every requested word is 3: a size below 48, and a rank. */
  private static byte[] words(Source source, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = 3;
    return bytes;
  }

  @Test
  void aRowIsTheCommonNumberOfRanksThatNvlinkConnects() {
    assertThat(WorldParams.row(Topology.grid(2, 4))).isEqualTo(4);
    assertThat(WorldParams.row(Topology.grid(3, 1))).isEqualTo(1);
    assertThat(WorldParams.row(Topology.grid(1, 3))).isEqualTo(3);
    assertThat(WorldParams.row(hosts("aab"))).isEqualTo(1);
    assertThat(WorldParams.row(hosts("abab"))).isEqualTo(1);
    assertThat(WorldParams.row(hosts("aabbcc"))).isEqualTo(2);
    assertThat(WorldParams.row(hosts("aabbbb"))).isEqualTo(2);
    assertThat(WorldParams.row(hosts("aaaabb"))).isEqualTo(1);
  }

  /** One rank for each letter, joined with those of the same letter. */
  private static Topology hosts(String letters) {
    List<RankFacts> facts = new ArrayList<>();
    for (int rank = 0; rank < letters.length(); rank++) {
      String host = letters.substring(rank, rank + 1);
      int device =
          (int) letters.substring(0, rank).chars().filter(c -> c == host.charAt(0)).count();
      facts.add(RankFacts.of(host, device).withReachable(IndexSet.range(0, letters.length())));
    }
    return Topology.of(facts);
  }
}
