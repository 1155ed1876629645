package dev.oriel.ports.contract;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A random program of one-sided calls, and the words that it leaves, computed call by call. In each
 * phase between two barriers, all ranks read a word, or all add to it, or only one uses it. The
 * result therefore does not depend on the order of calls.
 */
final class DrawnCalls {
  private static final int INPUTS = 16;
  private static final int BOX = 24;
  private static final int PHASES = 3;
  private static final int CALLS = 9;
  private static final int[] CONTEXTS = {0, 0, 1, 5};

  /** The role of a word of a box in one phase. */
  private enum Role {
    READ,
    ADDED,
    TAKEN
  }

  private record Place(int rank, int word) {}

  /** The words that a call moves: the first, the count and the distance. */
  private record Run(int first, int count, int step) {
    int at(int i) {
      return first + i * step;
    }
  }

  /** Every rank's words. */
  private static final class Memory {
    final long[][] in;
    final long[][] box;
    final long[][] got;
    final long epoch;

    Memory(long[][] in, long[][] box, long[][] got, long epoch) {
      this.in = in;
      this.box = box;
      this.got = got;
      this.epoch = epoch;
    }
  }

  private final int world;
  private final SplittableRandom random;
  private final StringBuilder text = new StringBuilder();
  private final List<Consumer<Memory>> effects = new ArrayList<>();
  private final Map<Place, Role> roles = new HashMap<>();
  private int results;
  private int numbers;
  private long[][] box;
  private long epoch;

  private DrawnCalls(int world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.box = new long[world][BOX];
  }

  static DrawnCalls draw(int world, long seed) {
    DrawnCalls calls = new DrawnCalls(world, new SplittableRandom(seed));
    List<Runnable> kinds =
        List.of(
            calls::put,
            calls::get,
            calls::addByAll,
            calls::change,
            calls::fetch,
            calls::locked,
            calls::notified,
            calls::flagged,
            calls::counted,
            calls::own);
    for (int phase = 0; phase < PHASES; phase++) {
      calls.roles.clear();
      for (int call = 0; call < CALLS; call++) {
        kinds.get(calls.random.nextInt(kinds.size())).run();
      }
      new TreeSet<>(Arrays.stream(CONTEXTS).boxed().toList())
          .tailSet(1)
          .forEach(context -> calls.line("quiet via " + context));
      calls.line("barrier all_in");
    }
    return calls;
  }

  Program program() {
    return Program.bind(FormParser.parse(form()), world, Map.of());
  }

  String form() {
    int words = Math.max(1, results);
    int many = Math.max(1, numbers);
    return """
    form drawn_calls
    input in[%d]
    output seen[%d]
    output got[%d]
    scratch box[%d]
    scratch source[%d]
    scratch done[%d]
    scratch flag[%d]
    scratch tally[%d]
    scratch mine[%d]
    scratch guard[%d]
    signal S[%d]
    barrier all_in
    lane main: sm(32) {
    %s  move seen[0] <- box[0] bytes %d
      barrier all_in
    }
    """
        .formatted(
            8 * INPUTS,
            8 * BOX,
            8 * words,
            8 * BOX,
            32 * many,
            8 * many,
            8 * many,
            8 * many,
            8 * many,
            8 * many,
            many,
            text,
            8 * BOX);
  }

  /** Gives every rank new inputs and fresh outputs, and returns the results of the next launch. */
  Map<Integer, Map<String, byte[]>> next(Prepared instances, SplittableRandom inputs) {
    epoch++;
    long[][] in = new long[world][];
    long[][] got = new long[world][Math.max(1, results)];
    for (int rank = 0; rank < world; rank++) {
      in[rank] = inputs.longs(INPUTS).toArray();
      Arrays.fill(got[rank], -1);
      instances.write(rank, "in", bytes(in[rank]));
      instances.write(rank, "got", bytes(got[rank]));
      instances.write(rank, "seen", new byte[8 * BOX]);
    }
    Memory memory = new Memory(in, box, got, epoch);
    effects.forEach(effect -> effect.accept(memory));
    Map<Integer, Map<String, byte[]>> left = new HashMap<>();
    for (int rank = 0; rank < world; rank++) {
      left.put(rank, Map.of("seen", bytes(box[rank]), "got", bytes(got[rank])));
    }
    return left;
  }

  private static byte[] bytes(long[] words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }

  private void line(String operation) {
    text.append("  ").append(operation).append('\n');
  }

