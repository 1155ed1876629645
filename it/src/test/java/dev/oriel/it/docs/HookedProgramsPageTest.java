package dev.oriel.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.AttachedHook;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.tuning.ProgramLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on hooks lists exactly the programs that take one. */
class HookedProgramsPageTest {
  private static final Path PAGE = Path.of("docs", "howto", "write-a-hook.md");
  private static final Pattern NAME = Pattern.compile("`([a-z0-9-]+)`");
  private static final HookForm HOOK = FormParser.hook("hook h(in0: i32) -> i32 = in0 + 7:i32");

  /** The names of a row of the table. */
  private static List<String> row(String label) throws IOException {
    String row =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| " + label + " |"))
            .findFirst()
            .orElseThrow();
    return NAME.matcher(row)
        .results()
        .map(MatchResult::group)
        .map(s -> s.replace("`", ""))
        .toList();
  }

  private static Stream<String> taking(UnaryOperator<Form> hooked) {
    return ShippedProgram.ALL.stream()
        .map(ShippedProgram::name)
        .filter(name -> takes(ProgramLibrary.form(name), hooked));
  }

  private static boolean takes(Form form, UnaryOperator<Form> hooked) {
    try {
      Program.bind(hooked.apply(form), 2, ShippedPrograms.params(form, 96, 0));
      return true;
    } catch (ProgramException refused) {
      return false;
    }
  }

  @Test
  void theTableNamesExactlyThese() throws IOException {
    List<String> both = row("input and output");
    assertThat(taking(form -> AttachedHook.onOutput(form, "out", HOOK)))
        .containsExactlyInAnyOrderElementsOf(both);
    assertThat(taking(form -> AttachedHook.onInput(form, "in", HOOK)))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(both.stream(), row("input").stream()).toList());
  }
}
