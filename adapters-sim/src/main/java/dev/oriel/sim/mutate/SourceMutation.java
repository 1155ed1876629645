package dev.oriel.sim.mutate;

import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Mistakes in how a move combines several sources. */
enum SourceMutation implements Mutation.OfOperation {
  /** Leaves a source out. */
  DROPPED_SOURCE {
    @Override
    Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources) {
      return indices(sources).mapToObj(i -> FormEdits.without(sources, i, 1));
    }
  },

  /** Takes a source twice. */
  DOUBLED_SOURCE {
    @Override
    Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources) {
      return indices(sources).mapToObj(i -> doubled(sources, i));
    }

    private static List<SourceSeries> doubled(List<SourceSeries> sources, int i) {
      List<SourceSeries> doubled = new ArrayList<>(sources);
      doubled.add(sources.get(i));
      return doubled;
    }
  },

  /**
   * Takes a source before its predecessor. The first two sources of a reduction are the operands of
   * one step, which may change places.
   */
  SWAPPED_SOURCES {
    @Override
    Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources) {
      boolean step =
          combine instanceof Combine.Reduce
              && sources.stream().limit(2).allMatch(SourceSeries::single);
      return indices(sources).skip(step ? 2 : 1).mapToObj(i -> swapped(sources, i));
    }

    private static List<SourceSeries> swapped(List<SourceSeries> sources, int i) {
      List<SourceSeries> swapped = new ArrayList<>(sources);
      Collections.swap(swapped, i - 1, i);
      return swapped;
    }
  },

  /** Takes a series in reverse order. */
  TURNED_SERIES {
    @Override
    Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources) {
      return indices(sources)
          .filter(i -> !sources.get(i).single())
          .mapToObj(i -> FormEdits.with(sources, i, turned(sources.get(i))));
    }

    private static SourceSeries turned(SourceSeries s) {
      Expr back = s.count().minus(1).minus(Expr.name(s.variable()));
      Region g = s.region();
      Peers at =
          g.at() instanceof Peers.One(Expr rank)
              ? Peers.one(ExprEdits.substitute(rank, s.variable(), back))
              : g.at();
      Expr offset = ExprEdits.substitute(g.offset(), s.variable(), back);
      return new SourceSeries(
          s.variable(), s.count(), new Region(g.buffer(), at, offset, g.access()));
    }
  },

  /** Another operator. */
  WRONG_OPERATOR {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.op() instanceof Op.Move m && m.combine() instanceof Combine.Reduce r
          ? Stream.of(with(m, new Combine.Reduce(other(r.op()), r.type(), r.accumulator())))
          : Stream.of();
    }

    private static Op with(Op.Move m, Combine combine) {
      return new Op.Move(m.ticket(), m.destinations(), combine, m.sources(), m.bytes());
    }

    private static ReduceOp other(ReduceOp op) {
      return op == ReduceOp.SUM ? ReduceOp.MAX : ReduceOp.SUM;
    }

    @Override
    Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources) {
      return Stream.of();
    }
  };

  @Override
  public Stream<Op> wrong(RewriteSite spot) {
    return spot.op() instanceof Op.Move m && fits(m.combine())
        ? wrong(m.combine(), m.sources())
            .map(s -> new Op.Move(m.ticket(), m.destinations(), m.combine(), s, m.bytes()))
        : Stream.of();
  }

  /** A hook needs exactly its number of sources, so only their order can be wrong. */
  private boolean fits(Combine combine) {
    return combine instanceof Combine.Reduce
        || (combine instanceof Combine.Apply && this == SWAPPED_SOURCES);
  }

  /** Possible wrong versions of the sources. */
  abstract Stream<List<SourceSeries>> wrong(Combine combine, List<SourceSeries> sources);

  private static IntStream indices(List<SourceSeries> sources) {
    return IntStream.range(0, sources.size());
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
