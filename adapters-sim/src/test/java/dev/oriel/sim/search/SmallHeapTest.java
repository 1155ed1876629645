package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A search in a heap that is too small ends with a verdict with figures. If not even the first step
 * fits, it ends with a rejection with figures. It never ends with an error or a violation.
 */
class SmallHeapTest {

  @ParameterizedTest
  @Sampled(every = 4)
  @Timeout(120)
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          synchronisation | 12m | holds=true bounds=\\[synchronisation: stopped at states=\\d{4,}, steps=\\d+ by the limit of memory; .*
          full            | 12m | holds=true bounds=\\[full: stopped at states=\\d{3,}, steps=\\d+ by the limit of memory; .*
          symmetric       | 12m | holds=true bounds=\\[full: stopped at states=\\d{2,}, steps=\\d+ by the limit of memory; .*
          faults          | 12m | holds=true bounds=\\[full: stopped at states=\\d{2,}, steps=\\d+ by the limit of memory; .*
          random          | 16m | holds=true bounds=\\[drawn: .*] executions=3000
          wide            | 24m | refused environment=true the heap is full: max=\\d+ bytes; .*
          launches        | 64m | holds=true bounds=\\[memory: stopped at executions=1, steps=\\d{4,}: the heap is full: .*
          long            | 16m | wrong byte: .*; the execution is too long to be recorded in a heap of \\d+ bytes; .*
          ranks           | 32m | holds=true bounds=\\[memory: stopped at executions=1, steps=\\d+: the heap is full: max=\\d+ bytes; .* not tried: window] executions=1
          states          | 12m | .*answer=undecided.*bounds=\\[stopped by memory at executions=\\d{3,}, states=\\d{3,}; .*
          moments         | 12m | .*answer=forbidden.*bounds=\\[].*detail=memory.*
          time            | 16m | refused environment=true out of memory in virtual time: lanes=16384, .*
          museum          | 24m | complaints=\\[]
          """)
  void everySearchEndsWithFigures(String search, String heap, String said) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                search.equals("launches") ? "-XX:+UseG1GC" : "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LargeSearches.class.getName(),
                search)
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .matches(said.strip() + "\\R");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
