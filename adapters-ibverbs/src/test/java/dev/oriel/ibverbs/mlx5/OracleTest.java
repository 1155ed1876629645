package dev.oriel.ibverbs.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.CPrograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A million random cases have the bytes that C produces with the structures of {@code mlx5dv.h}.
 * The C program's output is stored: only the comparison with a new run of it needs a compiler and
 * headers.
 */
class OracleTest {
  private static final String FILE = "/mlx5/oracle.txt";

  /** The arguments of {@code mlx5.c}: seed, cases, number of cases to print. */
  private static final String ASKED = "1 1000000 2000";

  private static final int CASES = 1_000_000;
  private static final long FIRST = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final List<String> kept = kept();
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(64);

  @Test
  void aMillionCasesHaveTheBytesOfTheCProgram() {
    DrawnCase.Source source = new DrawnCase.Source(1);
    byte[] block = new byte[64];
    long hash = FIRST;
    for (int i = 0; i < CASES; i++) {
      DrawnCase drawn = source.next();
      write(drawn, block);
      if (i < kept.size() - 1) {
        assertThat(HexFormat.of().formatHex(block))
            .as("case %d: %s", i, drawn)
            .isEqualTo(kept.get(i));
      }
      for (byte b : block) {
        hash = (hash ^ (b & 0xff)) * PRIME;
      }
    }
    assertThat(HexFormat.of().toHexDigits(hash)).isEqualTo(kept.getLast());
  }

  @Test
  void aMillionCasesDecodeToThemselves() {
    DrawnCase.Source source = new DrawnCase.Source(2);
    for (int i = 0; i < CASES; i++) {
      DrawnCase drawn = source.next();
      write(drawn, new byte[64]);
      DrawnCase read = drawn.read(bytes);
      if (!read.equals(drawn)) {
        assertThat(read).as("case %d", i).isEqualTo(drawn);
      }
    }
  }

  @Test
  void storedOutputIsThatOfTheCProgram() throws Exception {
    assertThat(kept).hasSize(2001).isEqualTo(CPrograms.run("mlx5.c", ASKED));
  }

  private void write(DrawnCase drawn, byte[] block) {
    for (int i = 0; i < 64; i += 8) {
      bytes.putLong(i, 0);
    }
    drawn.write(bytes);
    bytes.get(0, block);
  }

  private static List<String> kept() {
    try (var in = Objects.requireNonNull(OracleTest.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
