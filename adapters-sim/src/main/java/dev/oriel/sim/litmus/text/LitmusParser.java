package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.Quantifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads PTX litmus tests in the herd dialect. */
public final class LitmusParser {
  private static final int MAX_OBSERVED = 256;
  private static final Set<String> OTHERS =
      Set.of(
          "AARCH64", "ARM", "ASL", "BELL", "BPF", "C", "C++", "CPP", "JAVA", "LISA", "MIPS",
          "OPENCL", "PPC", "RISCV", "SPIRV", "SPIR-V", "VULKAN", "X86", "X86_64");

  private final LexemeCursor lexemes;
  private final LocationTable locations = new LocationTable();
  private final SortedMap<String, Integer> unsupported = new TreeMap<>();
  private final String name;

  private LitmusParser(String text) {
    LitmusLexer lexer = new LitmusLexer(text);
    name = lexer.header();
    lexer.skipRemarks();
    lexemes = new LexemeCursor(lexer.lexemes());
  }

  /** Parses the test in that text; throws {@link LitmusException} if it is malformed. */
  public static LitmusTest parse(String text) {
    return new LitmusParser(text).test();
  }

  /** The architecture in a text's first word, if it is a known one other than PTX. */
  public static Optional<String> otherDialect(String text) {
    String[] words = text.stripLeading().split("\\s+", 2);
    return OTHERS.contains(words[0].toUpperCase(Locale.ROOT))
        ? Optional.of(words[0])
        : Optional.empty();
  }

  private LitmusTest test() {
    ValueTypes types = new ValueTypes(unsupported);
    InitParser init = new InitParser(lexemes, locations, unsupported, types);
    Map<Integer, Map<String, Long>> registers = init.parse();
    BarrierUses barriers = new BarrierUses();
    InstructionParser instructions =
        new InstructionParser(lexemes, locations, unsupported, types, barriers);
    List<ThreadBuilder> builders =
        new TableParser(lexemes, registers, init.addresses(), instructions).parse();
    types.settle();
    Set<Integer> numbers = builders.stream().map(ThreadBuilder::number).collect(Collectors.toSet());
    ConditionParser conditions = new ConditionParser(lexemes, locations, numbers, types);
    Set<LitmusCondition.Variable> observed = new LinkedHashSet<>();
    LitmusCondition filter = LitmusCondition.All.NOTHING;
    boolean listed = false;
    while (true) {
      String section = lexemes.peek().text().toLowerCase(Locale.ROOT);
      if (section.equals("scopes") || section.equals("scopetree")) {
        lexemes.next();
        lexemes.accept(":");
        new PlacementParser(lexemes).tree(builders);
        memoryMap();
      } else if (lexemes.accept("locations")) {
        observedToo(conditions, observed);
        listed = true;
      } else if (lexemes.accept("filter")) {
        filter = conditions.parse();
        lexemes.accept(";");
      } else {
        break;
      }
    }
    // A test that only lists observed variables has no condition, and an empty condition always
    // holds.
    boolean asks = !listed || lexemes.peek().kind() != Lexeme.Kind.END;
    Quantifier quantifier = asks ? quantifier() : Quantifier.FORALL;
    LitmusCondition condition = asks ? conditions.parse() : LitmusCondition.All.NOTHING;
    if (asks) {
      lexemes.accept(";");
    }
    if (lexemes.peek().kind() != Lexeme.Kind.END) {
      throw lexemes.peek().unexpected("'/\\', '\\/' or the end of the text");
    }
    condition.collect(observed);
    filter.collect(observed);
    if (observed.size() > MAX_OBSERVED) {
      throw new LitmusException(
          "too many variables in the condition",
          lexemes.peek().position(),
          observed.size() + " variables",
          "at most " + MAX_OBSERVED);
    }
    List<LitmusThread> built = new ArrayList<>();
    for (ThreadBuilder builder : builders) {
      count("address as a value", builder.addressesAsValues(observed));
      count("types of different widths", builder.wideValues(observed));
      built.add(builder.build(types));
    }
    List<LitmusThread> threads = barriers.settle(built, unsupported);
    List<MemoryLocation> places = locations.resolve(types);
    sharedWithinBlocks(places, threads);
    offsets(builders, threads, places);
    return new LitmusTest(
        name, places, threads, quantifier, condition, filter, List.copyOf(observed), unsupported);
  }

  /** Offsets to addresses must be 0, because the neighbours of a location are unknown. */
  private void offsets(
      List<ThreadBuilder> builders, List<LitmusThread> threads, List<MemoryLocation> places) {
    if (builders.stream().allMatch(builder -> builder.offsets().isEmpty())) {
      return;
    }
    PossibleValues possible = new PossibleValues(places, threads);
    for (int t = 0; t < threads.size(); t++) {
      int thread = t;
      long beside =
          builders.get(t).offsets().stream().filter(name -> !possible.zero(thread, name)).count();
      count("address with an offset", (int) beside);
    }
  }

  private void count(String name, int times) {
    if (times > 0) {
      unsupported.merge(name, times, Integer::sum);
    }
  }

  /** After a tree of scopes, a map of state spaces may follow: {@code x: shared, y: global}. */
  private void memoryMap() {
    while (lexemes.isWord() && lexemes.peek(1).is(":")) {
      Lexeme location = lexemes.next();
      lexemes.next();
      Lexeme space = lexemes.next();
      if (space.is("shared")) {
        locations.share(locations.index(location));
      } else if (!space.is("global")) {
        throw space.unexpected("global or shared");
      }
      if (!lexemes.accept(",")) {
        lexemes.accept(";");
      }
    }
  }

  /** Each block has a shared memory of its own, so a shared name in two blocks is two words. */
  private void sharedWithinBlocks(List<MemoryLocation> places, List<LitmusThread> threads) {
    for (int location : locations.shared()) {
      int memory = places.get(location).memory();
      long blocks =
          threads.stream()
              .filter(thread ->
                  thread.code().stream()
                      .anyMatch(i -> i.place() >= 0 && places.get(i.place()).memory() == memory))
              .map(LitmusThread::placement)
              .distinct()
              .count();
      if (blocks > 1) {
        unsupported.merge("shared memory of several blocks", 1, Integer::sum);
      }
    }
  }

  private void observedToo(ConditionParser conditions, Set<LitmusCondition.Variable> observed) {
    lexemes.expect("[");
    while (!lexemes.accept("]")) {
      observed.add(conditions.variable());
      if (InitParser.TYPES.contains(lexemes.peek().text())) {
        lexemes.next();
      }
      lexemes.accept("*");
      if (!lexemes.peek().is("]")) {
        lexemes.expect(";");
      }
    }
  }

  private Quantifier quantifier() {
    if (lexemes.peek().is("(")) {
      return Quantifier.EXISTS;
    }
    Lexeme start = lexemes.next();
    if (start.is("~")) {
      lexemes.expect("exists");
      return Quantifier.NOT_EXISTS;
    }
    if (start.is("exists") || start.is("final")) {
      return Quantifier.EXISTS;
    }
    if (start.is("forall")) {
      return Quantifier.FORALL;
    }
    throw start.unexpected("exists, ~exists or forall");
  }
}
