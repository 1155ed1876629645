package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.TuningStore;
import dev.oriel.ports.contract.TuningStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TuningFileTest extends TuningStoreContract {
  @TempDir private Path folder;

  TuningFileTest() {
    super(Set.of());
  }

  @Override
  protected TuningStore open() {
    return new TuningFile(file());
  }

  private Path file() {
    return folder.resolve("choices");
  }

  @Test
  void nothingIsLeftBesideTheFile() throws IOException {
    open().keep("a", "one");
    assertThat(Files.readString(file())).isEqualTo("a\tone\n");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"alone", "a\tb\tc", "\tb", "a\t", "a\t\\x", "a\t\\"})
  void aLineThatWasNotWrittenHereIsAnError(String line) throws IOException {
    Files.writeString(file(), "a\tone\n" + line + "\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("no choice: path=" + file() + ", line=2;");
  }
}
