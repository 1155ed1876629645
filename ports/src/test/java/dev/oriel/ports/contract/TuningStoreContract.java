package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.TuningStore;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requirements on every {@link TuningStore}. */
public abstract class TuningStoreContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Keeps its contents when it is opened anew. */
    DURABILITY
  }

  private static final String LONGEST = "x".repeat(TuningStore.MAX_LENGTH);

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected TuningStoreContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** The store of this test; a durable one is opened anew each time. */
  protected abstract TuningStore open();

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(open().find("all-gather/nvlink/4096")).isEmpty();
  }

  @Test
  void theLastConfigurationIsFound() {
    TuningStore store = open();
    store.keep("a", "one");
    store.keep("b", "two");
    store.keep("a", "three");
    assertThat(store.find("a")).contains("three");
    assertThat(store.find("b")).contains("two");
    assertThat(store.find("A")).isEmpty();
    assertThat(store.find("a ")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "a\nb",
        "a\r\nb",
        "a=b",
        "a\tb\u0000c",
        "../../etc",
        "\u00e9\u4e2d",
        "\ud83d\ude80",
        "#",
        "\\n"
      })
  void anyTextIsKeptAsItIs(String text) {
    TuningStore store = open();
    store.keep(text, text + "=" + text);
    assertThat(store.find(text)).contains(text + "=" + text);
  }

  @Test
  void theLongestTextsFit() {
    TuningStore store = open();
    store.keep(LONGEST, LONGEST);
    assertThat(store.find(LONGEST)).contains(LONGEST);
  }

  @Test
  void badTextsAreRefusedAndNothingIsKept() {
    TuningStore store = open();
    store.keep("a", "one");
    for (String bad : List.of("", LONGEST + "x", "\ud83d", "a\ude80b")) {
      assertThatIllegalArgumentException().isThrownBy(() -> store.keep("a", bad));
      assertThatIllegalArgumentException().isThrownBy(() -> store.keep(bad, "two"));
      assertThatIllegalArgumentException().isThrownBy(() -> store.find(bad));
    }
    assertThat(store.find("a")).contains("one");
  }

  @Test
  void severalThreadsUseOneStore() {
    TuningStore store = open();
    all(
        IntStream.range(0, 8).boxed().toList(),
        thread -> {
          for (int i = 0; i < 50; i++) {
            store.keep("key " + thread + " " + i, "value " + i);
            store.keep("shared", "value " + i);
          }
          return thread;
        });
    for (int thread = 0; thread < 8; thread++) {
      for (int i = 0; i < 50; i++) {
        assertThat(store.find("key " + thread + " " + i)).contains("value " + i);
      }
    }
    assertThat(store.find("shared")).contains("value 49");
  }

  @Test
  void storedChoicesRemainAfterReopening() {
    assumeTrue(!lacking.contains(Capability.DURABILITY), "the implementation lacks DURABILITY");
    open().keep("a\nb", "one");
    assertThat(open().find("a\nb")).contains("one");
  }
}
