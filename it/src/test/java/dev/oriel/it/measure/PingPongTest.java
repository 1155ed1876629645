package dev.oriel.it.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.it.Main;
import dev.oriel.it.PtxAssembler;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The timed round trips are explored, a few of them in place of a thousand. */
class PingPongTest {
  @TempDir Path folder;

  private int check(String text, String... options) throws IOException {
    String few = text.replace("let K = " + BenchSubject.TRIPS, "let K = 2");
    assertThat(few).isNotEqualTo(text);
    List<String> all = new ArrayList<>(List.of("check"));
    all.add(Files.writeString(folder.resolve("few.oriel"), few).toString());
    all.addAll(List.of(options));
    PrintWriter nowhere = new PrintWriter(new StringWriter(), true);
    return Main.run(all.toArray(String[]::new), nowhere, nowhere);
  }

  @ParameterizedTest
  @ValueSource(strings = {"put-signal", "pkt16", "line128"})
  void roundTripsHold(String name) throws IOException {
    assertThat(check(BenchSubject.pingPong(name), "--world", "1x2", "--bytes", "8")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"put-signal", "pkt16", "line128"})
  void theirKernelsAssemble(String name) {
    assumeTrue(PtxAssembler.absence().isEmpty(), PtxAssembler.absence());
    LoweredForm lowered =
        FormLowering.lower(FormParser.parse(BenchSubject.pingPong(name)), Set.of(PeerKind.NVLINK));
    for (PtxTarget target : PtxTarget.values()) {
      String ptx = new PtxCompiler(target).compile(lowered).ptx();
      assertThat(PtxAssembler.complaint(ptx, target.spelling())).as("%s", target).isEmpty();
    }
  }

  /** A reply that does not acquire its request sends old bytes. */
  @Test
  void aReplyThatDoesNotAcquireIsFound() throws IOException {
    String text = BenchSubject.pingPong("put-signal");
    int reply = text.lastIndexOf(" acquire");
    String broken = text.substring(0, reply) + " relaxed" + text.substring(reply + 8);
    assertThat(check(broken, "--world", "1x2", "--bytes", "8")).isOne();
  }
}
