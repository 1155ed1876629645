package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One random description, written as a program and as a litmus test: lanes of one GPU that load and
 * store words, set and read signals, tell each other by them, and fence. Strong accesses to words
 * reach the whole system; each signal has one writer. A thread of a test is one thread, so words
 * are looked at and changed in all ways at once only by lanes of one thread: of a block, another
 * thread may load than the one that loaded before.
 */
final class TwoTexts {
  /** Steps of a lane that tells another one, and of that one. */
  private static final int TELLING = 4;

  private static final List<String> SCOPES = List.of("cta", "gpu", "sys");

  /** How lanes look at a word, and how they change it. */
  private enum Use {
    WEAK(false, false),
    STRONG(true, true),
    STRONG_STORES(false, true),
    MIXED(true, true);

    private final boolean loads;
    private final boolean stores;

    Use(boolean loads, boolean stores) {
      this.loads = loads;
      this.stores = stores;
    }
  }

  private final SplittableRandom random;
  private final String engine;
  private final List<StringBuilder> lanes = new ArrayList<>();
  private final List<List<String>> columns = new ArrayList<>();
  private final Use[] uses = new Use[2];
  private final List<String> observed = new ArrayList<>();

  private TwoTexts(SplittableRandom random) {
    this.random = random;
    boolean single = random.nextInt(3) == 0;
    engine = single ? "host" : "sm(32)";
    for (int word = 0; word < uses.length; word++) {
      uses[word] =
          switch (random.nextInt(8)) {
            case 0, 1 -> Use.WEAK;
            case 2 -> Use.STRONG_STORES;
            case 3, 4 -> single ? Use.MIXED : Use.STRONG;
            default -> Use.STRONG;
          };
    }
  }

  /** A description of two or three lanes with at most that many steps. */
  static TwoTexts draw(SplittableRandom random, int steps) {
    TwoTexts drawn = new TwoTexts(random);
    boolean tells = random.nextInt(4) == 0;
    int count = tells ? 3 : 2 + random.nextInt(2);
    for (int lane = 0; lane < count; lane++) {
      drawn.lanes.add(new StringBuilder());
      drawn.columns.add(new ArrayList<>(List.of("P%d@cta %d,gpu 0".formatted(lane, lane))));
    }
    int left = 4 + random.nextInt(steps - 3);
    int first = tells ? Math.max(1, left - TELLING) : left;
    for (int i = 0; i < first; i++) {
      drawn.step(random.nextInt(count));
    }
    if (tells) {
      drawn.tell(random.nextInt(count));
    }
    return drawn;
  }

  private String any(String... from) {
    return from[random.nextInt(from.length)];
  }

  private void step(int lane) {
    boolean second = random.nextInt(3) == 0;
    String word = second ? "y" : "x";
    int value = 1 + random.nextInt(2);
    switch (random.nextInt(8)) {
      case 0, 1 -> store(lane, second, word, value);
      case 2, 3, 4 -> load(lane, second, word);
      case 5 -> signal(lane, value, any("relaxed", "release"));
      case 6 -> read(lane, random.nextInt(lanes.size()), any("relaxed", "acquire"));
      default -> {
        boolean sc = random.nextBoolean();
        String scope = SCOPES.get(random.nextInt(3));
        add(
            lane,
            "order %s%s".formatted(sc ? "sc " : "", scope),
            "fence.%s.%s".formatted(sc ? "sc" : "acq_rel", scope));
      }
    }
  }

  /** The lane does something, and tells the next one, which may know of it by what it does then. */
  private void tell(int lane) {
    int next = (lane + 1) % lanes.size();
    access(lane);
    signal(lane, 1, "release");
    read(next, lane, "acquire");
    access(next);
  }

  private void access(int lane) {
    boolean second = random.nextInt(3) == 0;
    String word = second ? "y" : "x";
    if (random.nextInt(3) == 0) {
      store(lane, second, word, 1 + random.nextInt(2));
    } else {
      load(lane, second, word);
    }
  }

