package dev.oriel.it;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
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
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description =
          "allgather, push-allgather, alltoall, push-alltoall, barrier, sendrecv, push-sendrecv, ring, log, museum:ROW, museum:ROW/twin, or the path of a program text")
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
    return ProgramTexts.form(spec, name);
  }

  Topology topology() {
    return Topology.parse(world);
  }

  /** The world as it was written. */
  String world() {
    return world;
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
}
