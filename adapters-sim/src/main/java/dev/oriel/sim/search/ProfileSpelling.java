package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ExecutionCase;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names in tokens for the assumptions on hardware and for the detectors. The profile uses letters
 * that a token may hold, such as {@code L2_depth.4}. Suffixes follow it: {@code _after.7} after
 * earlier launches, {@code _inputs.3} for input words of another draw than 0, {@code _turns.27} for
 * those of a negative draw, {@code _results} where races are allowed. {@code _ends} means that a
 * wait may miss a value and ends with another one, {@code _values} means both.
 */
final class ProfileSpelling {
  private static final String RESULTS = "_results";
  private static final String VALUES = "_values";
  private static final String ENDS = "_ends";

  /** For programs in which every wait is proved to end. */
  static final DetectorSet WAITS_END = DetectorSet.ALL.without(Kind.OVERWRITE);

  private static final String AFTER = "_after.";
  private static final String INPUTS = "_inputs.";
  private static final String TURNS = "_turns.";

  private ProfileSpelling() {}

  /** The name in a token; empty for a profile that no text describes. */
  static Optional<String> name(ExecutionSettings settings) {
    Profile profile = settings.profile();
    Optional<String> detectors = detectors(settings.detectors());
    if (!known(profile) || detectors.isEmpty()) {
      return Optional.empty();
    }
    String after = settings.past() == 0 ? "" : AFTER + Long.toUnsignedString(settings.past());
    long draw = settings.draw();
    String inputs = draw == 0 ? "" : draw > 0 ? INPUTS + draw : TURNS + (-1 - draw);
    String name =
        profile.name().replace(',', '_').replace('=', '.') + after + inputs + detectors.get();
    return Optional.of(name).filter(n -> n.length() <= ReplayToken.MAX_NAME);
  }

  private static Optional<String> detectors(DetectorSet detectors) {
    return Stream.of("", RESULTS, VALUES, ENDS)
        .filter(suffix -> detectors.equals(detectors(suffix)))
        .findFirst();
  }

  private static String suffix(String name) {
    return Stream.of(RESULTS, VALUES, ENDS).filter(name::endsWith).findFirst().orElse("");
  }

  private static DetectorSet detectors(String suffix) {
    return switch (suffix) {
      case RESULTS -> DetectorSet.RESULTS;
      case VALUES -> DetectorSet.VALUES;
      case ENDS -> WAITS_END;
      default -> DetectorSet.ALL;
    };
  }

  private static boolean known(Profile profile) {
    try {
      return Profile.parse(profile.name()).equals(profile);
    } catch (MachineException e) {
      return false;
    }
  }

  /** The settings of a case. */
  static ExecutionSettings of(ExecutionCase execution) {
    String name = execution.profile();
    String suffix = suffix(name);
    String rest = name.substring(0, name.length() - suffix.length());
    int inputs = inputs(rest);
    String all = inputs < 0 ? rest : rest.substring(0, inputs);
    int after = all.indexOf(AFTER);
    String profile = after < 0 ? all : all.substring(0, after);
    return new ExecutionSettings(
            Profile.parse(profile.replace('_', ',').replace('.', '=')),
            execution.launches(),
            detectors(suffix),
            execution.timeouts())
        .after(after < 0 ? 0 : number(AFTER, all.substring(after + AFTER.length())))
        .drawing(inputs < 0 ? 0 : draw(rest.substring(inputs)));
  }

  /** Where the suffix of a draw begins; -1 if there is none. */
  private static int inputs(String name) {
    return Math.max(name.indexOf(INPUTS), name.indexOf(TURNS));
  }

  private static long draw(String suffix) {
    if (suffix.startsWith(TURNS)) {
      String text = suffix.substring(TURNS.length());
      long turns = number(TURNS, text);
      if (turns < 0) {
        throw new ReplayException(
            "no such turns of inputs: %s; copy the token again".formatted(text));
      }
      return -1 - turns;
    }
    String text = suffix.substring(INPUTS.length());
    long draw = number(INPUTS, text);
    if (draw < 1 || draw > Integer.MAX_VALUE) {
      throw new ReplayException("no such draw of inputs: %s; copy the token again".formatted(text));
    }
    return draw;
  }

  private static long number(String what, String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new ReplayException(
          "not a number: %s=%s; copy the token again"
              .formatted(what.substring(1, what.length() - 1), text));
    }
  }

  /**
   * The names of the layers from least to most order, with the same detectors and earlier launches
   * as {@code like}.
   */
  static List<String> fromWeakest(String like) {
    int after = like.indexOf(AFTER);
    int inputs = inputs(like);
    int from = after >= 0 ? after : inputs;
    String rest = from >= 0 ? like.substring(from) : suffix(like);
    return Stream.of(Profile.L3, Profile.L2, Profile.L1, Profile.L0)
        .map(p -> p.name() + rest)
        .toList();
  }
}
