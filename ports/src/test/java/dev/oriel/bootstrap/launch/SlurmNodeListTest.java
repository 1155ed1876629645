package dev.oriel.bootstrap.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SlurmNodeListTest {
  /** A compressed group of hosts and the first host in it. */
  record Group(String compressed, String first) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "node1 node1",
        "node1,node2 node1",
        "host[01-03,7] host01",
        "host[7] host7",
        "gpu[03-07,12]-ib,login1 gpu03-ib",
        "rack[2-3]node[010-020] rack2node010",
        "a.b-c_d a.b-c_d",
        "n[9-10] n9"
      })
  void theFirstHostIsFound(String list, String first) {
    assertThat(SlurmNodeList.first(list)).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        ",a",
        "a[",
        "a[]",
        "a[1",
        "a[1-",
        "a[1-]",
        "a[-2]",
        "a[1,]",
        "a[2-1]",
        "a[1-2-3]",
        "a[[1]]",
        "a]",
        "a b",
        "a[x]"
      })
  void malformedListsAreShownWithThePosition(String list) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlurmNodeList.first(list))
        .withMessageContainingAll("list=" + list, "position=", "ORIEL_ADDRESS");
  }

  @Property(tries = 300)
  void theFirstHostOfAnyCompressedListIsFound(@ForAll("groups") List<Group> groups) {
    String list = groups.stream().map(Group::compressed).collect(Collectors.joining(","));
    assertThat(SlurmNodeList.first(list)).isEqualTo(groups.get(0).first());
  }

  @Property(tries = 300)
  void anyTextIsAHostOrAnError(@ForAll String text) {
    try {
      assertThat(SlurmNodeList.first(text)).isNotEmpty();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("malformed Slurm node list");
    }
  }

  @Property(tries = 200)
  void derivedPortsAreStableAndBelowTheEphemeralOnes(
      @ForAll String job, @ForAll @IntRange(max = 9) int n) {
    int port = RendezvousAddress.derivedPort(job + n);
    assertThat(port).isBetween(20_480, 32_767).isEqualTo(RendezvousAddress.derivedPort(job + n));
  }

  @Provide
  Arbitrary<List<Group>> groups() {
    Arbitrary<String> word =
        Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(5);
    Arbitrary<Integer> width = Arbitraries.integers().between(1, 5);
    Arbitrary<List<Integer>> starts =
        Arbitraries.integers().between(0, 9).list().ofMinSize(1).ofMaxSize(4);
    Arbitrary<Integer> span = Arbitraries.integers().between(0, 40);
    Arbitrary<Group> bracketed =
        Combinators.combine(word, width, starts, span, word.optional())
            .as((prefix, w, from, s, suffix) -> group(prefix, w, from, s, suffix.orElse("")));
    return Arbitraries.oneOf(bracketed, word.map(w -> new Group(w, w)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  private static Group group(
      String prefix, int width, List<Integer> starts, int span, String suffix) {
    String inside =
        starts.stream()
            .map(from ->
                span == 0
                    ? number(from, width)
                    : number(from, width) + "-" + number(from + span, width))
            .collect(Collectors.joining(","));
    return new Group(
        prefix + "[" + inside + "]" + suffix, prefix + number(starts.get(0), width) + suffix);
  }

  private static String number(int value, int width) {
    return ("%0" + width + "d").formatted(value);
  }
}
