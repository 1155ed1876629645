package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the lowered steps of lanes with files that people read. After an intended change,
 * regenerate them with {@code -Doriel.golden=write} and read the difference.
 */
class GoldenStepsTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  static Stream<Arguments> cases() {
    List<Set<PeerKind>> worlds =
        List.of(
            Set.of(PeerKind.NVLINK), Set.of(PeerKind.RDMA), Set.of(PeerKind.NVLINK, PeerKind.RDMA));
    return Stream.of("ll_all_gather", "ring_send_recv", "everything")
        .flatMap(name -> worlds.stream().map(kinds -> Arguments.of(name, kinds)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void lanesMatchTheGoldenFiles(String name, Set<PeerKind> kinds) throws IOException {
    LoweredForm lowered = FormLowering.lower(form(name), kinds);
    String links =
        new TreeSet<>(kinds)
            .stream().map(k -> k.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining("_"));
    Path golden = FOLDER.resolve(name + "." + links + ".txt");
    if ("write".equals(System.getProperty("oriel.golden"))) {
      Files.writeString(golden, lowered.print());
    }
    assertThat(lowered.print()).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
  }

  private static Form form(String name) throws IOException {
    return ShippedText.NAMES.contains(name)
        ? ShippedText.form(name)
        : FormParser.parse(Files.readString(FOLDER.resolve(name + ".oriel")));
  }
}
