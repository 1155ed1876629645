package dev.oriel.sim.litmus;

import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A small random program that can be strengthened in one place and written as a litmus test. */
final class RandomLitmus {
  private static final String[] PLACES = {
    "cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0", "cta 0,gpu 1", "cta 1,cluster 0,gpu 0"
  };
  static final String[] SCOPES = {"cta", "cluster", "gpu", "sys"};

  /** {@code kind} is ld, st, exch, add or a fence; orders count from weak as 0. */
  record Op(String kind, String place, int order, int scope, int value) {

    boolean fence() {
      return kind.startsWith("fence");
    }

    int events() {
      return kind.equals("exch") || kind.equals("add") ? 2 : 1;
    }

    String text(int register) {
      String at = "." + SCOPES[scope];
      return switch (kind) {
        case "ld" -> "ld%s r%d, %s".formatted(suffix("acquire", at), register, place);
        case "st" -> "st%s %s, %d".formatted(suffix("release", at), place, value);
        case "exch", "add" ->
            "atom.%s%s.%s r%d, %s, %d"
                .formatted(
                    new String[] {"relaxed", "relaxed", "acquire", "release", "acq_rel"}[order],
                    at,
                    kind,
                    register,
                    place,
                    value);
        default -> kind + at;
      };
    }

    private String suffix(String strongest, String at) {
      return order == 0 ? ".weak" : "." + (order == 1 ? "relaxed" : strongest) + at;
    }
  }

  final List<String> places = new ArrayList<>();
  final List<List<Op>> threads = new ArrayList<>();

  private RandomLitmus() {}

  static RandomLitmus draw(SplittableRandom random, int maxEvents) {
    RandomLitmus drawn = new RandomLitmus();
    int count = 2 + random.nextInt(2);
    for (int t = 0; t < count; t++) {
      drawn.places.add(PLACES[random.nextInt(PLACES.length)]);
      drawn.threads.add(new ArrayList<>());
    }
    int left = 3 + random.nextInt(maxEvents - 2);
    while (left > 0) {
      Op op = op(random);
      if (op.events() > left) {
        continue;
      }
      left -= op.events();
      drawn.threads.get(random.nextInt(count)).add(op);
    }
    return drawn;
  }

  private static Op op(SplittableRandom random) {
    String place = random.nextBoolean() ? "x" : "y";
    int scope = random.nextInt(4);
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> new Op("ld", place, random.nextInt(3), scope, 0);
      case 3, 4, 5 -> new Op("st", place, random.nextInt(3), scope, 1 + random.nextInt(2));
      case 6 ->
          new Op(
              random.nextBoolean() ? "exch" : "add",
              place,
              1 + random.nextInt(4),
              scope,
              1 + random.nextInt(2));
      case 7 -> new Op("fence.acq_rel", "x", 1, scope, 0);
      default -> new Op("fence.sc", "x", 1, scope, 0);
    };
  }

  /** The same with one more fence, a wider scope or a stronger order at some place. */
  RandomLitmus strengthened(SplittableRandom random) {
    RandomLitmus copy = new RandomLitmus();
    copy.places.addAll(places);
    threads.forEach(thread -> copy.threads.add(new ArrayList<>(thread)));
    List<Op> thread = copy.threads.get(random.nextInt(copy.threads.size()));
    int at = random.nextInt(thread.size() + 1);
    if (at == thread.size() || random.nextInt(3) == 0) {
      String fence = random.nextBoolean() ? "fence.sc" : "fence.acq_rel";
      thread.add(at, new Op(fence, "x", 1, random.nextInt(4), 0));
      return copy;
    }
    Op op = thread.get(at);
    boolean widen = op.fence() || random.nextBoolean();
    int scope = widen ? Math.min(3, op.scope() + 1) : op.scope();
    int order = widen ? op.order() : stronger(op);
    thread.set(at, new Op(op.kind(), op.place(), order, scope, op.value()));
    return copy;
  }

  private static int stronger(Op op) {
    if (op.events() == 1) {
      return Math.min(2, op.order() + 1);
    }
    return op.order() == 1 ? 2 : 4;
  }

  LitmusTest parse() {
    return LitmusParser.parse(text(false));
  }

  /** As text; the columns may be reversed, which does not rename threads. */
  String text(boolean reversed) {
    List<List<String>> columns = new ArrayList<>();
    StringBuilder observed = new StringBuilder("x; y;");
    int rows = 0;
    for (int t = 0; t < threads.size(); t++) {
      List<String> column = new ArrayList<>(List.of("P%d@%s".formatted(t, places.get(t))));
      for (Op op : threads.get(t)) {
        observed.append(" P%d:r%d;".formatted(t, column.size()));
        column.add(op.text(column.size()));
      }
      rows = Math.max(rows, column.size());
      columns.add(column);
    }
    if (reversed) {
      columns = columns.reversed();
    }
    StringBuilder text = new StringBuilder("PTX drawn\n{\n}\n");
    for (int row = 0; row < rows; row++) {
      int now = row;
      text.append(
          String.join(" | ", columns.stream().map(c -> now < c.size() ? c.get(now) : "").toList()));
      text.append(" ;\n");
    }
    return text.append("locations [").append(observed).append("]\nexists true\n").toString();
  }
}
