package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads one hook: {@code hook name(in0: type at map, ...) -> type to map = expression}, where an
 * omitted map is the identity.
 */
final class HookParser {

  private final HookTokens tokens;
  private final List<HookSource> sources = new ArrayList<>();

  HookParser(String text) {
    this.tokens = new HookTokens(text);
  }

  Hook hook() {
    tokens.expect("hook");
    HookToken name = tokens.expect(HookToken.Kind.NAME, "the hook's name");
    tokens.expect("(");
    if (!tokens.takeIf(")")) {
      do {
        source();
      } while (tokens.takeIf(","));
      tokens.expect(")");
    }
    tokens.expect("->");
    DataType result = type();
    IndexMap.Fixed target = tokens.takeIf("to") ? target() : IndexMap.IDENTITY;
    tokens.expect("=");
    HookExpr value = value(tokens, List.copyOf(sources));
    return located(name, () -> new Hook(name.text(), sources, result, target, value));
  }

  /** Parses the rest of the text as an expression. */
  static HookExpr value(HookTokens tokens, List<HookSource> sources) {
    HookToken at = tokens.peek();
    HookExpr value = new HookExprParser(tokens, sources).expression();
    tokens.expect(HookToken.Kind.END, "nothing more");
    return located(at, value::bounded);
  }

  private void source() {
    tokens.expect("in" + sources.size());
    tokens.expect(":");
    DataType type = type();
    sources.add(new HookSource(type, tokens.takeIf("at") ? map() : IndexMap.IDENTITY));
  }

  private DataType type() {
    HookToken token = tokens.expect(HookToken.Kind.NAME, "a type such as bf16");
    return DataType.ofSymbol(token.text())
        .orElseThrow(() -> tokens.unexpected(token, "a type such as bf16"));
  }

  private IndexMap.Fixed target() {
    HookToken at = tokens.peek();
    if (map() instanceof IndexMap.Fixed target) {
      return target;
    }
    throw tokens.unexpected(at, "affine, blocks, transpose or permutation");
  }

  private IndexMap map() {
    HookToken kind = tokens.expect(HookToken.Kind.NAME, "an index map");
    tokens.expect("(");
    IndexMap map =
        switch (kind.text()) {
          case "affine" -> affine(kind);
          case "blocks" -> blocks(kind);
          case "transpose" -> transpose(kind);
          case "permutation" -> permutation(kind);
          case "gather" -> gather(kind);
          default ->
              throw tokens.unexpected(kind, "affine, blocks, transpose, permutation or gather");
        };
    tokens.expect(")");
    return map;
  }

  private IndexMap affine(HookToken at) {
    long offset = named("offset");
    tokens.expect(",");
    long stride = named("stride");
    return located(at, () -> new IndexMap.Affine(offset, stride));
  }

  private IndexMap blocks(HookToken at) {
    long size = named("size");
    return located(at, () -> new IndexMap.Blocks(size));
  }

  private IndexMap transpose(HookToken at) {
    long rows = named("rows");
    tokens.expect(",");
    long columns = named("columns");
    return located(at, () -> new IndexMap.Transpose(rows, columns));
  }

  private IndexMap permutation(HookToken at) {
    List<Integer> order = new ArrayList<>();
    do {
      order.add((int) Math.clamp(HookLiterals.whole(tokens), -1L, Integer.MAX_VALUE));
    } while (tokens.takeIf(","));
    return located(at, () -> new IndexMap.Permutation(order));
  }

  private IndexMap gather(HookToken at) {
    int table = HookLiterals.source(tokens);
    tokens.expect(",");
    long rows = named("rows");
    tokens.expect(",");
    long width = named("width");
    return located(at, () -> new IndexMap.Gather(table, rows, width));
  }

  private long named(String name) {
    tokens.expect(name);
    tokens.expect("=");
    return HookLiterals.whole(tokens);
  }

  /** Adds the position of {@code at} to a rule's error. */
  static <T> T located(HookToken at, Supplier<T> build) {
    try {
      return build.get();
    } catch (HookSyntaxException refused) {
      throw refused;
    } catch (IllegalArgumentException refused) {
      throw new HookSyntaxException(refused, at);
    }
  }
}
