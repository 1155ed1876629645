package dev.oriel.it.options;

import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.tuning.ShippedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The places of the caller's memory: the options of every command that has a program. */
final class PlaceOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--in-place",
      description =
          "use one buffer for input and output; the rank's contribution is at the place of its result")
  private boolean inPlace;

  @Option(
      names = "--offset",
      paramLabel = "[BUFFER=]BYTES",
      description =
          "start one buffer of the caller, or all, N bytes after a multiple of 16, such as out=4")
  private List<String> offsets = new ArrayList<>();

  /** Whether input and output are one buffer. */
  boolean inPlace() {
    return inPlace;
  }

  /** The form with the requested offsets alone. */
  Form offset(Form form) {
    return BufferOffsets.of(form, offsets(form));
  }

  /** The form with its buffers in the requested places. */
  Form placed(Form form, boolean shipped) {
    if (inPlace && shipped) {
      ShippedProgram.ofForm(form.name())
          .filter(program -> !program.apart().isEmpty())
          .ifPresent(program -> {
            throw new ParameterException(
                spec.commandLine(),
                "no form in place: program=%s, reason=%s; leave out --in-place, or name another program"
                    .formatted(program.name(), program.apart()));
          });
    }
    return offset(inPlace ? InPlace.of(form) : form);
  }

  /** The requested offset of each buffer that has one. */
  Map<String, Long> offsets(Form form) {
    Map<String, Long> all = new TreeMap<>();
    for (String text : offsets) {
      int at = text.indexOf('=');
      long bytes = bytes(text.substring(at + 1));
      all.putAll(
          at < 0 ? BufferOffsets.everywhere(form, bytes) : Map.of(text.substring(0, at), bytes));
    }
    return all;
  }

  private long bytes(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(),
          "not a number: option=--offset, value=%s; give BYTES for every buffer, or BUFFER=BYTES"
              .formatted(text));
    }
  }
}
