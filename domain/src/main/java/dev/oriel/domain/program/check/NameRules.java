package dev.oriel.domain.program.check;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Says which words may be names in a form. */
public final class NameRules {
  public static final int MAX_LENGTH = 64;

  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern FORM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*");

  /** Sorted, so that a message that lists them is the same on every JVM. */
  private static final Set<String> RESERVED =
      new TreeSet<>(
          Set.of(
              "form", "param", "let", "input", "output", "inout", "window", "scratch", "shared",
              "signal", "ensure", "lane", "state", "step", "each", "peers", "all", "self", "sm",
              "copy", "host", "nic", "move", "bytes", "pkt8", "pkt16", "line128", "sum", "avg",
              "prod", "min", "max", "ceil", "nz32", "set", "add", "release", "relaxed", "acquire",
              "gpu", "sys", "cover", "await", "ticket", "reached", "flush", "local", "remote",
              "sync", "thread0", "join", "load", "else", "store", "check", "and", "if", "for", "r",
              "n", "epoch", "put", "get", "count", "notify", "via", "nb", "atomic", "fetch", "cas",
              "fence", "quiet", "wait", "read", "width", "lock", "unlock", "team", "barrier", "of",
              "meet", "order", "sc", "bulk", "alias", "cta", "cluster", "counter", "hook",
              "require", "until", "within", "uniform"));

  private NameRules() {}

  /** The words that the language itself uses. */
  public static Set<String> reservedWords() {
    return Collections.unmodifiableSet(RESERVED);
  }

  /** Whether the language itself uses the word. */
  public static boolean reserved(String name) {
    return RESERVED.contains(name);
  }

  /** Whether a part of a form may have that name. */
  public static boolean valid(String name) {
    return name.length() <= MAX_LENGTH && WORD.matcher(name).matches() && !reserved(name);
  }

  /** Whether a form may have that name. */
  public static boolean validForm(String name) {
    return name.length() <= MAX_LENGTH && FORM.matcher(name).matches();
  }
}
