package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PictureFilesTest {
  private static final String[] SUFFIXES = {".txt", ".json", ".shiviz", ".log", ".html"};

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "a.txt, program",
    "a.JSON, {",
    "a.b.shiviz, (?<host>",
    "a.log, (?<host>",
    "a.html, <!DOCTYPE html>"
  })
  void theSuffixChoosesThePicture(String name, String start) throws IOException {
    Path file = folder.resolve(name);
    PictureFiles.write(SampleTraces.race(), file);
    assertThat(Files.readString(file)).startsWith(start);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.png", "a", "html", "a.html.gz", "..."})
  void anUnknownSuffixIsRejectedAndNothingWritten(String name) {
    Path file = folder.resolve(name);
    assertThatThrownBy(() -> PictureFiles.write(SampleTraces.race(), file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no picture has that suffix: file=")
        .hasMessageContaining(name + "; end it in .txt");
    assertThat(file).doesNotExist();
  }

  @Test
  void hostileTextsCanBeWritten() throws IOException {
    for (String suffix : SUFFIXES) {
      Path file = folder.resolve("hostile" + suffix);
      PictureFiles.write(SampleTraces.hostile(), file);
      assertThat(file).isNotEmptyFile();
    }
  }

  @Test
  void theLocaleChangesNothing() {
    Locale before = Locale.getDefault();
    TraceRecording ring = SampleTraces.ring(16, true);
    try {
      for (String suffix : SUFFIXES) {
        TracePicture picture = PictureFiles.of(Path.of("x" + suffix));
        Locale.setDefault(Locale.ROOT);
        String expected = picture.text(ring);
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat(picture.text(ring)).isEqualTo(expected);
      }
    } finally {
      Locale.setDefault(before);
    }
  }
}
