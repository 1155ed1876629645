package dev.oriel.domain.binding;

import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/** Makes the post-conditions of one rank concrete, for given initial contents. */
final class PostConditionResolver {
  private final RankProgram rank;
  private final BoundPostCondition.InitialContents start;
  private final Map<String, Long> given = new HashMap<>();
  private final ToLongFunction<String> names = this::named;
  private final List<BoundPostCondition> claims = new ArrayList<>();

  /** The number of the post-condition that is made concrete. */
  private int number;

  PostConditionResolver(RankProgram rank, BoundPostCondition.InitialContents start) {
    this.rank = rank;
    this.start = start;
  }

  List<BoundPostCondition> all() {
    List<Ensure> ensures = rank.program().form().ensures();
    for (number = 0; number < ensures.size(); number++) {
      from(ensures.get(number), 0);
    }
    return claims;
  }

  /**
   * Enumerates the names from {@code next} on, and adds a claim for each combination of their
   * values.
   */
  private void from(Ensure e, int next) {
    if (next == e.given().size()) {
      // One without bytes promises nothing, wherever it is.
      if (value(e.bytes()) != 0) {
        claims.add(claim(e));
      }
      return;
    }
    EnsureBinder one = e.given().get(next);
    LongConsumer with =
        value -> {
          given.put(one.name(), value);
          from(e, next + 1);
          given.remove(one.name());
        };
    switch (one) {
      case EnsureBinder.Rank(var name, Peers over) -> each(over, with);
      case EnsureBinder.Turn(var name, Expr count) -> {
        long turns = rank.value(count);
        for (long i = 0; i < turns; i++) {
          with.accept(i);
        }
      }
      case EnsureBinder.Word w -> with.accept(word(w));
    }
  }

  private void each(Peers over, LongConsumer with) {
    if (over instanceof Peers.One(Expr one)) {
      with.accept(value(one));
      return;
    }
    for (int peer = 0; peer < rank.program().world(); peer++) {
      boolean own = peer == rank.rank();
      if (over instanceof Peers.All || own == (over instanceof Peers.Self)) {
        with.accept(peer);
      }
    }
  }

  private long word(EnsureBinder.Word w) {
    byte[] bytes = start.bytes(source(w.word(), names), w.width());
    long word = 0;
    for (int i = w.width() - 1; i >= 0; i--) {
      word = (word << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    long most = rank.value(w.most());
    if (Long.compareUnsigned(word, most) > 0) {
      throw new ProgramException(
          "input beyond what a post-condition allows: rank=%d, word=%s, value=%s, max=%d; fill it with less"
              .formatted(
                  rank.rank(), FormPrinter.print(w.word()), Long.toUnsignedString(word), most));
    }
    return word;
  }

  private BoundPostCondition claim(Ensure e) {
    List<BoundPostCondition.Source> sources = new ArrayList<>();
    for (SourceSeries s : e.expected()) {
      long count = value(s.count());
      for (long i = 0; i < count; i++) {
        long at = i;
        sources.add(
            source(s.region(), name -> name.equals(s.variable()) ? at : names.applyAsLong(name)));
      }
    }
    return new BoundPostCondition(
        number,
        e.when()
            .map(w ->
                new BoundPostCondition.FinalWord(
                    w.word().buffer(), value(w.word().offset()), w.comparison(), value(w.value()))),
        e.actual().buffer(),
        value(e.actual().offset()),
        rank.bound(e.combine(), names),
        e.grouping() instanceof Grouping.By(Expr size)
            ? new Grouping.By(Expr.of(value(size)))
            : e.grouping(),
        sources,
        value(e.bytes()));
  }

  private BoundPostCondition.Source source(Region region, ToLongFunction<String> names) {
    int owner =
        region.at() instanceof Peers.One(Expr one)
            ? (int) ExprEvaluator.value(one, names)
            : rank.rank();
    return new BoundPostCondition.Source(
        owner, region.buffer(), ExprEvaluator.value(region.offset(), names));
  }

  private long value(Expr expr) {
    return ExprEvaluator.value(expr, names);
  }

  private long named(String name) {
    Long value = given.get(name);
    return value == null ? rank.known(name) : value;
  }
}
