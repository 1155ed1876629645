package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results that were not written are no success. */
final class StandardOutTest {
  @ParameterizedTest
  @CsvSource({"No space left on device,true", "Bad file descriptor,true", "Broken pipe,false"})
  void aClosedPipeIsNoFailure(String reason, boolean lost) {
    StandardOut out =
        new StandardOut(
            new OutputStream() {
              @Override
              public void write(int octet) throws IOException {
                throw new IOException(reason);
              }
            });
    PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
    writer.println("a verdict");
    writer.println("and more");
    assertThat(out.lost().isPresent()).isEqualTo(lost);
    assertThat(out.lost().orElse(reason)).isEqualTo(reason);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskEndsTheCommandWithAReason() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "show",
                "barrier")
            .redirectOutput(new File("/dev/full"))
            .start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said.toLowerCase(Locale.ROOT)).contains("results are lost: reason=no space left");
    assertThat(process.exitValue()).isEqualTo(3);
  }
}
