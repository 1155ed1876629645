package dev.oriel.it.options;

import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The costs of communication: the option of every command that uses time. */
public final class LinkOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--links",
      paramLabel = "LINKS",
      description = "h200, flat50, or the path of a text with costs (default: h200)")
  private String links = "h200";

  /** The file that has the costs; empty if they have a name. */
  public Optional<Path> file() {
    return LinkText.PROFILES.contains(links) ? Optional.empty() : Optional.of(Path.of(links));
  }

  public LinkModel model() {
    return model(spec, links);
  }

  /** The model of that name, or in that file. */
  public static LinkModel model(CommandSpec spec, String links) {
    if (LinkText.PROFILES.contains(links)) {
      return LinkText.profile(links);
    }
    if (!Files.isRegularFile(Path.of(links))) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown links: name=%s; give a path, or one of %s"
              .formatted(links, String.join(", ", LinkText.PROFILES)));
    }
    try {
      return LinkText.parse(Files.readString(Path.of(links)));
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot read the links: path=%s, reason=%s; check the file"
              .formatted(links, UnreadableReason.reason(e)));
    }
  }
}
