package dev.oriel.it;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Which program, in which world, with which parameters: the options of every command that has one.
 */
final class ProgramOptions {
  private static final Map<String, String> SHIPPED =
      new TreeMap<>(
          Map.of(
              "allgather", "ll_all_gather",
              "sendrecv", "ring_send_recv",
              "ring", "ring_all_gather",
              "log", "log_all_gather"));

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description = "allgather, sendrecv, ring, log, or the path of a program text")
  private String name = "";

  @Option(
      names = "--world",
      paramLabel = "HxG",
      defaultValue = "1x2",
      description = "hosts x GPUs per host, such as 2x4 (default: ${DEFAULT-VALUE})")
  private String world = "";

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "value of a program parameter, such as B=1024 (default: its maximum; 1000 at most under check)")
  private Map<String, String> values = new TreeMap<>();

  Form form() {
    return Parser.parse(text());
  }

  Topology topology() {
    return Topology.parse(world);
  }

  Program bind() {
    return bind(Long.MAX_VALUE);
  }

  /** The program; a parameter that is not given takes its maximum, but at most {@code most}. */
  Program bind(long most) {
    Map<String, Long> params = new TreeMap<>();
    form().params().forEach(p -> params.put(p.name(), Math.min(p.max(), most)));
    values.forEach((param, value) -> params.put(param, number(param, value)));
    return Program.bind(form(), topology().world(), params);
  }

  private long number(String param, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(),
          "not a number: option=--set, parameter=%s, value=%s; give a whole number"
              .formatted(param, value));
    }
  }

  /** The program that comes along under that name. */
  static Form shipped(CommandSpec spec, String name) {
    String shipped = SHIPPED.get(name);
    if (shipped == null) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown program: name=%s; give one of %s"
              .formatted(name, String.join(", ", SHIPPED.keySet())));
    }
    try {
      return Parser.parse(resource(shipped));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text() {
    String shipped = SHIPPED.get(name);
    try {
      return shipped == null ? file(Path.of(name)) : resource(shipped);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot read the program: path=%s, reason=%s; check the path".formatted(name, e));
    }
  }

  private static String resource(String shipped) throws IOException {
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + shipped + ".oriel")) {
      if (in == null) {
        throw new ProgramException("shipped program is missing: name=" + shipped + "; reinstall");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String file(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown program: name=%s; give a path, or one of %s"
              .formatted(name, String.join(", ", SHIPPED.keySet())));
    }
    return Files.readString(path);
  }
}