  private void signal(int lane, int value, String order) {
    String scope = any("gpu", "sys");
    add(
        lane,
        "signal S[%d]@0 set %d %s%s".formatted(lane, value, order, narrow(scope)),
        "st.%s.%s s%d, %d".formatted(order, scope, lane, value));
  }

  private void read(int lane, int from, String order) {
    String register = "x" + observed.size();
    add(
        lane,
        "read %s <- S[%d]@0 %s".formatted(register, from, order),
        "ld.%s.sys %s, s%d".formatted(order, read(lane), from));
  }

  private static String narrow(String scope) {
    return scope.equals("gpu") ? " gpu" : "";
  }

  private boolean weak(Use use, boolean strong) {
    return !strong || (use == Use.MIXED && random.nextInt(3) == 0);
  }

  private void store(int lane, boolean second, String word, int value) {
    Use use = uses[second ? 1 : 0];
    String order = weak(use, use.stores) ? "" : any("relaxed", "release");
    add(
        lane,
        "store word[%d] <- %d %s".formatted(second ? 8 : 0, value, order).strip(),
        "st.%s %s, %d".formatted(order.isEmpty() ? "weak" : order + ".sys", word, value));
  }

  private void load(int lane, boolean second, String word) {
    Use use = uses[second ? 1 : 0];
    String order = weak(use, use.loads) ? "" : any("relaxed", "acquire");
    String register = "x" + observed.size();
    add(
        lane,
        "load %s <- word[%d] %s".formatted(register, second ? 8 : 0, order).strip(),
        "ld.%s %s, %s".formatted(order.isEmpty() ? "weak" : order + ".sys", read(lane), word));
  }

  /** A new register of the litmus test; those of one lane are in the order of its code. */
  private String read(int lane) {
    String register = "r" + columns.get(lane).size();
    observed.add("P%d:%s".formatted(lane, register));
    return register;
  }

  private void add(int lane, String step, String instruction) {
    lanes.get(lane).append("  ").append(step).append('\n');
    columns.get(lane).add(instruction);
  }

  /** What the program's registers are called in the test, lane by lane in the order of code. */
  private List<String> registers() {
    List<String> registers = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      String prefix = "P%d:".formatted(lane);
      observed.stream().filter(name -> name.startsWith(prefix)).forEach(registers::add);
    }
    return registers;
  }

  /**
   * Whether a word that is not always accessed strongly is stored by one lane and used by another.
   */
  boolean races() {
    for (int word = 0; word < 2; word++) {
      String name = "word[%d]".formatted(8 * word);
      long users = lanes.stream().filter(lane -> lane.indexOf(name) >= 0).count();
      boolean stored = lanes.stream().anyMatch(lane -> lane.indexOf("store " + name) >= 0);
      if (uses[word] != Use.STRONG && stored && users > 1) {
        return true;
      }
    }
    return false;
  }

  String program() {
    StringBuilder text = new StringBuilder("form drawn\nscratch word[16]\nsignal S[3]\n");
    for (int lane = 0; lane < lanes.size(); lane++) {
      text.append("lane l%d: %s {\n%s}\n".formatted(lane, engine, lanes.get(lane)));
    }
    return text.toString();
  }

  String litmus() {
    int rows = columns.stream().mapToInt(List::size).max().orElse(0);
    StringBuilder text = new StringBuilder("PTX drawn\n{ x=0; y=0; s0=0; s1=0; s2=0; }\n");
    for (int row = 0; row < rows; row++) {
      int now = row;
      text.append(
          String.join(" | ", columns.stream().map(c -> now < c.size() ? c.get(now) : "").toList()));
      text.append(" ;\n");
    }
    return text.append("locations [%s]\nexists true\n".formatted(String.join("; ", registers())))
        .toString();
  }
}
