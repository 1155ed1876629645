package dev.oriel.sim.replay;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.WorldShape;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One line that repeats one execution bit for bit, on any JVM. It holds everything that determines
 * the execution except the form, which it names by digest. A token never replays another execution:
 * {@link #program} refuses another form, and {@link TokenText} an altered or cut text.
 *
 * @param program the first 64 bits of {@link Program#digest}, in hexadecimal
 * @param strategy made the choices, with {@code seed}; to repeat them, the choices suffice
 */
public record ReplayToken(
    String profile,
    String program,
    WorldShape world,
    Map<String, Long> params,
    int launches,
    TimeoutPolicy timeouts,
    FaultPlan faults,
    String strategy,
    long seed,
    ChoiceScript choices) {
  /** The longest name in a token: room for a profile with every possible change, and more. */
  public static final int MAX_NAME = 192;

  static final int DIGEST_DIGITS = 16;
  static final int MAX_LAUNCHES = 1_000_000;
  static final int MAX_PARAMS = 1_024;

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  public ReplayToken {
    name("profile", profile, "._-");
    name("strategy", strategy, "._-");
    if (program.length() < DIGEST_DIGITS
        || !program.chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0)) {
      throw new ReplayException(
          "not a digest: program=%s; give at least %d hexadecimal digits"
              .formatted(ReplayException.shown(program), DIGEST_DIGITS));
    }
    program = program.substring(0, DIGEST_DIGITS);
    params = Collections.unmodifiableMap(new TreeMap<>(params));
    if (params.size() > MAX_PARAMS) {
      throw new ReplayException(
          "too many parameters: count=%d, max=%d; use fewer".formatted(params.size(), MAX_PARAMS));
    }
    params.forEach((name, value) -> {
      name("parameter", name, "_");
      if (value < 0) {
        throw new ReplayException(
            "negative parameter: name=%s, value=%d; give 0 or more".formatted(name, value));
      }
    });
    if (launches < 1 || launches > MAX_LAUNCHES) {
      throw new ReplayException(
          "launches out of range: launches=%d, min=1, max=%d; give a number in between"
              .formatted(launches, MAX_LAUNCHES));
    }
    faults.requireWorld(world.world());
  }

  /** The token that {@link #toString} wrote. */
  public static ReplayToken parse(String text) {
    return TokenText.parse(text);
  }

  /**
   * The program for which the token was written.
   *
   * @throws ReplayException naming both digests if {@code form} makes another program
   */
  public Program program(Form form) {
    Program bound = Program.bind(form, world.world(), params);
    String found = digits(bound);
    if (!found.equals(program)) {
      throw new ReplayException(
          "token of another program: token=%s, given=%s, form=%s; give the text it was written for"
              .formatted(program, found, form.name()));
    }
    return bound;
  }

  /** Whether the token was written for a program of that form. */
  public boolean names(Form form) {
    return digits(Program.bind(form, world.world(), params)).equals(program);
  }

  private static String digits(Program bound) {
    return bound.digest().substring(0, DIGEST_DIGITS);
  }

  /** The execution of {@code form} that the token names. */
  public ExecutionCase of(Form form) {
    program(form);
    return new ExecutionCase(form, world, params, launches, timeouts, faults, choices, profile);
  }

  private static void name(String what, String name, String signs) {
    if (name.isEmpty()
        || name.length() > MAX_NAME
        || !name.chars().allMatch(c -> LETTERS.indexOf(c) >= 0 || signs.indexOf(c) >= 0)) {
      throw new ReplayException(
          "not a name: %s=%s; use 1 to %d letters, digits and %s"
              .formatted(what, ReplayException.shown(name), MAX_NAME, signs));
    }
  }

  /** The text form. */
  @Override
  public String toString() {
    return TokenText.print(this);
  }
}
