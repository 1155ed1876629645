package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.ProofStore;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link ProofStore} must do. */
public abstract class ProofStoreContract {
  /** What an implementation may be unable to do. */
  public enum Capability {
    /** Keeps what it was given when it is opened anew. */
    DURABILITY
  }

  private static final Verdict HOLDS =
      new Verdict("p", "l", "strong", "all", 2, 10, 20, List.of(), Optional.empty());
  private static final Verdict BROKEN =
      new Verdict(
          "p",
          "l",
          "strong",
          "random seed=7",
          2,
          3,
          0,
          List.of("executions: 3", "a\nb=c"),
          Optional.of(
              new Violation("value", "wrong byte: rank=1; see", List.of("rank=0\tx", "é", ""))));

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected ProofStoreContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** The store of this test; where it is durable, opened anew each time. */
  protected abstract ProofStore open();

  private static Verdict with(Verdict v, String model, String strategy, int launches) {
    return new Verdict(
        v.program(),
        v.lowered(),
        model,
        strategy,
        launches,
        v.executions(),
        v.states(),
        v.bounds(),
        v.violation());
  }

  @Test
  void nothingIsProvedAtFirst() {
    assertThat(open().find("p", "l")).isEmpty();
  }

  @Test
  void aVerdictIsFoundWhole() {
    ProofStore store = open();
    store.keep(BROKEN);
    assertThat(store.find("p", "l")).containsExactly(BROKEN);
  }

  @Test
  void aVerdictIsOnOneProgramAndOneLowering() {
    ProofStore store = open();
    store.keep(HOLDS);
    assertThat(store.find("p", "m")).isEmpty();
    assertThat(store.find("q", "l")).isEmpty();
    assertThat(store.find("l", "p")).isEmpty();
    assertThat(store.find("pl", "")).isEmpty();
  }

  @Test
  void aLaterVerdictReplacesOneOfItsOwnKindOnly() {
    ProofStore store = open();
    store.keep(BROKEN);
    store.keep(HOLDS);
    Verdict mended =
        new Verdict("p", "l", "strong", "all", 2, 11, 22, List.of("x: 1"), Optional.empty());
    store.keep(mended);
    assertThat(store.find("p", "l")).containsExactly(mended, BROKEN);
  }

  @Test
  void modelsStrategiesAndLaunchesStandBesideEachOther() {
    ProofStore store = open();
    Verdict weak = with(HOLDS, "weak", "all", 2);
    Verdict lucky = with(HOLDS, "strong", "random seed=8", 2);
    Verdict once = with(HOLDS, "strong", "all", 1);
    List.of(BROKEN, HOLDS, weak, lucky, once).forEach(store::keep);
    assertThat(store.find("p", "l")).containsExactly(once, lucky, weak, HOLDS, BROKEN);
  }

  @Test
  void whatWasFoundDoesNotChangeLater() {
    ProofStore store = open();
    store.keep(HOLDS);
    List<Verdict> found = store.find("p", "l");
    store.keep(BROKEN);
    assertThat(found).containsExactly(HOLDS);
  }

  @Test
  void severalThreadsUseOneStore() {
    ProofStore store = open();
    all(
        IntStream.range(0, 8).boxed().toList(),
        thread -> {
          for (int i = 0; i < 25; i++) {
            store.keep(with(HOLDS, "model " + thread, "strategy " + i, 1));
          }
          return thread;
        });
    assertThat(store.find("p", "l")).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  void whatWasKeptIsThereWhenItIsOpenedAnew() {
    assumeTrue(!lacking.contains(Capability.DURABILITY), "the implementation lacks DURABILITY");
    open().keep(BROKEN);
    assertThat(open().find("p", "l")).containsExactly(BROKEN);
  }
}
