package dev.oriel.it.campaign;

import dev.oriel.it.options.OptionNumbers;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The scheduler of a campaign, and what it needs to know. */
final class ClusterOptions {
  /** The most indexes of an Indexed Job. Slurm's own limit, MaxArraySize, is 1001 by default. */
  private static final int MOST = 100_000;

  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");
  private static final Pattern CLAIM = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--parts",
      paramLabel = "N",
      required = true,
      description = "the number of parts, from 2 to 100000")
  private int parts;

  @Option(names = "--slurm", description = "write a Slurm array and a merge that depends on it")
  private boolean slurm;

  @Option(names = "--kubernetes", description = "write an Indexed Job, and a job that merges")
  private boolean kubernetes;

  @Option(
      names = "--oriel",
      paramLabel = "PATH",
      description = "with --slurm: the command on the nodes (default: the one that runs now)")
  private @Nullable String oriel;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description =
          "with --kubernetes: an image whose command is oriel, as it/action/Containerfile makes it")
  private @Nullable String image;

  @Option(
      names = "--claim",
      paramLabel = "NAME",
      description =
          "with --kubernetes: the PersistentVolumeClaim for the results, which all pods may write (default: oriel)")
  private @Nullable String claim;

  /** Refuses contradictions and values that no scheduler takes. */
  void validate() {
    OptionNumbers.atLeast(spec, "--parts", 2, parts);
    if (parts > MOST) {
      throw wrong(
          "option out of range: option=--parts, value=%d, min=2, max=%d; give fewer parts"
              .formatted(parts, MOST));
    }
    if (slurm == kubernetes) {
      throw wrong("no scheduler, or two: options=--slurm, --kubernetes; give one of them");
    }
    if (slurm && (image != null || claim != null)) {
      throw wrong(
          "an option of Kubernetes: option=%s; leave it out, or give --kubernetes in place of --slurm"
              .formatted(image != null ? "--image" : "--claim"));
    }
    if (kubernetes && oriel != null) {
      throw wrong("an option of Slurm: option=--oriel; leave it out, the image has the command");
    }
    if (kubernetes && image == null) {
      throw wrong("no image: option=--image; name the image that has the oriel command");
    }
    if (image != null && !IMAGE.matcher(image).matches()) {
      throw wrong(
          "not an image: option=--image, value=%s; write NAME:TAG or NAME@DIGEST".formatted(image));
    }
    if (!CLAIM.matcher(claim()).matches()) {
      throw wrong(
          "not a claim: option=--claim, value=%s; use lower-case letters, digits, - and ."
              .formatted(claim));
    }
    if (oriel != null && oriel.isEmpty()) {
      throw wrong("no command: option=--oriel; give a path, or leave the option out");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  int parts() {
    return parts;
  }

  /** Whether it is Slurm; otherwise it is Kubernetes. */
  boolean slurm() {
    return slurm;
  }

  String image() {
    return image == null ? "" : image;
  }

  String claim() {
    return claim == null ? "oriel" : claim;
  }

  /** The command on the nodes. */
  String oriel() {
    return oriel == null ? System.getProperty("oriel.command", "oriel") : oriel;
  }
}
