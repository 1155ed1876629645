package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.Condition;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
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

  private final Lexemes lexemes;
  private final LocationTable locations = new LocationTable();
  private final SortedMap<String, Integer> unsupported = new TreeMap<>();
  private final String name;

  private LitmusParser(String text) {
    LitmusLexer lexer = new LitmusLexer(text);
    name = lexer.header();
    lexer.skipRemarks();
    lexemes = new Lexemes(lexer.lexemes());
  }

  /** The test in that text; throws {@link LitmusException} when it is malformed. */
  public static LitmusTest parse(String text) {
    return new LitmusParser(text).test();
  }

  /** The architecture that a text's first word names, if that is a known one other than PTX. */
  public static Optional<String> otherDialect(String text) {
    String[] words = text.stripLeading().split("\\s+", 2);
    return OTHERS.contains(words[0].toUpperCase(Locale.ROOT))
        ? Optional.of(words[0])
        : Optional.empty();
  }

  private LitmusTest test() {
    InitParser init = new InitParser(lexemes, locations, unsupported);
    Map<Integer, Map<String, Long>> registers = init.parse();
    InstructionParser instructions = new InstructionParser(lexemes, locations, unsupported);
    List<ThreadBuilder> builders =
        new TableParser(lexemes, registers, init.addresses(), instructions).parse();
    if (instructions.narrow()) {
      init.numbers().filter(value -> value != (int) value).forEach(this::tooLarge);
    }
    Set<Integer> numbers = builders.stream().map(ThreadBuilder::number).collect(Collectors.toSet());
    ConditionParser conditions =
        new ConditionParser(lexemes, locations, numbers, instructions.narrow());
    Set<Condition.Variable> observed = new LinkedHashSet<>();
    Condition filter = Condition.All.NOTHING;
    while (true) {
      if (lexemes.accept("scopes") || lexemes.accept("ScopeTree") || lexemes.accept("scopeTree")) {
        lexemes.accept(":");
        new PlacementParser(lexemes).tree(builders);
      } else if (lexemes.accept("locations")) {
        observedToo(conditions, observed);
      } else if (lexemes.accept("filter")) {
        filter = conditions.parse();
      } else {
        break;
      }
    }
    Quantifier quantifier = quantifier();
    Condition condition = conditions.parse();
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
    List<LitmusThread> threads = new ArrayList<>();
    for (ThreadBuilder builder : builders) {
      int values = builder.addressesAsValues(observed);
      if (values > 0) {
        unsupported.merge("address as a value", values, Integer::sum);
      }
      threads.add(builder.build());
    }
    return new LitmusTest(
        name,
        locations.resolve(),
        threads,
        quantifier,
        condition,
        filter,
        List.copyOf(observed),
        unsupported);
  }

  private void tooLarge(long value) {
    unsupported.merge("value " + value + " of 32 bits", 1, Integer::sum);
  }

  private void observedToo(ConditionParser conditions, Set<Condition.Variable> observed) {
    lexemes.expect("[");
    while (!lexemes.accept("]")) {
      observed.add(conditions.variable());
      if (!lexemes.peek().is("]")) {
        lexemes.expect(";");
      }
    }
  }

  private Quantifier quantifier() {
    Lexeme start = lexemes.next();
    if (start.is("~")) {
      lexemes.expect("exists");
      return Quantifier.NOT_EXISTS;
    }
    if (start.is("exists")) {
      return Quantifier.EXISTS;
    }
    if (start.is("forall")) {
      return Quantifier.FORALL;
    }
    throw start.unexpected("exists, ~exists or forall");
  }
}
