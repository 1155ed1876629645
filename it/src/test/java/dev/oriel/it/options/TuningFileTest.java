package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.TuningStore;
import dev.oriel.ports.contract.TuningStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
  void noOtherFileIsLeft() throws IOException {
    open().keep("a", "one");
    assertThat(Files.readString(file())).isEqualTo("a\tone\n");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"alone", "a\tb\tc", "\tb", "a\t", "a\t\\x", "a\t\\"})
  void anInvalidLineIsAnError(String line) throws IOException {
    Files.writeString(file(), "a\tone\n" + line + "\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("no choice: path=" + file() + ", line=2;");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLinkAndPermissionsAreKept() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), file());
    Files.writeString(file(), "a\tone\n");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    new TuningFile(link).keep("b", "two");
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file())).isEqualTo("a\tone\nb\ttwo\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-r--r--");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void otherThanRegularFilesAreRejected() throws IOException {
    Path nowhere = Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("gone"));
    for (Path path : List.of(nowhere, folder, Path.of("/dev/null"))) {
      assertThatThrownBy(() -> new TuningFile(path))
          .isInstanceOf(MachineException.class)
          .hasMessage("choices are kept in a regular file: path=" + path + "; name another file");
    }
  }
}
