package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.oriel.it.options.ExitCodes;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every command has a page, and its page has every option. */
class ManCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private static void commands(CommandLine command, List<CommandLine> into) {
    into.add(command);
    command.getSubcommands().values().forEach(inner -> commands(inner, into));
  }

  @Test
  void everyCommandHasAPageWithItsOptions() throws IOException {
    Path pages = folder.resolve("share").resolve("man1");
    assertThat(oriel("man", "--to", pages.toString())).as(err.toString()).isZero();
    List<CommandLine> commands = new ArrayList<>();
    commands(new CommandLine(new Main()), commands);
    assertThat(commands).hasSizeGreaterThan(25);
    assertThat(out.toString()).contains("%d pages in %s".formatted(commands.size(), pages));
    for (CommandLine command : commands) {
      String name = command.getCommandSpec().qualifiedName("-");
      String page = Files.readString(pages.resolve(name + ".1")).replace("\\-", "-");
      assertThat(page).startsWith(".TH ").contains(".SH NAME\n" + name + " - ");
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (!option.hidden()) {
          assertThat(page).as(name).contains("\n.B " + String.join(", ", option.names()));
        }
      }
      assertThat(page).as(name).doesNotContain("${");
    }
    try (Stream<Path> files = Files.list(pages)) {
      assertThat(files.count()).isEqualTo(commands.size());
    }
  }

  /** The formatter of the manual itself accepts each page without a warning. */
  @Test
  void groffAcceptsEachPage() throws Exception {
    boolean there =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "groff")));
    assumeThat(there).as("groff is not installed").isTrue();
    assertThat(oriel("man", "--to", folder.toString())).isZero();
    for (String page : List.of("oriel.1", "oriel-check.1", "oriel-bench-plan.1")) {
      Process groff =
          new ProcessBuilder(
                  "groff", "-man", "-Tutf8", "-z", "-ww", folder.resolve(page).toString())
              .redirectErrorStream(true)
              .start();
      String printed = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(groff.waitFor()).isZero();
      assertThat(printed).isEmpty();
    }
  }

  @Test
  void wrongFoldersAreRefused() throws IOException {
    assertThat(oriel("man")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("--to");
    Path file = Files.writeString(folder.resolve("file"), "kept");
    assertThat(oriel("man", "--to", file.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("cannot make a folder: path=" + file);
    assertThat(file).hasContent("kept");
  }
}
