package dev.oriel.it.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The action for GitHub: its own step runs here as a runner would run it; the others need a
 * network.
 */
@EnabledOnOs(
    value = {OS.LINUX, OS.MAC},
    disabledReason = "the step is written for bash")
class ActionTest {
  private static final Path ACTION = Path.of("action", "action.yml");
  private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs\\.(\\w+) }}");

  private static final Pattern USE = Pattern.compile("inputs\\.(\\w+)");

  private static final String FINE =
      """
      form fine
      input in[8]
      output out[8]
      ensure out[0] = in[0] bytes 8
      lane m: sm(32) { move out[0] <- in[0] bytes 8 }
      """;

  @TempDir private Path folder;

  private static List<String> lines() throws IOException {
    return Files.readAllLines(ACTION);
  }

  /** The script of the only step that has one. */
  private static String script() throws IOException {
    List<String> lines = lines();
    int run = lines.indexOf("      run: |");
    assertThat(run).isPositive();
    return lines.subList(run + 1, lines.size()).stream()
        .takeWhile(line -> line.startsWith("        "))
        .map(String::strip)
        .collect(Collectors.joining("\n"));
  }

  /** The step's variables, with the inputs in place of the expressions. */
  private static Map<String, String> variables(Map<String, String> inputs) throws IOException {
    Map<String, String> variables = new TreeMap<>();
    for (String line : lines()) {
      Matcher input = INPUT.matcher(line);
      if (line.startsWith("        ORIEL_") && input.find()) {
        variables.put(line.strip().split(":", 2)[0], inputs.get(input.group(1)));
      }
    }
    assertThat(variables).hasSize(5);
    return variables;
  }

  private int step(String path, String arguments) throws Exception {
    return step(path, arguments, "");
  }

  private int step(String path, String arguments, String image) throws Exception {
    Path command =
        Files.writeString(
            folder.resolve("oriel"),
            "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' dev.oriel.it.Main \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    System.getProperty("java.class.path")));
    assertThat(command.toFile().setExecutable(true)).isTrue();
    ProcessBuilder bash =
        new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script())
            .directory(folder.toFile())
            .redirectErrorStream(true);
    bash.environment().put("ORIEL", command.toString());
    bash.environment()
        .putAll(
            variables(
                Map.of(
                    "path",
                    path,
                    "arguments",
                    arguments,
                    "sarif",
                    "oriel.sarif",
                    "junit",
                    "oriel-junit.xml",
                    "image",
                    image)));
    bash.environment().merge("PATH", folder.toString(), (path0, mine) -> mine + ":" + path0);
    Process process = bash.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assertThat(printed).isNotEmpty();
    return code;
  }

  @ParameterizedTest
  @CsvSource({"'', 0, 0", "--world 1x2 --launches 1, 0, 0", "--frobnicate, 2, -1"})
  void theStepChecksAText(String arguments, int code, int results) throws Exception {
    Files.writeString(folder.resolve("fine one.oriel"), FINE);
    assertThat(step("fine one.oriel", arguments)).isEqualTo(code);
    Path sarif = folder.resolve("oriel.sarif");
    assertThat(Files.exists(sarif)).isEqualTo(results >= 0);
    if (results >= 0) {
      assertThat(SarifStructure.results(Files.readString(sarif))).hasSize(results);
      assertThat(folder.resolve("oriel-junit.xml")).isNotEmptyFile();
    }
  }

  /** The findings of a folder have paths that the repository knows. */
  @Test
  void aViolationFailsTheStep() throws Exception {
    Path programs = Files.createDirectories(folder.resolve("programs"));
    Files.writeString(programs.resolve("fine.oriel"), FINE);
    Files.writeString(
        programs.resolve("wrong.oriel"), FINE.replace("<- in[0] bytes 8", "<- in[0] bytes 4"));
    assertThat(step("programs", "")).isEqualTo(1);
    assertThat(SarifStructure.results(Files.readString(folder.resolve("oriel.sarif"))))
        .singleElement()
        .satisfies(result -> assertThat(result.uri()).isEqualTo("programs/wrong.oriel"));
  }

  /** A stand-in for the engine notes its arguments and runs the command in the mounted folder. */
  @Test
  void anImageChecksTheMountedFolder() throws Exception {
    Files.writeString(folder.resolve("fine.oriel"), FINE);
    Path engine =
        Files.writeString(
            folder.resolve("docker"),
            "#!/bin/sh\necho \"$1 $2 $3 $4 $5\" >engine.txt\nshift 5\nexec ./oriel \"$@\"\n");
    assertThat(engine.toFile().setExecutable(true)).isTrue();
    assertThat(step("fine.oriel", "--world 1x2", "oriel:0.1.0")).isZero();
    assertThat(folder.resolve("engine.txt"))
        .content()
        .isEqualTo("run --rm --volume %s:/work oriel:0.1.0\n".formatted(folder.toRealPath()));
    assertThat(SarifStructure.results(Files.readString(folder.resolve("oriel.sarif")))).isEmpty();
  }

  /** What can be checked without a container engine. */
  @Test
  void theContainerFileFitsTheCheckout() throws IOException {
    List<String> lines = Files.readAllLines(ACTION.resolveSibling("Containerfile"));
    String release =
        Files.readAllLines(Path.of("..", "pom.xml")).stream()
            .filter(line -> line.contains("<maven.compiler.release>"))
            .map(line -> line.replaceAll("\\D", ""))
            .findFirst()
            .orElseThrow();
    assertThat(lines)
        .contains("FROM maven:3-eclipse-temurin-%s AS build".formatted(release))
        .contains("COPY . .", "COPY --from=build /bundle /oriel", "WORKDIR /work")
        .contains("ENTRYPOINT [\"/oriel/oriel\"]");
    assertThat(lines)
        .filteredOn(line -> line.startsWith("RUN "))
        .singleElement()
        .asString()
        .endsWith("./oriel bundle /bundle");
    assertThat(Files.readString(ACTION)).contains("an image made from it/action/Containerfile");
  }

  /** Each expression names an input that exists, and each input is used. */
  @Test
  void inputsAreDeclaredAndUsed() throws IOException {
    String text = Files.readString(ACTION);
    List<String> declared =
        lines().stream()
            .takeWhile(line -> !line.startsWith("runs:"))
            .filter(line -> line.matches("  \\w+:"))
            .map(line -> line.strip().replace(":", ""))
            .toList();
    List<String> used = USE.matcher(text).results().map(m -> m.group(1)).distinct().toList();
    assertThat(used).containsExactlyInAnyOrderElementsOf(declared);
    assertThat(Path.of("action", "..", "..", "oriel")).isExecutable();
  }
}
