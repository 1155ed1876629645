package dev.oriel.it.editors;

import static dev.oriel.it.JsonPart.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.RepositoryTexts;
import dev.oriel.domain.program.check.NameRules;
import dev.oriel.it.editors.TextMateGrammar.Token;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The grammar for editors knows the words and signs that the parser knows. */
class GrammarTest {
  private static final Path FOLDER = Path.of("editors");
  private static final String UNKNOWN = "invalid.illegal.oriel";
  private static final String NAME = "variable.other.oriel";
  private static final String COMMENT = "comment.line.double-dash.oriel";

  /** Words that are no reserved words, and mean something in their places. */
  private static final List<String> TYPES = List.of("support.type.oriel");

  private final TextMateGrammar grammar = new TextMateGrammar(read("oriel.tmLanguage.json"));

  private static String read(String name) {
    try {
      return Files.readString(FOLDER.resolve(name));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static List<Path> programs() {
    return RepositoryTexts.programs();
  }

  /** No unknown token, nothing without a scope, no word in two parts, and no keyword as a name. */
  @ParameterizedTest
  @MethodSource("programs")
  void everyTextIsHighlighted(Path file) {
    String text = RepositoryTexts.text(file);
    List<Token> tokens = grammar.tokens(text);
    assertThat(tokens).noneMatch(token -> token.scope().equals(UNKNOWN));
    StringBuilder rest = new StringBuilder(text.replace("\r", ""));
    List<String> lines = text.lines().toList();
    int[] starts = new int[lines.size()];
    for (int line = 1; line < starts.length; line++) {
      starts[line] = starts[line - 1] + lines.get(line - 1).length() + 1;
    }
    int end = -1;
    for (Token token : tokens) {
      int from = starts[token.line() - 1] + token.column() - 1;
      boolean adjacent = from == end;
      assertThat(adjacent && word(text.charAt(from)) && word(text.charAt(from - 1)))
          .as(token.toString())
          .isFalse();
      end = from + token.text().length();
      rest.replace(from, end, " ".repeat(end - from));
      if (!token.scope().equals(COMMENT) && !token.scope().startsWith("entity.name")) {
        assertThat(token.scope().equals(NAME) && NameRules.reserved(token.text()))
            .as(token.toString())
            .isFalse();
      }
    }
    assertThat(rest.toString()).isBlank();
  }

  private static boolean word(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  /** The real list of words decides: each has a scope of its own, and no other word has. */
  @Test
  void everyWordOfTheLanguageHasAScope() {
    assertThat(NameRules.reservedWords())
        .hasSizeGreaterThan(80)
        .allSatisfy(word -> {
          assertThat(grammar.tokens(word))
              .singleElement()
              .satisfies(token -> assertThat(token.scope()).isNotIn(NAME, UNKNOWN));
        });
    Members repository =
        (Members) member(JsonValue.parse(read("oriel.tmLanguage.json")), "repository");
    repository.members().values().stream()
        .map(rule -> (Members) rule)
        .filter(rule ->
            rule.members().get("name") instanceof Text(String scope) && !TYPES.contains(scope))
        .map(rule -> ((Text) member(rule, "match")).text())
        .filter(match -> match.startsWith("\\b(?:"))
        .flatMap(match -> List.of(match.substring(5, match.indexOf(')')).split("\\|")).stream())
        .forEach(word -> assertThat(NameRules.reserved(word)).as(word).isTrue());
  }

  @ParameterizedTest
  @CsvSource({"$", ";", "?", "!", "'", "~", "é", "."})
  void aCharacterOutsideTheLanguageIsUnknown(String character) {
    assertThat(grammar.tokens("sync " + character).getLast().scope()).isEqualTo(UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "form ring-2-all, storage.type entity.name.class",
    "each q in peers, keyword.control variable.other keyword.control variable.language",
    "'out@in[0] <- in[4KiB]', variable.other keyword.operator variable.other punctuation constant.numeric punctuation keyword.operator variable.other punctuation constant.numeric punctuation",
    "a - -1 -- b - 1, variable.other keyword.operator keyword.operator constant.numeric comment.line.double-dash",
    "1.5e-3:f32 0x2a 1_000, constant.numeric punctuation support.type constant.numeric constant.numeric",
    "set_1 sets, variable.other variable.other"
  })
  void tokensHaveTheirScopes(String text, String scopes) {
    assertThat(grammar.tokens(text).stream().map(token -> token.scope().replace(".oriel", "")))
        .containsExactly(scopes.split(" ", -1));
  }

  /** What an editor needs to find the grammar. */
  @Test
  void theExtensionNamesTheGrammar() {
    Members extension = (Members) JsonValue.parse(read("package.json"));
    Members offers = (Members) member(extension, "contributes");
    Members language = first(offers, "languages");
    Members syntax = first(offers, "grammars");
    Members file = (Members) JsonValue.parse(read("oriel.tmLanguage.json"));
    assertThat(member(syntax, "scopeName")).isEqualTo(member(file, "scopeName"));
    assertThat(member(syntax, "language")).isEqualTo(member(language, "id"));
    assertThat(FOLDER.resolve(((Text) member(syntax, "path")).text())).isRegularFile();
    Path configuration = FOLDER.resolve(((Text) member(language, "configuration")).text());
    Members comments =
        (Members) member(JsonValue.parse(read(configuration.getFileName().toString())), "comments");
    assertThat(member(comments, "lineComment")).isEqualTo(new Text("--"));
    assertThat(((Elements) member(language, "extensions")).elements())
        .containsExactly(new Text(".oriel"));
  }

  private static Members first(Members of, String name) {
    return (Members) ((Elements) member(of, name)).elements().getFirst();
  }
}
