package dev.oriel.domain.certificate;

import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.topology.WorldShape;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The text of a certificate: a line for each fact and for each case, and a last line with the
 * SHA-256 of all lines before. The checksum detects a text that was cut or altered by mistake. It
 * is no signature: anybody can write a certificate.
 */
public final class CertificateText {
  /**
   * The version of the format and of the checker. A change that makes the checker find an error
   * that it missed before raises it: older certificates are then refused.
   */
  public static final int VERSION = 1;

  /** The longest text that is read, in characters. */
  public static final int MAX_TEXT = 1 << 22;

  private static final int MAX_LINE = 1 << 12;
  private static final String HEAD = "oriel-certificate ";
  private static final String END = "sha256 ";
  private static final String CASE = "case ";

  /** The facts of a case before its values. */
  private static final int VALUES = 4;

  private static final String SHOWN = "...";

  private CertificateText() {}

  /** The text of that certificate. */
  public static String print(Certificate certificate) {
    StringBuilder text = new StringBuilder();
    line(text, HEAD + VERSION);
    line(text, "release " + certificate.release());
    line(text, "program " + certificate.name());
    line(text, "text " + certificate.form());
    line(text, "memory " + certificate.memory());
    for (ProvedCase one : certificate.cases()) {
      line(
          text,
          CASE
              + "%s %s %s %d%s"
                  .formatted(one.world(), one.program(), one.steps(), one.states(), one.values()));
    }
    line(text, END + TextDigest.checksum(text.toString()));
    return text.toString();
  }

  /**
   * The certificate that {@link #print} wrote.
   *
   * @throws IllegalArgumentException naming the line and the reason
   */
  public static Certificate parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "certificate too long: characters=%d, max=%d; give a file that oriel prove wrote"
              .formatted(text.length(), MAX_TEXT));
    }
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().startsWith(HEAD)) {
      throw new IllegalArgumentException(
          "no certificate: first line=%s; give a file that oriel prove wrote"
              .formatted(lines.isEmpty() ? "none" : shown(lines.getFirst())));
    }
    String version = lines.getFirst().substring(HEAD.length());
    if (!version.equals(Integer.toString(VERSION))) {
      throw new IllegalArgumentException(
          "certificate of another version: version=%s, known=%d; run oriel prove again"
              .formatted(shown(version), VERSION));
    }
    requireWhole(lines);
    Reader reader = new Reader(lines.subList(0, lines.size() - 1).iterator());
    reader.next(HEAD);
    String release = reader.next("release ");
    String name = reader.next("program ");
    String form = reader.next("text ");
    String memory = reader.next("memory ");
    List<ProvedCase> cases = new ArrayList<>();
    while (reader.lines.hasNext()) {
      cases.add(proved(reader.next(CASE), reader.number));
    }
    return new Certificate(release, name, form, memory, cases);
  }

  /** Checks the last line against all lines before. */
  private static void requireWhole(List<String> lines) {
    String last = lines.getLast();
    if (!last.startsWith(END)) {
      throw new IllegalArgumentException(
          "certificate cut: last line=%s; it must be %sand a checksum: copy the file again"
              .formatted(shown(last), END));
    }
    StringBuilder before = new StringBuilder();
    lines.subList(0, lines.size() - 1).forEach(line -> line(before, line));
    String computed = TextDigest.checksum(before.toString());
    if (!last.substring(END.length()).equals(computed)) {
      throw new IllegalArgumentException(
          "certificate altered: checksum=%s, computed=%s; copy the file again, or run oriel prove again"
              .formatted(shown(last.substring(END.length())), computed));
    }
  }

  /** The world, the two digests, the number of states, and each parameter with its value. */
  private static ProvedCase proved(String text, int line) {
    List<String> facts = List.of(text.split(" ", -1));
    if (facts.size() < VALUES) {
      throw bad(line, text);
    }
    Map<String, Long> params = new TreeMap<>();
    try {
      for (String value : facts.subList(VALUES, facts.size())) {
        int at = value.indexOf('=');
        if (at <= 0
            || params.put(value.substring(0, at), Long.parseLong(value.substring(at + 1)))
                != null) {
          throw bad(line, value);
        }
      }
      return new ProvedCase(
          WorldShape.parse(facts.get(0)),
          params,
          facts.get(1),
          facts.get(2),
          Long.parseLong(facts.get(3)));
    } catch (NumberFormatException e) {
      throw bad(line, text);
    }
  }

  private static IllegalArgumentException bad(int line, String what) {
    return new IllegalArgumentException(
        "not a line of a certificate: line=%d, text=%s; run oriel prove again"
            .formatted(line, shown(what)));
  }

  private static String shown(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + SHOWN;
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }

  /** Lines one after another, each with the expected beginning. */
  private static final class Reader {
    private final Iterator<String> lines;
    private int number;

    Reader(Iterator<String> lines) {
      this.lines = lines;
    }

    String next(String start) {
      number++;
      String line = lines.hasNext() ? lines.next() : "";
      if (!line.startsWith(start) || line.length() > MAX_LINE) {
        throw bad(number, line);
      }
      return line.substring(start.length());
    }
  }
}
