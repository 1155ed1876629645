package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A change of a drawn program that adds order at one random place of its text, and the reverse. The
 * second of the two texts always has more order.
 */
enum Insertion {
  FENCE("fence", "fence via 1"),
  ORDER("order sys", "order gpu", "order sc sys", "order sc gpu", "order cluster"),
  SYNC("sync"),
  QUIET("quiet", "quiet via 1"),
  FLUSH("flush @%d local", "flush @%d remote"),
  BULK("order bulk", "await bulk", "order bulk\n    await bulk"),

  /** A scope becomes a wider one. */
  SCOPE {
    @Override
    String more(String text, int world, Random random) {
      return replaced(
          text, "(?<= )(cta|cluster|gpu)(?=\n)", random, m -> other(m.group(), random, true));
    }

    @Override
    String less(String text, Random random) {
      return replaced(
          text,
          "(?<= )(signal S\\S+ (set|add) \\d+ release|await S.* acquire|order( sc)?)( sys| gpu|"
              + " cluster)?(?=\n"
              + ")",
          random,
          m ->
              m.group(1)
                  + " "
                  + other(m.group(4) == null ? "sys" : m.group(4).strip(), random, false));
    }

    private String other(String scope, Random random, boolean wider) {
      int now = SCOPES.indexOf(scope);
      int from = wider ? now + 1 : 0;
      int to = wider ? SCOPES.size() : now;
      return SCOPES.get(from + random.nextInt(to - from));
    }
  },

  /** Relaxed becomes release or acquire. */
  STRONG {
    @Override
    String more(String text, int world, Random random) {
      return replaced(
          text,
          "( (?:signal|store|await|wait|read|load) .*)relaxed",
          random,
          m -> m.group(1) + (m.group(1).matches(" (signal|store).*") ? "release" : "acquire"));
    }

    @Override
    String less(String text, Random random) {
      return replaced(text, "release|acquire", random, m -> "relaxed");
    }
  },

  /** A call returns when its own end may be reused, instead of at once. */
  BLOCKING {
    @Override
    String more(String text, int world, Random random) {
      return replaced(text, " nb(?=\n)", random, m -> "");
    }

    @Override
    String less(String text, Random random) {
      return replaced(text, " (put|get) .*(?<! nb)(?=\n)", random, m -> m.group() + " nb");
    }
  };

  private static final List<String> SCOPES = List.of("cta", "cluster", "gpu", "sys");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> operations;

  Insertion(String... operations) {
    this.operations = List.of(operations);
  }

  /** The text with more order at one place; the same text if no place qualifies. */
  String more(String text, int world, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    // Before an operation of some agent, or after its last one.
    int[] places =
        IntStream.range(1, lines.size())
            .filter(i -> lines.get(i).startsWith("    ") || lines.get(i).equals("  }"))
            .toArray();
    String operation = operations.get(random.nextInt(operations.size()));
    int place = places[random.nextInt(places.length)];
    lines.add(place, "    " + operation.formatted(random.nextInt(world)));
    return String.join("\n", lines) + "\n";
  }

  /** The text with less order at one place; the same text if no place qualifies. */
  String less(String text, Random random) {
    String any = String.join("|", operations).replace("%d", "\\d");
    return replaced(text, "    (" + any + ")\n", random, m -> "");
  }

  private static String replaced(
      String text, String pattern, Random random, Function<MatchResult, String> by) {
    List<MatchResult> places = Pattern.compile(pattern).matcher(text).results().toList();
    if (places.isEmpty()) {
      return text;
    }
    MatchResult place = places.get(random.nextInt(places.size()));
    return text.substring(0, place.start()) + by.apply(place) + text.substring(place.end());
  }
}