  private void only(int rank, String... operations) {
    line("if r == " + rank + " {");
    for (String operation : operations) {
      line("  " + operation);
    }
    line("}");
  }

  private int rank() {
    return random.nextInt(world);
  }

  private int context() {
    return CONTEXTS[random.nextInt(CONTEXTS.length)];
  }

  private String nb() {
    return random.nextBoolean() ? " nb" : "";
  }

  private Run run(int rank, Role role, int most) {
    return run(rank, role, most, 1 + random.nextInt(2));
  }

  /**
   * Words of that rank's box that no other rank uses differently in this phase, if there are any.
   */
  private Run run(int rank, Role role, int most, int step) {
    for (int attempt = 0; attempt < 50; attempt++) {
      Run run = new Run(random.nextInt(BOX - 2 * most), 1 + random.nextInt(most), step);
      boolean free = true;
      for (int i = 0; i < run.count(); i++) {
        Role other = roles.get(new Place(rank, run.at(i)));
        free &= other == null || (other == role && role != Role.TAKEN);
      }
      if (free) {
        for (int i = 0; i < run.count(); i++) {
          roles.put(new Place(rank, run.at(i)), role);
        }
        return run;
      }
    }
    return new Run(0, 0, 1);
  }

  private static String length(Run run, int boxStep, int ownStep) {
    return run.step() == 1
        ? " bytes " + 8 * run.count()
        : " bytes 8 count %d step %d, %d".formatted(run.count(), boxStep, ownStep);
  }

  private static Consumer<Memory> copied(int from, int word, int to, Run run) {
    return m -> {
      for (int i = 0; i < run.count(); i++) {
        m.box[to][run.at(i)] = m.in[from][word + i];
      }
    };
  }

  private void put() {
    int from = rank();
    int to = rank();
    Run run = run(to, Role.TAKEN, 4);
    int word = random.nextInt(INPUTS - 4);
    if (run.count() > 0) {
      only(
          from,
          "put box@(%d)[%d] <- in[%d]%s via %d%s"
              .formatted(to, 8 * run.first(), 8 * word, length(run, 16, 8), context(), nb()));
      effects.add(copied(from, word, to, run));
    }
  }

  private void get() {
    int into = rank();
    int owner = rank();
    Run run = run(owner, Role.READ, 4);
    int result = results;
    if (run.count() > 0) {
      results += run.count();
      only(
          into,
          "get got[%d] <- box@(%d)[%d]%s via %d%s"
              .formatted(8 * result, owner, 8 * run.first(), length(run, 8, 16), context(), nb()));
      effects.add(m -> {
        for (int i = 0; i < run.count(); i++) {
          m.got[into][result + i] = m.box[owner][run.at(i)];
        }
      });
    }
  }

  private void addByAll() {
    int owner = rank();
    Run run = run(owner, Role.ADDED, 1);
    int more = random.nextInt(100);
    if (run.count() > 0) {
      line(
          "atomic box@(%d)[%d] add r + %d via %d"
              .formatted(owner, 8 * run.first(), more, context()));
      effects.add(m -> m.box[owner][run.first()] += (long) world * more + world * (world - 1) / 2);
    }
  }

  private void change() {
    int by = rank();
    int owner = rank();
    Run run = run(owner, Role.TAKEN, 1);
    int operand = random.nextInt(1000);
    int kind = random.nextInt(3);
    boolean signalled = random.nextBoolean();
    int result = results;
    if (run.count() == 0) {
      return;
    }
    results += signalled ? 1 : 0;
    String change =
        switch (kind) {
          case 0 -> "add " + operand;
          case 1 -> "set " + operand;
          default -> "cas 0, " + operand;
        };
    only(
        by,
        "atomic %sbox@(%d)[%d] %s via %d%s"
            .formatted(
                signalled ? "got[%d] <- ".formatted(8 * result) : "",
                owner,
                8 * run.first(),
                change,
                context(),
                signalled ? nb() : ""));
    effects.add(m -> {
      long old = m.box[owner][run.first()];
      if (signalled) {
        m.got[by][result] = old;
      }
      m.box[owner][run.first()] =
          switch (kind) {
            case 0 -> old + operand;
            case 1 -> operand;
            default -> old == 0 ? operand : old;
          };
    });
  }

