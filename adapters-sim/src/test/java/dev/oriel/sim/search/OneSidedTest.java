package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shapes of one-sided race suites, each with the verdict that its first line states. */
class OneSidedTest {
  private static final Path FOLDER = Path.of("../domain/src/test/resources/onesided");

  static Stream<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(f -> String.valueOf(f.getFileName())).sorted().toList().stream();
    }
  }

  private static String found(Form form, String shape) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(form, topology.world(), Map.of());
    Verdict verdict =
        new Checker(
                Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.RDMA_STRICT, 2))
            .check(program, topology);
    return verdict.violation().map(v -> v.kind() + ": " + v.message()).orElse("none");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyProgramHasTheVerdictOfItsFirstLine(String name) throws IOException {
    List<String> lines = Files.readAllLines(FOLDER.resolve(name));
    Form form = FormParser.parse(String.join("\n", lines));
    String expected = lines.get(0).replace("-- expect: ", "");
    String nvlink =
        lines.get(1).startsWith("-- over NVLink: ")
            ? lines.get(1).replace("-- over NVLink: ", "")
            : expected;
    for (int n = 2; n <= 3; n++) {
      assertThat(found(form, n + "x1")).as("%s %dx1", name, n).startsWith(expected);
      assertThat(found(form, "1x" + n)).as("%s 1x%d", name, n).startsWith(nvlink);
    }
  }
}
