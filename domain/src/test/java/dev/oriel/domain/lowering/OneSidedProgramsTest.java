package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small programs of one-sided calls, correct and racy. The first line of each says which it is. If
 * links with mapped memory order more than the language promises, the second line says so.
 */
class OneSidedProgramsTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "onesided");

  static Stream<String> programs() {
    return texts().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyProgramHasAnExpectedVerdictAndCanBeLowered(String name) {
    String text = texts().getOrDefault(name, "");
    assertThat(text.lines().toList().getFirst()).matches("-- expect: (race|none|writers: .+)");
    Form form = FormParser.parse(text);
    assertThat(form.name() + ".oriel").isEqualTo(name);
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
    for (int world : new int[] {2, 3}) {
      assertThat(Program.bind(form, world, Map.of()).world()).isEqualTo(world);
    }
    for (PeerKind kind : Set.of(PeerKind.RDMA, PeerKind.NVLINK)) {
      assertThat(FormLowering.lower(form, Set.of(kind)).lanes()).hasSameSizeAs(form.lanes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"race", "none"})
  void bothVerdictsOccurOften(String verdict) {
    assertThat(texts().values())
        .filteredOn(text -> text.startsWith("-- expect: " + verdict))
        .hasSizeGreaterThan(10);
  }

  @Test
  void onlyRacesMayDependOnTheLinks() {
    assertThat(texts().values())
        .filteredOn(text -> text.contains("-- over NVLink: none"))
        .allMatch(text -> text.startsWith("-- expect: race\n-- over NVLink: none\n"));
  }

  private static Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
