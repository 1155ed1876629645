package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Kind;
import dev.oriel.domain.binding.LaneTrafficSink.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The ranks whose packets a rank may await at a byte of a buffer. A program may use other places in
 * each launch, so the launches of two periods are walked. Where the second period has other places
 * than the first, nothing is said: naming a wrong rank is worse than naming none.
 */
public final class PacketSenders {
  /** Most programs take turns of two halves, by epoch. */
  private static final int PERIOD = 4;

  /** Bytes of a rank's buffer, both ends included, that another rank sends as packets. */
  public record Sent(String buffer, int owner, long low, long high, int sender) {}

  /** Spans by buffer, owner and sender. */
  private record Path(String buffer, int owner, int sender) {}

  private PacketSenders() {}

  /** In the order of buffers, owners, senders and bytes; empty if places do not recur. */
  public static List<Sent> of(Program program) {
    Map<Path, SpanUnion> first = period(program, 1);
    if (!places(first).equals(places(period(program, 1 + PERIOD)))) {
      return List.of();
    }
    return places(first);
  }

  private static List<Sent> places(Map<Path, SpanUnion> spans) {
    List<Sent> all = new ArrayList<>();
    spans.forEach((path, union) -> {
      for (Span span : union.all()) {
        all.add(new Sent(path.buffer, path.owner, span.low(), span.high(), path.sender));
      }
    });
    return all;
  }

  private static Map<Path, SpanUnion> period(Program program, int from) {
    Map<Path, SpanUnion> spans =
        new TreeMap<>(
            Comparator.comparing(Path::buffer)
                .thenComparingInt(Path::owner)
                .thenComparingInt(Path::sender));
    List<RankProgram> ranks =
        IntStream.range(0, program.world()).mapToObj(program::unchecked).toList();
    LaneTrafficSink sink =
        new LaneTrafficSink() {
          @Override
          public void sent(Kind kind, String name, int sender, int owner, Span span) {
            if (kind == Kind.PACKETS && owner != ANY && sender != owner) {
              spans.computeIfAbsent(new Path(name, owner, sender), p -> new SpanUnion()).add(span);
            }
          }

          @Override
          public void awaited(
              Kind kind, String name, int sender, int at, Span span, Supplier<CheckedPlace> where) {
            // Only what is sent matters.
          }
        };
    for (int epoch = from; epoch < from + PERIOD; epoch++) {
      BindingBudget effort = new BindingBudget();
      for (RankProgram rank : ranks) {
        BindingCheck.traffic(rank, ranks::get, sink, effort, epoch);
      }
    }
    return spans;
  }
}
