package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Span;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The bytes of one rank's memory that its post-conditions cover.
 *
 * <p>If the binding alone determines these bytes, they are the ones that {@link BoundPostCondition}
 * judges. If they depend on words of inputs, every byte counts that binding could not exclude for
 * some value of those words. Such a byte is promised sometimes, and never counted as promised
 * always. The same holds for a post-condition with a condition, and for the word of the condition.
 */
final class RankCoverage {
  private final RankProgram rank;
  private final OperationProof proofs;
  private final Map<String, SpanUnion> always = new HashMap<>();
  private final Map<String, SpanUnion> sometimes = new HashMap<>();

  /** Names that post-conditions range over, as far as their values are known. */
  private final Map<String, Long> given = new HashMap<>();

  private final ToLongFunction<String> names = this::named;

  RankCoverage(RankProgram rank) {
    this.rank = rank;
    proofs =
        new OperationProof(
            rank,
            rank.program()::unchecked,
            new BindingBudget(),
            () -> new CheckedPlace("rank=" + rank.rank(), "outputs", "", rank.program().form()));
    rank.program().form().ensures().forEach(e -> from(e, 0));
  }

  /** Bytes that some post-condition covers for every input. */
  SpanUnion always(String buffer) {
    return always.getOrDefault(buffer, new SpanUnion());
  }

  /** Bytes that some post-condition may cover; {@link #always} are among them. */
  SpanUnion ever(String buffer) {
    return always(buffer).with(sometimes.getOrDefault(buffer, new SpanUnion()));
  }

  /** Enumerates the names from {@code next} on; words of inputs may have any allowed value. */
  private void from(Ensure e, int next) {
    if (next == e.given().size()) {
      cover(e);
      return;
    }
    switch (e.given().get(next)) {
      case EnsureBinder.Word w -> {
        proofs.values().put(w.name(), proofs.prover().unknown(0, rank.value(w.most()), 1));
        from(e, next + 1);
      }
      case EnsureBinder.Rank(String name, Peers.One(Expr one)) when !known(one) -> {
        proofs.values().put(name, proofs.values().anyRank());
        from(e, next + 1);
      }
      case EnsureBinder.Rank(String name, Peers.One(Expr one)) -> with(name, value(one), e, next);
      case EnsureBinder.Rank(String name, Peers.Self _) -> with(name, rank.rank(), e, next);
      case EnsureBinder.Rank(String name, Peers over) -> {
        for (int peer = 0; peer < rank.program().world(); peer++) {
          if (over instanceof Peers.All || peer != rank.rank()) {
            with(name, peer, e, next);
          }
        }
      }
      case EnsureBinder.Turn(String name, Expr count) -> {
        long turns = rank.value(count);
        for (long i = 0; i < turns; i++) {
          with(name, i, e, next);
        }
      }
    }
  }

  private void with(String name, long value, Ensure e, int next) {
    given.put(name, value);
    proofs.values().put(name, LinearExpression.of(value));
    from(e, next + 1);
    given.remove(name);
  }

  private void cover(Ensure e) {
    boolean operandsKnown =
        !(e.combine() instanceof Combine.Apply hook)
            || hook.operands().fields().values().stream().allMatch(this::known);
    e.when().ifPresent(when -> sometimes(when.word(), LinearExpression.of(Long.BYTES)));
    if (e.when().isEmpty() && operandsKnown && known(e.actual().offset()) && known(e.bytes())) {
      exactly(e);
    } else {
      atMost(e);
    }
  }

  private void exactly(Ensure e) {
    SpanUnion covered = always.computeIfAbsent(e.actual().buffer(), b -> new SpanUnion());
    long first = value(e.actual().offset());
    long bytes = value(e.bytes());
    if (rank.bound(e.combine(), names) instanceof Combine.Apply hook) {
      for (BoundHook.Run run : CombineEvaluator.runs(hook, Math.toIntExact(bytes))) {
        add(covered, first + run.to(), run.length());
      }
    } else {
      add(covered, first, bytes);
    }
  }

  private void atMost(Ensure e) {
    LinearExpression length =
        rank.bound(e.combine()) instanceof Combine.Apply hook
            ? new HookProof(proofs, hook).destination(e.actual(), e.bytes())
            : proofs.values().of(e.bytes());
    sometimes(e.actual(), length);
  }

  private void sometimes(Region place, LinearExpression length) {
    LinearExpression first = proofs.values().of(place.offset());
    // Binding has proved that all of it lies inside the buffer, even if the bounds below are wider.
    long low = Math.max(0, proofs.prover().low(first));
    long end =
        Math.min(
            rank.bytes(place.buffer()), proofs.prover().high(proofs.values().sum(first, length)));
    add(sometimes.computeIfAbsent(place.buffer(), b -> new SpanUnion()), low, end - low);
  }

  private static void add(SpanUnion spans, long first, long bytes) {
    if (bytes > 0) {
      spans.add(new Span(first, first + bytes - 1));
    }
  }

  /** Whether the binding and the names known here determine the operand. */
  private boolean known(Expr expr) {
    return switch (expr) {
      case Expr.Const _ -> true;
      case Expr.Name(String name) -> given.containsKey(name) || rank.knows(name);
      case Expr.NonZero32(Expr counter) -> known(counter);
      case Expr.Binary(var _, Expr left, Expr right) -> known(left) && known(right);
    };
  }

  private long value(Expr expr) {
    return ExprEvaluator.value(expr, names);
  }

  private long named(String name) {
    Long value = given.get(name);
    return value == null ? rank.known(name) : value;
  }
}
