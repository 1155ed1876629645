package dev.oriel.sim.replay;

import dev.oriel.domain.topology.WorldShape;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The text form of tokens, which a shell takes as one plain word:
 *
 * <pre>
 * oriel2:profile:digest:2x4:B=64,K=2:launches:never:crash_rank=1_after=17:strategy:seed:script+checksum
 * </pre>
 *
 * <p>The checksum is a CRC of all text before it. The sign before the checksum occurs nowhere else,
 * and the checksum's length is fixed. A text without its end is therefore recognised. A CRC detects
 * every change of one character. The start and the end of a token are the same in every version.
 */
final class TokenText {
  static final int MAX_TEXT = 1 << 20;

  private static final String PREFIX = "oriel";
  private static final String VERSION = "2";
  private static final char CHECK = '+';
  private static final int CHECK_LENGTH = 7;
  private static final String NOTHING = "-";
  private static final int FIELDS = 11;

  private TokenText() {}

  static String print(ReplayToken t) {
    String params =
        t.params().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(","));
    String body =
        String.join(
            ":",
            PREFIX + VERSION,
            t.profile(),
            t.program(),
            t.world().toString(),
            params.isEmpty() ? NOTHING : params,
            Integer.toString(t.launches()),
            t.timeouts().spelling(),
            t.faults().toString().replace("; ", ",").replace(' ', '_'),
            t.strategy(),
            Long.toHexString(t.seed()),
            t.choices().toString());
    if (body.length() > MAX_TEXT - 1 - CHECK_LENGTH) {
      throw new ReplayException(
          "token too long: characters=%d, max=%d; shrink the execution first"
              .formatted(body.length() + 1 + CHECK_LENGTH, MAX_TEXT));
    }
    return body + CHECK + checksum(body);
  }

  static ReplayToken parse(String text) {
    String[] fields = fields(verified(text));
    try {
      ReplayToken token =
          new ReplayToken(
              fields[1],
              digest(fields[2]),
              world(fields[3]),
              params(fields[4]),
              launches(fields[5]),
              TimeoutPolicy.parse(fields[6]),
              FaultPlan.parse(fields[7].replace(",", "; ").replace('_', ' ')),
              fields[8],
              seed(fields[9]),
              ChoiceScript.parse(fields[10]));
      if (!print(token).equals(text)) {
        throw new ReplayException(
            "not as it would be written: expected=%s; write it so"
                .formatted(ReplayException.shown(print(token))));
      }
      return token;
    } catch (ReplayException e) {
      throw new ReplayException("bad token: " + e.getMessage());
    }
  }

  /** The text before the checksum, if the checksum is right. */
  private static String verified(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ReplayException(
          "token too long: characters=%d, max=%d; give one token"
              .formatted(text.length(), MAX_TEXT));
    }
    if (!text.startsWith(PREFIX)) {
      throw new ReplayException(
          "not a token: text=%s; a token starts with %s and a number"
              .formatted(ReplayException.shown(text), PREFIX));
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) >= 127) {
        throw new ReplayException(
            "altered token: position=%d, character=U+%04X; copy it again"
                .formatted(i, (int) text.charAt(i)));
      }
    }
    int check = text.indexOf(CHECK);
    if (check < 0 || text.length() - check - 1 < CHECK_LENGTH) {
      throw new ReplayException(
          "truncated token: characters=%d, checksum=%d of %d characters; copy it to its end"
              .formatted(text.length(), check < 0 ? 0 : text.length() - check - 1, CHECK_LENGTH));
    }
    String body = text.substring(0, check);
    String found = text.substring(check + 1);
    if (!found.equals(checksum(body))) {
      throw new ReplayException(
          "altered token: checksum=%s, computed=%s; copy it again"
              .formatted(ReplayException.shown(found), checksum(body)));
    }
    return body;
  }

  private static String[] fields(String body) {
    String[] fields = body.split(":", -1);
    if (!fields[0].equals(PREFIX + VERSION)) {
      throw new ReplayException(
          "token of another version: found=%s, known=%s; use the release that wrote it"
              .formatted(ReplayException.shown(fields[0].substring(PREFIX.length())), VERSION));
    }
    if (fields.length != FIELDS) {
      throw new ReplayException(
          "bad token: fields=%d, expected=%d; copy a token that Oriel wrote"
              .formatted(fields.length, FIELDS));
    }
    return fields;
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.ISO_8859_1));
    return Base32.fixed(crc.getValue(), CHECK_LENGTH);
  }

  private static String digest(String text) {
    if (text.length() != ReplayToken.DIGEST_DIGITS) {
      throw new ReplayException(
          "not a digest: program=%s; give %d hexadecimal digits"
              .formatted(ReplayException.shown(text), ReplayToken.DIGEST_DIGITS));
    }
    return text;
  }

  private static WorldShape world(String text) {
    try {
      return WorldShape.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ReplayException(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Long> params(String text) {
    Map<String, Long> params = new TreeMap<>();
    if (text.equals(NOTHING)) {
      return params;
    }
    for (String param : text.split(",", -1)) {
      int equals = param.indexOf('=');
      if (equals < 0) {
        throw new ReplayException(
            "parameter without a value: text=%s; write name=value"
                .formatted(ReplayException.shown(param)));
      }
      if (params.put(param.substring(0, equals), number(param.substring(equals + 1))) != null) {
        throw new ReplayException(
            "parameter given twice: text=%s; give each one value"
                .formatted(ReplayException.shown(param)));
      }
    }
    return params;
  }

  private static int launches(String text) {
    return (int) Math.min(number(text), Integer.MAX_VALUE);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ReplayException(
          "not a number: text=%s; use decimal digits".formatted(ReplayException.shown(text)));
    }
  }

  private static long seed(String text) {
    try {
      return Long.parseUnsignedLong(text, 16);
    } catch (NumberFormatException e) {
      throw new ReplayException(
          "not a seed: text=%s; use at most 16 hexadecimal digits"
              .formatted(ReplayException.shown(text)));
    }
  }
}
