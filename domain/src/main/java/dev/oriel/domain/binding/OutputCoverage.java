package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Span;
import dev.oriel.domain.program.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The part of its outputs that a program promises. The value of a byte without a post-condition is
 * not judged.
 *
 * @param ensures the number of post-conditions of the program
 * @param bytes of all outputs of all ranks
 * @param promised the bytes that a post-condition covers for every input
 * @param conditional the bytes that post-conditions may cover, depending on words of inputs
 * @param silent the bytes that no post-condition covers; the three add up to all bytes
 * @param elsewhere bytes of other memory that post-conditions cover or may cover
 */
public record OutputCoverage(
    int ensures,
    long bytes,
    long promised,
    List<Part> conditional,
    List<Part> silent,
    long elsewhere) {

  public OutputCoverage {
    conditional = List.copyOf(conditional);
    silent = List.copyOf(silent);
  }

  /** The bytes from {@code first} to {@code last} of a buffer. */
  public record Range(long first, long last) {
    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + "-" + last;
    }
  }

  /** The same bytes of a buffer at each of some ranks. */
  public record Part(String buffer, List<Integer> ranks, List<Range> ranges) {
    private static final int NAMED = 3;

    public Part {
      ranks = List.copyOf(ranks);
      ranges = List.copyOf(ranges);
    }

    /** The number of bytes, of all its ranks. */
    public long bytes() {
      return ranks.size() * ranges.stream().mapToLong(r -> r.last() - r.first() + 1).sum();
    }

    /** The same in words; a long list is cut, with a count of the rest. */
    public String text(int world) {
      boolean one = ranges.size() == 1 && ranges.getFirst().first() == ranges.getFirst().last();
      return (one ? "byte " : "bytes ")
          + ranges.stream().limit(NAMED).map(Range::toString).collect(Collectors.joining(", "))
          + (ranges.size() > NAMED ? " and %d more runs".formatted(ranges.size() - NAMED) : "")
          + " of %s at %s".formatted(buffer, at(world));
    }

    private String at(int world) {
      if (ranks.size() == world) {
        return world == 1 ? "rank 0" : "every rank";
      }
      List<Range> runs = new ArrayList<>();
      for (int rank : ranks) {
        boolean next = !runs.isEmpty() && runs.getLast().last() == rank - 1;
        runs.add(new Range(next ? runs.removeLast().first() : rank, rank));
      }
      return (ranks.size() == 1 ? "rank " : "ranks ")
          + runs.stream().limit(NAMED).map(Range::toString).collect(Collectors.joining(", "))
          + (runs.size() > NAMED
              ? " and %d more"
                  .formatted(
                      runs.stream().skip(NAMED).mapToLong(r -> r.last() - r.first() + 1).sum())
              : "");
    }
  }

  /** The coverage of the program's post-conditions, in its world and with its parameter values. */
  public static OutputCoverage of(Program program) {
    long bytes = 0;
    long promised = 0;
    long elsewhere = 0;
    Map<Place, List<Integer>> conditional = new LinkedHashMap<>();
    Map<Place, List<Integer>> silent = new LinkedHashMap<>();
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      RankCoverage covered = new RankCoverage(rank);
      for (Buffer buffer : program.form().buffers()) {
        SpanUnion ever = covered.ever(buffer.name());
        if (!buffer.space().taken()) {
          elsewhere += ever.size();
          continue;
        }
        long size = rank.bytes(buffer.name());
        SpanUnion always = covered.always(buffer.name());
        SpanUnion never = ever.complement(size);
        SpanUnion settled = always.with(never);
        bytes += size;
        promised += always.size();
        add(silent, buffer.name(), never, r);
        add(conditional, buffer.name(), settled.complement(size), r);
      }
    }
    return new OutputCoverage(
        program.form().ensures().size(),
        bytes,
        promised,
        parts(conditional),
        parts(silent),
        elsewhere);
  }

  /** Bytes of a buffer, compared across ranks. */
  private record Place(String buffer, List<Span> spans) {}

  private static void add(Map<Place, List<Integer>> to, String buffer, SpanUnion spans, int rank) {
    if (spans.size() > 0) {
      to.computeIfAbsent(new Place(buffer, spans.all()), p -> new ArrayList<>()).add(rank);
    }
  }

  private static List<Part> parts(Map<Place, List<Integer>> places) {
    return places.entrySet().stream()
        .map(e ->
            new Part(
                e.getKey().buffer(),
                e.getValue(),
                e.getKey().spans().stream().map(s -> new Range(s.low(), s.high())).toList()))
        .toList();
  }

  /** The number of bytes that no post-condition covers. */
  public long unpromised() {
    return silent.stream().mapToLong(Part::bytes).sum();
  }

  /**
   * Whether post-conditions cover every output byte for every input; also true without output
   * bytes.
   */
  public boolean complete() {
    return promised == bytes;
  }

  /**
   * Whether post-conditions promise nothing: there is none, or there are output bytes and none
   * covers one of them or any other memory.
   */
  public boolean nothing() {
    return ensures == 0 || (bytes > 0 && unpromised() == bytes && elsewhere == 0);
  }
}
