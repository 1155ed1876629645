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
 * The ranks whose packets may be at a byte of a buffer, in any launch. Spans are bounds: a rank
 * that sends to a byte is among its senders, and others may be.
 */
public final class PacketSenders {
  /** Bytes of a rank's buffer, both ends included, to which a rank may send packets. */
  public record Sent(String buffer, int owner, long low, long high, int sender) {}

  /** Spans by buffer, owner and sender. */
  private record Path(String buffer, int owner, int sender) {}

  private PacketSenders() {}

  /** In the order of buffers, owners, senders and bytes; empty for a world that is not walked. */
  public static List<Sent> of(Program program) {
    List<Sent> all = new ArrayList<>();
    if (program.world() > Program.FULLY_CHECKED_WORLD) {
      return all;
    }
    spans(program)
        .forEach((path, union) -> {
          for (Span span : union.all()) {
            all.add(new Sent(path.buffer, path.owner, span.low(), span.high(), path.sender));
          }
        });
    return all;
  }

  private static Map<Path, SpanUnion> spans(Program program) {
    Map<Path, SpanUnion> spans =
        new TreeMap<>(
            Comparator.comparing(Path::buffer)
                .thenComparingInt(Path::owner)
                .thenComparingInt(Path::sender));
    LaneTrafficSink sink =
        new LaneTrafficSink() {
          @Override
          public void sent(Kind kind, String name, int sender, int owner, Span span) {
            if (kind != Kind.PACKETS) {
              return;
            }
            for (int rank = 0; rank < program.world(); rank++) {
              if (owner == ANY || owner == rank) {
                spans.computeIfAbsent(new Path(name, rank, sender), p -> new SpanUnion()).add(span);
              }
            }
          }

          @Override
          public void awaited(
              Kind kind, String name, int sender, int at, Span span, Supplier<CheckedPlace> where) {
            // Only what is sent matters.
          }
        };
    List<RankProgram> ranks =
        IntStream.range(0, program.world()).mapToObj(program::unchecked).toList();
    BindingBudget effort = new BindingBudget();
    BindingMistakes mistakes = new BindingMistakes(effort);
    for (RankProgram rank : ranks) {
      // The program was bound so, without a mistake.
      BindingCheck.rank(rank, ranks::get, sink, effort, mistakes);
    }
    return spans;
  }
}
