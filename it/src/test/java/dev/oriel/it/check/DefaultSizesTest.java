package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters that count lanes or turns are small by default; other sizes are 1,000. */
class DefaultSizesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lane w(i < A): sm(32) { sync }                                |           | A=4
          lane w(i < C, j < A): sm(32) { sync }                         |           | A=1,C=4
          lane w(i < ceil(A, 100)): sm(32) { sync }                     |           | A=1000
          lane w(i < A): sm(32) { sync }                                | A=40      | A=40
          lane w: sm(32) { for a < A { sync } }                         |           | A=1000
          lane w: sm(32) { for a < A { for b < C { sync } } }           |           | A=4,C=4
          lane w: sm(32) { for a < A { for b < C { sync } } }           | A=1000    | A=1000,C=4
          lane w: sm(32) { for a < A { for b < 3 { sync } } }           |           | A=4
          """)
  void parametersThatCountAreSmall(String lane, String set, String values) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("counts.oriel"),
            "form counts\nparam A <= 4000\nparam C <= 4000\nscratch c[8]\n" + lane + "\n");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Stream<String> words = Stream.of("check", file.toString(), "--world", "1x2", "--launches", "1");
    Stream<String> more = set == null ? Stream.of() : Stream.of("--set", set);
    int exit =
        Main.run(
            Stream.concat(words, Stream.concat(Stream.of("--verbose"), more))
                .toArray(String[]::new),
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    assertThat(exit).as("%s %s", out, err).isEqualTo(ExitCodes.FINE);
    String program = out.toString().lines().findFirst().orElseThrow();
    for (String value : List.of(values.split(","))) {
      assertThat(program).containsPattern("\\b" + value.replace("=", "=[0-9., ]*\\b") + "\\b");
    }
  }
}
