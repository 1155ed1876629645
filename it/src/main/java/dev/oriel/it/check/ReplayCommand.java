package dev.oriel.it.check;

import dev.oriel.domain.program.Form;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.FormOptions;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.terminal.Terminal;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.search.TokenReplay;
import dev.oriel.sim.trace.InterleavingTable;
import dev.oriel.sim.trace.PictureFiles;
import dev.oriel.sim.trace.TraceRecording;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel replay}: repeats exactly the execution that a token names. */
@Command(
    name = "replay",
    description = "Execute once more exactly what a token names, and show every step.",
    mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "TOKEN", description = "the line that check printed")
  private String token = "";

  @Parameters(
      index = "1",
      paramLabel = "PROGRAM",
      description =
          "the program of the token: a path, - for standard input, a program of the library, or museum:ROW")
  private String name = "";

  @Mixin private FormOptions made = new FormOptions();

  @Option(
      names = "--picture",
      converter = OptionSpellings.NewPicture.class,
      paramLabel = "FILE",
      description = "draw the execution: .txt, .json (Perfetto), .shiviz, .html")
  private @Nullable Path picture;

  @Override
  public Integer call() throws IOException {
    ReplayToken parsed = ReplayToken.parse(token);
    Form form = form(parsed);
    TokenReplay.ReplayedExecution played = TokenReplay.play(parsed, form);
    PrintWriter out = spec.commandLine().getOut();
    Optional<SourceText> source = made.source(name, form);
    TraceRecording recording =
        source.map(text -> text.in(played.recording(), name)).orElse(played.recording());
    int width = Terminal.of(spec).width(InterleavingTable.DEFAULT_WIDTH);
    out.print(new InterleavingTable(width, InterleavingTable.DEFAULT_ROWS).text(recording));
    Optional<Finding> finding = played.finding();
    played.cut().ifPresent(bound -> out.println("bounded  " + bound));
    out.println(
        finding
            .map(f -> "verdict  VIOLATION (%s)".formatted(f.kind().word()))
            .orElse(
                "verdict  nothing found in this execution"
                    + (played.cut().isEmpty() ? "" : " within the bound above")));
    new PlaceLines(source).print(played.places(), recording, out);
    if (picture != null) {
      PictureFiles.write(recording, picture);
      out.println("picture  " + picture);
    }
    return finding.isPresent() ? ExitCodes.VIOLATION : ExitCodes.FINE;
  }

  /** Of several forms the one that the token names; the last one says why none is. */
  private Form form(ReplayToken parsed) {
    List<Form> forms = made.forms(name);
    return forms.stream().filter(parsed::names).findFirst().orElseGet(forms::getLast);
  }
}
