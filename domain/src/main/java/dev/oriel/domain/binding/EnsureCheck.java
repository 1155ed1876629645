package dev.oriel.domain.binding;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import java.util.function.IntFunction;

/** Proves that a post-condition refers only to existing ranks and bytes. */
final class EnsureCheck {
  /** Up to this many turns are checked one by one, so that peers are known. */
  private static final int UNROLLED = 64;

  /** The limit for one post-condition at one rank: as many as the largest world has ranks. */
  private static final long MAX_CLAIMS = 1 << 20;

  private final RankProgram rank;
  private final Ensure ensure;
  private final BindingBudget effort;
  private final OperationProof proofs;
  private final SymbolicOperands values;

  private EnsureCheck(
      RankProgram rank, IntFunction<RankProgram> ranks, Ensure ensure, BindingBudget effort) {
    this.rank = rank;
    this.ensure = ensure;
    this.effort = effort;
    CheckedPlace where =
        new CheckedPlace(
            "rank=" + rank.rank(), "ensure=" + FormPrinter.print(ensure.actual()), "", ensure);
    proofs = new OperationProof(rank, ranks, effort, () -> where);
    values = proofs.values();
  }

  static void check(
      RankProgram rank, IntFunction<RankProgram> ranks, Ensure ensure, BindingBudget effort) {
    new EnsureCheck(rank, ranks, ensure, effort).check();
  }

  private void check() {
    if (ensure.grouping() instanceof Grouping.By(Expr size) && rank.value(size) < 1) {
      throw proofs.fail(
          size, "group without a size", "by=" + FormPrinter.print(size), "give a number from 1 on");
    }
    ensure.expected().forEach(this::start);
    given(0, 1);
  }

  /**
   * Requires a source whose contents at the start of a launch are known. A caller fills its inputs,
   * and its outputs with a pattern. Scratch memory begins with zeros. If each launch leaves the
   * same bytes of it as they are, they stay zero, however many launches there are.
   */
  private void start(SourceSeries source) {
    Region region = source.region();
    Form form = rank.program().form();
    Space space = form.buffer(form.base(region.buffer())).orElseThrow().space();
    if (space.callers()) {
      return;
    }
    boolean same =
        ensure.combine().equals(Combine.COPY) && source.single() && region.equals(ensure.actual());
    if (space != Space.SCRATCH || !same) {
      throw proofs.fail(
          region.offset(),
          "expected bytes whose contents at the start are not known",
          "buffer=" + region.buffer(),
          space == Space.SCRATCH
              ? "name an input; for bytes that stay as they are, write the same place on both sides"
              : "name an input");
    }
    if (ensure.given().stream().anyMatch(EnsureBinder.Word.class::isInstance)) {
      throw proofs.fail(
          region.offset(),
          "scratch bytes that stay as they are, at a place that words select",
          "buffer=" + region.buffer(),
          "name a place that is the same in every launch");
    }
  }

  /** Checks the statement for each combination of the names from {@code next} on. */
  private void given(int next, long claims) {
    effort.spend();
    if (next == ensure.given().size()) {
      statement();
      return;
    }
    switch (ensure.given().get(next)) {
      case EnsureBinder.Rank(String name, Peers over) -> {
        long counted = times(ensure.given().get(next), claims, ranks(over), "ranks=" + name);
        for (int peer : proofs.owners(over)) {
          values.put(
              name, peer == LaneTrafficSink.ANY ? values.anyRank() : LinearExpression.of(peer));
          given(next + 1, counted);
        }
      }
      case EnsureBinder.Turn turn -> turns(turn, next, claims);
      case EnsureBinder.Word word -> {
        values.put(word.name(), word(word));
        given(next + 1, claims);
      }
    }
  }

  private void turns(EnsureBinder.Turn turn, int next, long claims) {
    long count = rank.value(turn.count());
    long counted = times(turn, claims, count, "count=" + FormPrinter.print(turn.count()));
    if (count > UNROLLED) {
      values.put(turn.name(), proofs.prover().unknown(0, count - 1, 1));
      given(next + 1, counted);
      return;
    }
    for (long i = 0; i < count; i++) {
      values.put(turn.name(), LinearExpression.of(i));
      given(next + 1, counted);
    }
  }

  /** The number of ranks that it names, even if they are not checked one by one. */
  private long ranks(Peers over) {
    int world = rank.program().world();
    return switch (over) {
      case Peers.Self(), Peers.One(Expr _) -> 1;
      case Peers.Others() -> world - 1;
      case Peers.All() -> world;
    };
  }

  private long times(EnsureBinder given, long claims, long count, String what) {
    if (count < 0 || count > MAX_CLAIMS / claims) {
      throw proofs.fail(
          given,
          "number of post-conditions out of range",
          what + ", max=" + MAX_CLAIMS,
          "use fewer");
    }
    return claims * count;
  }

  private LinearExpression word(EnsureBinder.Word w) {
    long most = rank.value(w.most());
    if (most < 0) {
      throw proofs.fail(
          w.most(),
          "limit may be negative",
          "limit=" + FormPrinter.print(w.most()),
          "give 0 to 2^63 - 1");
    }
    proofs
        .owners(w.word().at())
        .forEach(owner -> proofs.inside(w.word(), LinearExpression.of(w.width()), owner));
    proofs.aligned(w.word(), w.width(), "word");
    return proofs.prover().unknown(0, most, 1);
  }

  private void statement() {
    ensure
        .when()
        .ifPresent(when -> {
          proofs.inside(when.word(), LinearExpression.of(Long.BYTES), rank.rank());
          proofs.aligned(when.word(), Long.BYTES, "word");
          values.of(when.value());
        });
    LinearExpression bytes = proofs.bytes(ensure.bytes());
    // No bytes promise nothing, so their place need not exist.
    if (proofs.prover().high(bytes) == 0) {
      return;
    }
    if (rank.bound(ensure.combine()) instanceof Combine.Apply hook) {
      hook(hook);
      return;
    }
    proofs.inside(ensure.actual(), bytes, rank.rank());
    SeriesWalk.each(
        rank,
        proofs,
        ensure.expected(),
        effort,
        source -> proofs.owners(source.at()).forEach(owner -> proofs.inside(source, bytes, owner)));
    if (ensure.combine() instanceof Combine.Reduce(var op, var type, var accumulator)) {
      proofs.whole(ensure.bytes(), type.bytes(), "element");
    }
  }

  private void hook(Combine.Apply hook) {
    HookProof proof = new HookProof(proofs, hook);
    proof.outputs(ensure.bytes());
    LinearExpression stated = proof.destination(ensure.actual(), ensure.bytes());
    proofs.inside(ensure.actual(), stated, rank.rank());
    for (int k = 0; k < ensure.expected().size(); k++) {
      Region source = ensure.expected().get(k).region();
      LinearExpression taken = proof.taken(k, source, ensure.bytes());
      proofs.owners(source.at()).forEach(owner -> proofs.inside(source, taken, owner));
    }
  }
}
