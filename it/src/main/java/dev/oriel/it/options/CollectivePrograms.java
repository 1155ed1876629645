package dev.oriel.it.options;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.domain.tuning.TuningKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The shipped programs that implement a collective. */
public final class CollectivePrograms {
  private CollectivePrograms() {}

  public static List<CandidateProgram> of(CommandSpec spec, Collective collective) {
    return ShippedProgram.doing(collective).stream()
        .map(program ->
            new CandidateProgram(program.name(), ProgramTexts.shipped(spec, program.name())))
        .toList();
  }

  public static Collective collective(CommandSpec spec, String word) {
    return Collective.of(word)
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                "unknown collective: name=%s; give one of %s".formatted(word, words())));
  }

  /** The name of the program that implements that collective by that algorithm. */
  static String named(CommandSpec spec, String word, String algorithm) {
    Collective meant = collective(spec, word);
    if (algorithm.equals("auto")) {
      return AutoProgram.AUTO + word;
    }
    List<ShippedProgram> doing = ShippedProgram.doing(meant);
    return doing.stream()
        .filter(program -> program.algorithm().equals(algorithm))
        .findFirst()
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                "unknown algorithm: collective=%s, algorithm=%s; give auto or one of %s"
                    .formatted(
                        word,
                        algorithm,
                        doing.stream()
                            .map(ShippedProgram::algorithm)
                            .collect(Collectors.joining(", ")))))
        .name();
  }

  /** The names of collectives. */
  static String words() {
    return Arrays.stream(Collective.values())
        .map(Collective::word)
        .collect(Collectors.joining(", "));
  }

  /** The element that the collective reduces: sums of FP32 unless options say otherwise. */
  public static Optional<TuningKey.Element> element(
      CommandSpec spec,
      Collective collective,
      @Nullable DataType type,
      @Nullable ReduceOp operator) {
    if (collective.reduces()) {
      return Optional.of(
          new TuningKey.Element(
              operator == null ? ReduceOp.SUM : operator, type == null ? DataType.FP32 : type));
    }
    if (type != null || operator != null) {
      throw new ParameterException(
          spec.commandLine(),
          "collective does not reduce: name=%s; leave out --type and --op"
              .formatted(collective.word()));
    }
    return Optional.empty();
  }
}
