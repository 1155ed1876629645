package dev.oriel.it.report;

import java.util.List;
import java.util.Optional;

/**
 * One program in one world with one set of values, and what a check found there.
 *
 * @param program its name, or that of its text if it is no program
 * @param name the world and the values
 * @param file the program's text; empty if it is in no file
 * @param refused why the program cannot run there; nothing was looked for then
 * @param bounds how the search was cut short, in words
 */
public record CheckedCase(
    String program,
    String name,
    Optional<String> file,
    List<CaseFinding> findings,
    Optional<String> refused,
    List<String> bounds) {

  /** The kind of a mistake in a text, which is no program then. */
  public static final String MISTAKE = "mistake";

  public CheckedCase {
    findings = List.copyOf(findings);
    bounds = List.copyOf(bounds);
  }

  /**
   * A violation, or a mistake in a text.
   *
   * @param places the operations that it is about, the earlier one first
   * @param details what else helps to understand it, a fact on each line
   */
  public record CaseFinding(
      String kind, String message, List<CasePlace> places, List<String> details) {
    public CaseFinding {
      places = List.copyOf(places);
      details = List.copyOf(details);
    }

    boolean mistake() {
      return kind.equals(MISTAKE);
    }
  }

  /**
   * A place in a program.
   *
   * @param line its line in the program's text, from 1; 0 if it has none
   * @param column its column there, from 1; 0 if it has none
   * @param words the agent and the operation
   */
  public record CasePlace(int line, int column, String words) {}
}
