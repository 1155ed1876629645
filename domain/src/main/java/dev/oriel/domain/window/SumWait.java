package dev.oriel.domain.window;

import java.util.List;
import java.util.Optional;

/**
 * A wait on the sum of one signal over several sources, intended as "all of them have signalled".
 *
 * <p>A sum cannot distinguish sources. It is sound under three conditions: no source can have added
 * more than its due while another is still missing, the comparison cannot be overshot, and the sum
 * cannot wrap. With due d and most m of each source, "sum at least the sum of all d" implies that
 * source i gave d(i) exactly if no other source has m greater than d.
 */
public record SumWait(Comparison comparison, List<Source> sources) {

  /**
   * One source: the amount due when the wait ends, and the most that it may have added by then, in
   * unsigned cumulative values.
   */
  public record Source(int rank, long due, long most) {

    public Source {
      if (due < 0 || most < due) {
        throw new IllegalArgumentException(
            "bad source: rank="
                + rank
                + ", due="
                + due
                + ", most="
                + most
                + "; use 0 <= due <= most");
      }
    }
  }

  public SumWait {
    sources = List.copyOf(sources);
    if (sources.stream().map(Source::rank).distinct().count() != sources.size()) {
      throw new IllegalArgumentException(
          "source named twice: sources=" + sources + "; name each rank once");
    }
  }

  /** Why this wait may end too early or never; empty if it is sound. */
  public Optional<String> unsound() {
    return comparisonFault().or(this::loudSource).or(this::wrap);
  }

  private Optional<String> comparisonFault() {
    boolean exact = sources.stream().allMatch(source -> source.most() == source.due());
    return switch (comparison) {
      case GE, REACHED -> Optional.empty();
      case EQ ->
          exact
              ? Optional.empty()
              : Optional.of(
                  "sum may be overshot: comparison=EQ; await GE or REACHED, or each source alone");
      case NE, LT, LE, GT ->
          Optional.of(
              "comparison does not say that all have signalled: comparison="
                  + comparison
                  + "; await GE or REACHED");
    };
  }

  private Optional<String> loudSource() {
    for (Source loud : sources) {
      if (loud.most() > loud.due()) {
        for (Source silent : sources) {
          if (silent.rank() != loud.rank() && silent.due() > 0) {
            return Optional.of(
                "one source that signals more than is due may hide one that has not signalled: rank="
                    + loud.rank()
                    + ", due="
                    + loud.due()
                    + ", most="
                    + loud.most()
                    + ", silent="
                    + silent.rank()
                    + "; await each source alone");
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> wrap() {
    long left = Long.MAX_VALUE;
    for (Source source : sources) {
      if (source.most() > left) {
        return Optional.of(
            "sum may wrap: sources=" + sources.size() + "; await each source alone or count less");
      }
      left -= source.most();
    }
    return Optional.empty();
  }
}
