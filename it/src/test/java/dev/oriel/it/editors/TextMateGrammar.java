package dev.oriel.it.editors;

import static dev.oriel.it.JsonPart.member;

import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Interprets the part of TextMate grammars that Oriel's uses: patterns that match within a line,
 * their captures, and a repository of them. Editors apply a grammar in the same way: line by line,
 * the leftmost match first, and of several at one place that of the earliest pattern.
 */
final class TextMateGrammar {
  private static final Set<String> KEYS = Set.of("name", "match", "captures");

  private final List<Rule> rules = new ArrayList<>();

  private record Rule(Optional<String> name, Pattern match, Map<Integer, String> captures) {}

  /** A part of a text with its scope. */
  record Token(int line, int column, String text, String scope) {}

  TextMateGrammar(String json) {
    Members grammar = (Members) JsonValue.parse(json);
    Members repository = (Members) member(grammar, "repository");
    for (JsonValue pattern : ((Elements) member(grammar, "patterns")).elements()) {
      String include = text((Members) pattern, "include");
      rules.add(rule((Members) member(repository, include.substring(1))));
    }
    if (rules.size() != repository.members().size()) {
      throw new IllegalArgumentException("a part of the repository is not included");
    }
  }

  private static Rule rule(Members rule) {
    if (!KEYS.containsAll(rule.members().keySet())) {
      throw new IllegalArgumentException("not interpreted: " + rule.members().keySet());
    }
    Map<Integer, String> captures = new TreeMap<>();
    if (rule.members().get("captures") instanceof Members(var groups)) {
      groups.forEach(
          (group, scope) -> captures.put(Integer.parseInt(group), text((Members) scope, "name")));
    }
    Optional<String> name =
        rule.members().containsKey("name") ? Optional.of(text(rule, "name")) : Optional.empty();
    return new Rule(name, Pattern.compile(text(rule, "match")), captures);
  }

  private static String text(Members of, String name) {
    return ((Text) member(of, name)).text();
  }

  /** The tokens of a text; what no pattern matches has no token. */
  List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int line = 0; line < lines.size(); line++) {
      tokens(line + 1, lines.get(line), tokens);
    }
    return tokens;
  }

  private void tokens(int number, String line, List<Token> into) {
    int at = 0;
    while (at < line.length()) {
      Optional<Rule> next = Optional.empty();
      Optional<Matcher> found = Optional.empty();
      for (Rule rule : rules) {
        Matcher matcher = rule.match.matcher(line);
        if (matcher.find(at) && (found.isEmpty() || matcher.start() < found.get().start())) {
          next = Optional.of(rule);
          found = Optional.of(matcher);
        }
      }
      if (found.isEmpty()) {
        return;
      }
      Matcher match = found.get();
      if (match.end() == match.start()) {
        throw new IllegalArgumentException("an empty match: " + next.get().match);
      }
      next.get()
          .name
          .ifPresent(scope -> into.add(token(number, match.start(), match.group(), scope)));
      next.get()
          .captures
          .forEach((group, scope) ->
              into.add(token(number, match.start(group), match.group(group), scope)));
      at = match.end();
    }
  }

  private static Token token(int line, int start, String text, String scope) {
    return new Token(line, start + 1, text, scope);
  }
}
