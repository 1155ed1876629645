package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Long work prints a message that it is in progress; short work prints none. */
class ProgressReporterTest {
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private PrintWriter err() {
    return new PrintWriter(
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) {
            String written = new String(text, from, length).strip();
            if (!written.isEmpty()) {
              said.add(written);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  @Test
  void theMessageIsRepeatedDuringTheWork() throws InterruptedException {
    try (ProgressReporter _ = new ProgressReporter(err(), "launches=9", Duration.ofMillis(1))) {
      for (int i = 0; i < 3; i++) {
        assertThat(said.poll(20, TimeUnit.SECONDS)).contains("still under way", "launches=9");
      }
    }
  }

  @Test
  void aPersonSeesProgressSoonerThanALogFile() {
    Terminal person = Terminal.of(InputStream.nullInputStream(), Map.of(), true);
    assertThat(ProgressReporter.first(person)).isEqualTo(Duration.ofSeconds(2));
    assertThat(ProgressReporter.first(Terminal.none())).isEqualTo(Duration.ofSeconds(30));
  }

  /** It ends before the first message is due; on a slow machine the message is due later. */
  @Test
  void shortWorkGivesNoMessage() throws InterruptedException {
    long first = 100_000_000;
    long start = System.nanoTime();
    new ProgressReporter(err(), "launches=9", Duration.ofNanos(first)).close();
    while (System.nanoTime() - start >= first) {
      first *= 2;
      said.clear();
      start = System.nanoTime();
      new ProgressReporter(err(), "launches=9", Duration.ofNanos(first)).close();
    }
    assertThat(said.poll(3 * first, TimeUnit.NANOSECONDS)).isNull();
  }
}
