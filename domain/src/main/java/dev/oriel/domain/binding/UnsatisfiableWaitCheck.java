package dev.oriel.domain.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Checks every rank of a small world and rejects a wait that no send can ever satisfy. */
final class UnsatisfiableWaitCheck implements LaneTrafficSink {
  private record Waiting(
      Kind kind, String name, int from, int at, Span span, Supplier<CheckedPlace> where) {

    void refuse() {
      CheckedPlace place = where.get();
      throw place.fail(
          place.part(),
          "wait that nothing matches",
          "%s=%s, sender=%s, receiver=%d, %s=%s"
              .formatted(
                  kind.name().toLowerCase(Locale.ROOT),
                  name,
                  from == ANY ? "any" : String.valueOf(from),
                  at,
                  kind == Kind.SIGNAL ? "slot" : "byte",
                  span.low() == span.high() ? span.low() : span.low() + ".." + span.high()),
          "send it, or do not wait for it");
    }
  }

  /** Spans by "kind name to from"; packets and unknown ends go under {@link #ANY}. */
  private final Map<String, SpanUnion> sent = new TreeMap<>();

  private final List<Waiting> waits = new ArrayList<>();

  private UnsatisfiableWaitCheck() {}

  static void check(Program program) {
    UnsatisfiableWaitCheck rendezvous = new UnsatisfiableWaitCheck();
    BindingBudget effort = new BindingBudget();
    BindingMistakes mistakes = new BindingMistakes(effort);
    List<RankProgram> ranks =
        IntStream.range(0, program.world()).mapToObj(program::unchecked).toList();
    for (RankProgram rank : ranks) {
      BindingCheck.rank(rank, ranks::get, rendezvous, effort, mistakes);
      // Other ranks mostly repeat the mistakes of one, and a wrong operation may end a wait.
      mistakes.refuse();
    }
    rendezvous.waits.stream()
        .filter(wait -> !rendezvous.satisfiable(wait))
        .forEach(wait -> mistakes.accepts(wait.where.get().part(), wait::refuse));
    mistakes.refuse();
  }

  /**
   * Sent spans are stored by sender and also under {@link #ANY}, for waits that any sender ends.
   */
  private boolean satisfiable(Waiting w) {
    return meets(w, w.at, w.from) || meets(w, ANY, w.from);
  }

  private boolean meets(Waiting w, int to, int from) {
    SpanUnion spans = sent.get(key(w.kind, w.name, to, from));
    return spans != null && spans.meets(w.span);
  }

  private static String key(Kind kind, String name, int to, int from) {
    return kind + " " + name + " " + to + " " + from;
  }

  @Override
  public void sent(Kind kind, String name, int from, int to, Span span) {
    add(key(kind, name, to, from), span);
    add(key(kind, name, to, ANY), span);
  }

  private void add(String key, Span span) {
    sent.computeIfAbsent(key, k -> new SpanUnion()).add(span);
  }

  @Override
  public void awaited(
      Kind kind, String name, int from, int at, Span span, Supplier<CheckedPlace> where) {
    waits.add(new Waiting(kind, name, from, at, span, where));
  }
}
