package dev.oriel.it.show;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.explain.LaunchExplanation;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.JsonOption;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trace.PictureFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel explain}: describes a program's lanes, and why each wait ends. */
@Command(
    name = "explain",
    description =
        "Print what each lane of a rank does, with values. For each wait, name the agent that ends it and the bytes that it covers.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints:%n",
    footer = {
      "  name, world, params, digest  the program",
      "  launch                       always 1: the first launch",
      "  ranks                        for each rank: rank, lanes",
      "    lane, engine, steps        its name, what executes it, and its operations in order:",
      "      text, reasons            with values; why the lane continues, if it waits"
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final int SMALL = 1000;
  private static final String ALL = "all";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--rank",
      paramLabel = "R",
      defaultValue = "0",
      description = "the rank whose lanes are printed, or all (default: ${DEFAULT-VALUE})")
  private String rank = "";

  @Option(
      names = "--picture",
      converter = OptionSpellings.NewPicture.class,
      paramLabel = "FILE",
      description = "draw one execution: .html, .txt, .json (Perfetto) or .shiviz")
  private @Nullable Path picture;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    Program program = options.bind(SMALL);
    PrintWriter out = spec.commandLine().getOut();
    LaunchExplanation explanation = new LaunchExplanation(program);
    IntStream ranks = ranks(program.world());
    if (json.on()) {
      json.print(new ExplainJson(program, options.world(), explanation).of(ranks), out);
    } else {
      out.printf("program  %s, %s%n", program.form().name(), program.params());
      out.println("launch   the first; a loaded word is taken to be its bound");
      ranks.forEach(r -> explanation.rank(r, out::println));
    }
    if (picture != null) {
      Checker checker =
          new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1));
      PictureFiles.write(checker.first(program, options.topology()), picture);
      if (!json.on()) {
        out.println("picture  " + picture);
      }
    }
    return ExitCodes.FINE;
  }

  private IntStream ranks(int world) {
    if (rank.equals(ALL)) {
      return IntStream.range(0, world);
    }
    try {
      int one = Integer.parseInt(rank);
      if (0 <= one && one < world) {
        return IntStream.of(one);
      }
    } catch (NumberFormatException e) {
      // Reported below, as for a number that is no rank.
    }
    throw new ParameterException(
        spec.commandLine(),
        "no such rank: option=--rank, value=%s, world=%d; give 0 to %d, or all"
            .formatted(rank, world, world - 1));
  }
}
