package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.List;
import java.util.Optional;

/** Resolves every name of an operand, a region or a slot, at one point of a form. */
final class NameResolver {
  private final Form form;
  private final FormErrors complaints;
  private final NameScopes scopes = new NameScopes();

  NameResolver(Form form, FormErrors complaints) {
    this.form = form;
    this.complaints = complaints;
  }

  /** Does the work with names of its own, which no later part sees. */
  void scoped(Runnable work) {
    scopes.open();
    try {
      work.run();
    } finally {
      scopes.close();
    }
  }

  /** Makes the epoch visible, which only a lane knows. */
  void declareEpoch() {
    scopes.declare("epoch", Meaning.RUNNING);
  }

  void declare(Object part, String name, Meaning meaning) {
    valid(part, name);
    declareWord(part, name, meaning);
  }

  /** The same for a word of the language, which is a name in some place. */
  void declareWord(Object part, String name, Meaning meaning) {
    if (scopes.find(name).isPresent()) {
      boolean changes = part instanceof Op.Let && scopes.find(name).get() == Meaning.STATE;
      throw complaints.fail(
          part,
          "duplicated name",
          "name=" + name,
          changes
              ? "to change the state, write set in place of let"
              : "choose another: inner names hide nothing");
    }
    scopes.declare(name, meaning);
  }

  boolean knows(String name) {
    return scopes.find(name).isPresent();
  }

  /** Makes a name visible whose declaration has a mistake. */
  void assume(String name) {
    scopes.declare(name, Meaning.RUNNING);
  }

  void valid(Object part, String name) {
    if (!NameRules.valid(name)) {
      throw complaints.fail(
          part,
          "not a name",
          "name=" + FormErrors.shown(name),
          "use at most " + NameRules.MAX_LENGTH + " letters, digits and _, and no reserved word");
    }
  }

  boolean isState(String name) {
    return scopes.find(name).filter(Meaning.STATE::equals).isPresent();
  }

  /**
   * Checks an operand that must be known before any lane runs; the structure is equal on all ranks.
   */
  void bound(Expr expr, String what, boolean mayDifferByRank) {
    Meaning meaning = meaning(expr);
    if (meaning.compareTo(mayDifferByRank ? Meaning.RANK : Meaning.BOUND) > 0) {
      throw complaints.fail(
          expr,
          "not known at binding",
          what + "=" + FormPrinter.print(expr),
          "use parameters, definitions and n");
    }
  }

  /**
   * Checks an operand that any rank can compute for any other: the only rank-dependent name in it
   * is {@code r}.
   */
  void ofAnyRank(Expr expr) {
    switch (expr) {
      case Expr.Const c -> {}
      case Expr.Name(String name) when name.equals("r") -> {}
      case Expr.Name name -> bound(name, "a team's condition", false);
      case Expr.NonZero32(Expr counter) -> ofAnyRank(counter);
      case Expr.Binary(var operator, Expr left, Expr right) -> {
        ofAnyRank(left);
        ofAnyRank(right);
      }
    }
  }

  void names(Expr expr) {
    meaning(expr);
  }

  /**
   * Resolves every name; the one that becomes known last determines when the whole operand is
   * known.
   */
  Meaning meaning(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> Meaning.BOUND;
      case Expr.Name name ->
          scopes
              .find(name.name())
              .orElseThrow(() ->
                  complaints.unknown(
                      name, "unknown name", name.name(), "known here", scopes.visible()));
      case Expr.NonZero32(Expr counter) -> meaning(counter);
      case Expr.Binary(var operator, Expr left, Expr right) -> {
        Meaning a = meaning(left);
        Meaning b = meaning(right);
        yield a.compareTo(b) >= 0 ? a : b;
      }
    };
  }

  void condition(Cond condition) {
    for (Cond.Term t : condition.terms()) {
      names(t.left());
      names(t.right());
    }
  }

  void peers(Peers peers) {
    if (peers instanceof Peers.One(Expr rank)) {
      names(rank);
    }
  }

  void region(Region g) {
    Optional<Buffer> buffer = form.buffer(g.buffer());
    if (buffer.isEmpty()) {
      throw complaints.unknown(
          g,
          "unknown buffer",
          g.buffer(),
          "known",
          form.buffers().stream().map(Buffer::name).toList());
    }
    if (!buffer.get().space().remote() && !(g.at() instanceof Peers.Self)) {
      throw complaints.fail(
          g,
          "shared memory of another rank",
          "buffer=" + g.buffer(),
          "use scratch for what peers touch");
    }
    peers(g.at());
    names(g.offset());
    if (g.access() instanceof Access.Packets(var format, Expr flag)) {
      names(flag);
    }
  }

  /** Words, packets and memory that a network interface reaches must not be named by an alias. */
  void byItsOwnName(Region g) {
    if (form.isAlias(g.buffer())) {
      throw complaints.fail(
          g,
          "an alias is for moves, loads, stores and bulk copies of bytes",
          "buffer=" + g.buffer(),
          "use " + form.base(g.buffer()));
    }
  }

  void width(Object part, int width) {
    if (width < 1 || width > Long.BYTES || Integer.bitCount(width) != 1) {
      throw complaints.fail(part, "width out of range", "width=" + width, "use 1, 2, 4 or 8 bytes");
    }
  }

  void writable(Region d) {
    if (space(d).readOnly()) {
      throw complaints.fail(
          d,
          "an input is read only",
          "buffer=" + d.buffer(),
          "write into an output, window, scratch or shared buffer");
    }
  }

  Space space(Region g) {
    return form.buffer(g.buffer()).orElseThrow().space();
  }

  void slot(Slot s) {
    if (form.signal(s.signal()).filter(a -> a.use() instanceof SignalArray.Use.Slots).isEmpty()) {
      throw complaints.unknown(
          s, "unknown signal", s.signal(), "known", arrays(SignalArray.Use.Slots.class));
    }
    names(s.index());
    peers(s.at());
  }

  /** The arrays of that use. */
  List<String> arrays(Class<? extends SignalArray.Use> use) {
    return form.signals().stream()
        .filter(s -> use.isInstance(s.use()))
        .map(SignalArray::name)
        .toList();
  }
}