  private void fetch() {
    int by = rank();
    int owner = rank();
    Run run = run(owner, Role.READ, 1);
    int result = results;
    if (run.count() > 0) {
      results++;
      only(
          by,
          "atomic got[%d] <- box@(%d)[%d] fetch via %d%s"
              .formatted(8 * result, owner, 8 * run.first(), context(), nb()));
      effects.add(m -> m.got[by][result] = m.box[owner][run.first()]);
    }
  }

  /** Every rank reads, changes and writes the word, one after another. */
  private void locked() {
    int owner = rank();
    Run run = run(owner, Role.TAKEN, 1);
    int number = numbers;
    if (run.count() > 0) {
      numbers++;
      line("lock guard@(%d)[%d]".formatted(owner, 8 * number));
      line("get mine[%d] <- box@(%d)[%d] bytes 8".formatted(8 * number, owner, 8 * run.first()));
      line("load x%d <- mine[%d]".formatted(number, 8 * number));
      line("store mine[%d] <- x%d + r + 1".formatted(8 * number, number));
      line("put box@(%d)[%d] <- mine[%d] bytes 8".formatted(owner, 8 * run.first(), 8 * number));
      line("unlock guard@(%d)[%d]".formatted(owner, 8 * number));
      effects.add(m -> m.box[owner][run.first()] += world * (world + 1) / 2);
    }
  }

  private void notified() {
    int number = numbers;
    String change = random.nextBoolean() ? "set epoch" : "add 1";
    delivered(
        from -> "await S[%d]@(%d) reached epoch acquire".formatted(number, from),
        " notify S[%d] %s via %d%s".formatted(number, change, context(), nb()),
        _ -> List.of());
  }

  private void flagged() {
    int number = numbers;
    int context = context();
    boolean adds = random.nextBoolean();
    String word = adds ? "tally" : "flag";
    delivered(
        _ -> "wait %s[%d] reached epoch acquire".formatted(word, 8 * number),
        " via %d nb".formatted(context),
        to ->
            List.of(
                "fence via " + context,
                "atomic %s@(%d)[%d] %s via %d"
                    .formatted(word, to, 8 * number, adds ? "add 1" : "set epoch", context)));
  }

  /** Bytes that the target reads as soon as it is notified, in the same phase. */
  private void delivered(
      Function<Integer, String> signalled, String notice, Function<Integer, List<String>> after) {
    int from = rank();
    int to = rank();
    Run run = run(to, Role.TAKEN, 4, 1);
    int word = random.nextInt(INPUTS - 4);
    int result = results;
    if (run.count() == 0) {
      return;
    }
    numbers++;
    results += run.count();
    List<String> sent = new ArrayList<>();
    sent.add(
        "put box@(%d)[%d] <- in[%d] bytes %d%s"
            .formatted(to, 8 * run.first(), 8 * word, 8 * run.count(), notice));
    sent.addAll(after.apply(to));
    only(from, sent.toArray(String[]::new));
    only(
        to,
        signalled.apply(from),
        "move got[%d] <- box[%d] bytes %d".formatted(8 * result, 8 * run.first(), 8 * run.count()));
    effects.add(
        copied(from, word, to, run)
            .andThen(m -> {
              for (int i = 0; i < run.count(); i++) {
                m.got[to][result + i] = m.box[to][run.at(i)];
              }
            }));
  }

  /** The source is written again as soon as the put was counted. */
  private void counted() {
    int from = rank();
    int to = rank();
    Run run = run(to, Role.TAKEN, 4);
    int word = random.nextInt(INPUTS - 4);
    int number = numbers;
    if (run.count() == 0) {
      return;
    }
    numbers++;
    only(
        from,
        "move source[%d] <- in[%d] bytes %d".formatted(32 * number, 8 * word, 8 * run.count()),
        "sync",
        "put box@(%d)[%d] <- source[%d]%s counter done[%d] via %d nb"
            .formatted(to, 8 * run.first(), 32 * number, length(run, 16, 8), 8 * number, context()),
        "wait done[%d] reached epoch acquire".formatted(8 * number),
        "store source[%d] <- 99".formatted(32 * number));
    effects.add(copied(from, word, to, run));
  }

  /** Words of the own memory that others may read. */
  private void own() {
    int rank = rank();
    int number = numbers++;
    int result = results++;
    only(
        rank,
        "store mine[%d] <- epoch + %d release".formatted(8 * number, number),
        "load y%d <- mine[%d] acquire".formatted(number, 8 * number),
        "store got[%d] <- y%d".formatted(8 * result, number));
    effects.add(m -> m.got[rank][result] = m.epoch + number);
  }
}
