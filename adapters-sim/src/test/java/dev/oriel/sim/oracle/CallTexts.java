package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.RandomRdmaCalls.Call;
import dev.oriel.sim.oracle.RandomRdmaCalls.Change;
import dev.oriel.sim.oracle.RandomRdmaCalls.Kind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses calls in the format of {@link Call#text}. */
final class CallTexts {
  private static final Pattern SLOT = Pattern.compile("([SN])\\[(\\d)](?:@(\\d))?");
  private static final Pattern WORD = Pattern.compile("(box|flag|mine)(?:@(\\d))?\\[([08])]");
  private static final Pattern PEER = Pattern.compile("@(\\d)");
  private static final Pattern VIA = Pattern.compile(" via (\\d)");
  private static final Pattern NOTIFY = Pattern.compile(" notify N\\[0] set (\\d)");
  private static final Pattern REGISTER = Pattern.compile("x(\\d)");
  private static final Pattern VALUE = Pattern.compile("(?:set|add|cas \\d,|>=|==|\\] <-) (\\d)");

  private CallTexts() {}

  /** One lane per rank; {@code /} separates ranks, a semicolon separates calls. */
  static RandomRdmaCalls parse(String text) {
    List<List<Call>> lanes = Stream.of(text.split("/", -1)).map(CallTexts::lane).toList();
    return new RandomRdmaCalls(lanes.size(), 1, lanes);
  }

  private static List<Call> lane(String text) {
    return Stream.of(text.split(";", -1))
        .map(String::strip)
        .filter(call -> !call.isEmpty())
        .map(CallTexts::call)
        .toList();
  }

  private static Call call(String text) {
    Kind kind = Kind.valueOf(text.split(" ", -1)[0].toUpperCase(Locale.ROOT));
    String plain = NOTIFY.matcher(text).replaceAll("");
    int peer = 0;
    int word = 0;
    int own = -1;
    Matcher words = WORD.matcher(plain);
    while (words.find()) {
      int at = 2 * List.of("box", "flag", "mine").indexOf(words.group(1));
      at += words.group(3).equals("8") ? 1 : 0;
      boolean calls = List.of(Kind.PUT, Kind.MOVE, Kind.GET, Kind.ATOMIC).contains(kind);
      if (calls && words.group(2) == null) {
        own = at;
      } else {
        word = at;
        peer = words.group(2) == null ? 0 : Integer.parseInt(words.group(2));
      }
    }
    Matcher slot = SLOT.matcher(plain);
    if (slot.find()) {
      word = slot.group(1).equals("N") ? RandomRdmaCalls.NOTIFIED : Integer.parseInt(slot.group(2));
      peer = Integer.parseInt(slot.group(3));
    }
    if (kind == Kind.FLUSH) {
      peer = number(PEER, plain, 0);
    }
    boolean ordered = plain.contains("acquire") || plain.contains("release");
    boolean hears = List.of(Kind.AWAIT, Kind.WAIT, Kind.READ, Kind.SIGNAL).contains(kind);
    Call call =
        new Call(
            kind,
            peer,
            word,
            own,
            change(plain),
            number(VALUE, plain, 0),
            hears || ordered || plain.contains(" relaxed") || plain.contains(" remote"),
            ordered,
            plain.contains("=="),
            plain.contains(" sc "),
            plain.contains(" sys") || kind == Kind.FENCE || kind == Kind.QUIET,
            number(VIA, plain, 0),
            plain.endsWith(" nb"),
            number(NOTIFY, text, 0),
            number(REGISTER, plain, -1));
    if (!call.text().equals(text)) {
      throw new IllegalArgumentException(text + " is not " + call.text());
    }
    return call;
  }

  private static Change change(String text) {
    return text.contains(" add ")
        ? Change.ADD
        : text.contains(" cas ") ? Change.CAS : text.contains(" fetch") ? Change.FETCH : Change.SET;
  }

  private static int number(Pattern pattern, String text, int none) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Integer.parseInt(found.group(1)) : none;
  }
}
