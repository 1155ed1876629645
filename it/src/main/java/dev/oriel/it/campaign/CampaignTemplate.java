package dev.oriel.it.campaign;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of the release with names in place of what differs between campaigns. */
final class CampaignTemplate {
  private static final Pattern NAME = Pattern.compile("@([A-Z]+)@");

  private CampaignTemplate() {}

  /** The same as a part of another text, without the end of its last line. */
  static String inner(String name, Map<String, String> values) {
    return filled(name, values).stripTrailing();
  }

  /** The text of that name with these values; a value is inserted as it is. */
  static String filled(String name, Map<String, String> values) {
    return NAME.matcher(text(name))
        .replaceAll(found -> {
          String value = values.get(found.group(1));
          if (value == null) {
            throw new AssertionError(
                "no value for a name: text=%s, name=%s".formatted(name, found));
          }
          return Matcher.quoteReplacement(value);
        });
  }

  private static String text(String name) {
    try (InputStream found = CampaignTemplate.class.getResourceAsStream("/campaign/" + name)) {
      if (found == null) {
        throw new MachineException("part of the release is missing: resource=" + name);
      }
      return new String(found.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new MachineException("part of the release cannot be read: resource=" + name, e);
    }
  }
}
