package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.group.GroupText;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.BulkGather;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PtxCompilerTest {
  /** Set to rewrite the reviewed files: {@code -Doriel.golden=write}. */
  private static final boolean WRITE = "write".equals(System.getProperty("oriel.golden"));

  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  /** Every operation and operator that has a PTX form, in one program. */
  private static final String EVERYTHING =
      """
      form everything
      param B <= 4096
      input in[B]
      input words[64]
      output out[n * B]
      scratch pad[2 * n * 16384]
      scratch notes[64]
      signal S[4]
      signal T[2]
      lane main(a < 2, b < 2): sm(64) {
        state turn step 8
        let x = (r - 3) % n + (epoch ^ 5) - (7 | a) * (3 & b)
        let y = ((x + 11) / 3) + ceil(B, 24) + (x << 3) + (x >> b)
        let z = min(y, max(a, 9)) + nz32(epoch) + (y % 5)
        load c <- words[8] <= B else 7
        check c <= B and 0 <= c else 9
        for t < 3 {
          if t < 2 {
            signal S[t]@((r + 1) % n) set epoch release
          } else {
            signal S[t]@peers add 1 relaxed gpu
          }
        }
        await S[0]@((r - 1) % n) reached epoch acquire
        await T[0]@all != epoch + 1 relaxed
        await T[1]@peers <= epoch acquire gpu
        move out[r * B] <- in[0] bytes B
        move pad@peers[(r * 2 + (epoch & 1)) * 8192] pkt16(nz32(epoch)) <- in[0] bytes min(c, B)
        each p in peers {
          move out[p * B], notes[0] <- pad[(p * 2 + (epoch & 1)) * 8192] pkt16(nz32(epoch)) bytes min(8, B)
        }
        sync
        move pad@all[16384 + r * 16384] <- in[0] bytes 0
        store notes[a * 8] <- z
        flush peers remote
        flush peers local
        set turn = turn + 8
      }
      """;

  @ParameterizedTest
  @CsvSource({
    "signal_barrier",
    "ll_all_gather",
    "ring_send_recv",
    "ll_all_reduce",
    "ring_reduce_scatter",
    "ll128_all_gather",
    "ll128_reduce_scatter"
  })
  void generatedPtxIsTheReviewedOne(String name) throws IOException {
    PtxKernel kernel = kernel(ShippedPrograms.form(name), PtxTarget.SM_90);
    reviewed(kernel, kernel.entry() + ".ptx");
  }

  private static void reviewed(PtxKernel kernel, String file) throws IOException {
    Path golden = GOLDEN.resolve(file);
    if (WRITE) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, kernel.ptx());
    }
    assertThat(kernel.ptx())
        .as("%s; review the change, then run with -Doriel.golden=write", golden)
        .isEqualTo(Files.readString(golden));
  }

  /** With one buffer at any byte; such forms and groups compile like any other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "push_all_gather",
        "ll_all_gather",
        "ll_all_to_all",
        "ll_all_reduce",
        "two_shot_all_reduce",
        "direct_reduce_scatter",
        "ring_all_reduce",
        "direct_scatter"
      })
  @Sampled(every = 4)
  void formsInPlaceAssemble(String name) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form = BufferOffsets.of(InPlace.of(ShippedPrograms.form(name)), Map.of("out", 4L));
    for (PtxTarget target : PtxTarget.values()) {
      assertThat(Assembler.assemble(kernel(form, target).ptx(), target)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-1=100,1-0=70000,1-1=3", "0-1=16", "2-0=1,0-2=1048583,1-2=0"})
  void groupsAssemble(String group) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = kernel(GroupText.form(group), target);
      assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
    }
  }

  /** A loop that is not recognised still works, but adds up the peers' flight times. */
  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 1",
    "ll_all_to_all, 2",
    "ring_send_recv, 0",
    "ll128_reduce_scatter, 1"
  })
  void packetsOfAllPeersAreDistributedAtOnce(String name, int loops) {
    String ptx = kernel(ShippedPrograms.form(name), PtxTarget.SM_90).ptx();
    assertThat(ptx.split("// for each peer: ", -1)).hasSize(loops + 1);
  }

  /** Copy engines run the others: see {@code ChainPlannerTest}. */
  private static List<String> kernels() {
    List<String> names = new ArrayList<>(ShippedPrograms.all());
    names.removeAll(ShippedPrograms.ENGINES);
    return names;
  }

  @ParameterizedTest
  @EnumSource
  void bulkCopiesAreTheReviewedOnesAndAssemble(BulkGather gather) throws IOException {
    PtxKernel kernel = kernel(gather.form(), PtxTarget.SM_90);
    String spelled = gather.name().toLowerCase(Locale.ROOT);
    reviewed(kernel, kernel.entry() + "." + spelled + ".ptx");
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    assertThat(Assembler.assemble(kernel.ptx(), PtxTarget.SM_90)).isNotEmpty();
  }

  /** Two families: one uses bulk-copy units, the other joins it. */
  @Test
  void bulkUnitsOfOneFamilyDoNotAffectOthers() {
    Form form =
        FormParser.parse(
            """
            form beside
            input in[64]
            output out[64]
            scratch box[64]
            lane copies: sm(64) {
              bulk box[0] <- in[0] bytes 32
              bulk box[32] <- in[32] bytes 32
              await bulk
            }
            lane moves: sm(32) {
              join copies
              move out[0] <- box[0] bytes 64
            }
            """);
    String ptx = kernel(form, PtxTarget.SM_90).ptx();
    assertThat(ptx.split("cp.async.bulk.wait_group 0;", -1)).hasSize(3);
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    assertThat(Assembler.assemble(ptx, PtxTarget.SM_90)).isNotEmpty();
  }

  @Test
  void bulkCopiesAreRejectedOnOlderGpus() {
    assertThatThrownBy(() -> kernel(BulkGather.PUSH.form(), PtxTarget.SM_80))
        .hasMessage(
            "no bulk-copy units on this GPU: form=bulk_gather, target=sm_80, needed=sm_90; use moves");
    assertThatThrownBy(() -> Program.bind(BulkGather.PUSH.form(), 2, Map.of("B", 24L)))
        .hasMessageContaining("unit=16");
    Form moved = BufferOffsets.of(BulkGather.PUSH.form(), Map.of("out", 8L));
    assertThatThrownBy(() -> Program.bind(moved, 2, Map.of("B", 32L)))
        .hasMessageContaining("misaligned bulk copy");
  }

  private static final String CLUSTERS =
      """
      form clusters
      scratch box[8]
      signal DATA[1]
      lane block(i < 4): sm(32) cluster(2) {
        if i == 0 {
          store box[0] <- epoch
          order cluster
          signal DATA[0]@0 set epoch release cluster
        } else {
          await DATA[0]@0 reached epoch acquire cluster
          order sc cluster
        }
      }
      """;

  @Test
  void clustersAndTheirScopeArePrinted() {
    String ptx = kernel(FormParser.parse(CLUSTERS), PtxTarget.SM_90).ptx();
    assertThat(ptx)
        .contains(
            ".reqnctapercluster 2, 1, 1\n",
            "fence.acq_rel.cluster",
            "st.release.cluster.global",
            "ld.acquire.cluster.global",
            "fence.sc.cluster");
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    assertThat(Assembler.assemble(ptx, PtxTarget.SM_90)).isNotEmpty();
  }

  @Test
  void clustersAreRejectedOnOlderGpus() {
    String scopeOnly = CLUSTERS.replace(" cluster(2)", "");
    for (String text : List.of(CLUSTERS, scopeOnly)) {
      assertThatThrownBy(() -> kernel(FormParser.parse(text), PtxTarget.SM_80))
          .hasMessage(
              "no clusters on this GPU: form=clusters, target=sm_80, needed=sm_90; use scope gpu and no cluster");
    }
    assertThat(kernel(FormParser.parse(scopeOnly), PtxTarget.SM_90).ptx())
        .doesNotContain(".reqnctapercluster");
    String two = CLUSTERS + "lane other: sm(32) { }\n";
    assertThatThrownBy(() -> kernel(FormParser.parse(two), PtxTarget.SM_90))
        .hasMessage(
            "clusters of several sizes have no PTX form: form=clusters, sizes=[2, 1]; all families of a kernel have one size");
  }

  /** Every operator on every type that has a PTX form, of packets, of boxes and in place. */
  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyReductionAssembles(DataType type) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    PtxTarget oldest = type.isFloat() && type.bytes() == 1 ? PtxTarget.SM_90 : PtxTarget.SM_80;
    for (String name : List.of("ll_all_reduce", "direct_reduce_scatter")) {
      for (ReduceOp op : ReduceOp.values()) {
        Form form = ReductionEdits.with(ShippedPrograms.form(name), op, type);
        for (PtxTarget target : EnumSet.range(oldest, PtxTarget.SM_90)) {
          if (!Thorough.takes(12, type, name, op, target)) {
            continue;
          }
          String ptx = kernel(form, target).ptx();
          assertThat(Assembler.assemble(ptx, target)).isNotEmpty();
          assertThat(ptx).doesNotContain(".ftz", "fma", "mad.rn", ".approx");
        }
      }
    }
  }

  /** Accumulators that are wider than usual, sources one by one, and several destinations. */
  @ParameterizedTest
  @CsvSource({
    "sum fp32 in fp64",
    "avg fp32 in fp64",
    "sum int8 in int64",
    "avg int16 in int16",
    "max int32 in int64",
    "avg int64 in int64",
    "min fp64 in fp64"
  })
  @Sampled(every = 4)
  void reductionsInOtherAccumulatorsAssemble(String reduction) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form =
        FormParser.parse(
            """
            form wide
            param B <= 4096
            input in[B]
            output out[B]
            scratch box[2 * n * B]
            scratch ll[4 * n * B + 64]
            lane main: sm(64) {
              move out[0], box@((r + 1) %% n)[0], box@peers[n * B] <- %s (in[0], for p < n: box[p * B], box@((r + 1) %% n)[0]) bytes B
              sync
              move out[0] <- %s (for p < n - 1: ll[p * 16] pkt16(epoch), ll[16 * n] pkt16(1)) bytes 8
            }
            """
                .formatted(reduction, reduction));
    for (PtxTarget target : PtxTarget.values()) {
      assertThat(Assembler.assemble(kernel(form, target).ptx(), target)).isNotEmpty();
    }
  }

  /** Packets of every format: packed to several, unpacked, of a run, odd, misaligned and empty. */
  @ParameterizedTest
  @EnumSource(PacketFormat.class)
  void everyFormatOfPacketsAssembles(PacketFormat format) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    String text =
        """
        form packets
        param B <= 1000
        input in[B + 1]
        output out[n * B + 1]
        scratch ll[n * 16384]
        scratch box[16384]
        lane main: sm(64) {
          move ll@peers[r * 16384] FORMAT(epoch), ll[r * 16384] FORMAT(epoch) <- in[1] bytes B
          each p in peers {
            move out[p * B + 1], box[0] <- ll[p * 16384] FORMAT(epoch) bytes B
          }
          move box@((r + 1) % n)[8192] FORMAT(epoch) <- in[0] bytes 0
          load x <- box[0]
          if x == 0 {
            move box[4] <- box[8192] FORMAT(epoch) bytes 7
          }
          move out[4] <- sum fp32 in fp32 (for p < n: ll[p * 16384] FORMAT(epoch), ll[0] FORMAT(epoch)) bytes 8
        }
        """
            .replace("FORMAT", format.spelling());
    for (PtxTarget target : PtxTarget.values()) {
      String ptx = kernel(FormParser.parse(text), target).ptx();
      assertThat(Assembler.assemble(ptx, target)).isNotEmpty();
      assertThat(ptx.contains("vote.sync")).isEqualTo(format == PacketFormat.LINE128);
    }
  }

  @Test
  void packetsNeedWholeElements() {
    Form form =
        FormParser.parse(
            """
            form f
            scratch ll[128]
            scratch box[128]
            lane main: sm(32) {
              move box[0] <- sum fp64 in fp64 (ll[0] pkt8(1)) bytes 8
            }
            """);
    assertThatThrownBy(() -> kernel(form, PtxTarget.SM_80))
        .hasMessage("element does not fit into a packet: element=fp64, format=pkt8; use pkt16");
  }

  @Test
  void linesNeedAWarp() {
    String text =
        "form f input in[120] window ll[128] lane l: sm(%d) { move ll[0] line128(epoch) <- in[0] bytes 120 }";
    assertThatThrownBy(() -> kernel(FormParser.parse(text.formatted(1)), PtxTarget.SM_80))
        .hasMessage(
            "lines of one thread have no PTX form: lane=l; a warp moves line128: write sm(32), or pkt16");
    assertThat(kernel(FormParser.parse(text.formatted(32)), PtxTarget.SM_80).ptx())
        .contains("bar.sync");
  }

  @Test
  void reductionsWithoutAPtxFormAreRefusedByName() {
    Form fp8 =
        ReductionEdits.with(ShippedPrograms.form("ll_all_reduce"), ReduceOp.SUM, DataType.FP8_E4M3);
    assertThatThrownBy(() -> kernel(fp8, PtxTarget.SM_80))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("GPU does not convert this type: element=fp8_e4m3, target=sm_80");
    Form two =
        FormParser.parse(
            """
            form f
            scratch ll[64]
            scratch box[64]
            lane main: sm(32) {
              move ll[0] pkt16(1) <- sum fp32 in fp32 (box[8], ll[32] pkt8(1)) bytes 8
            }
            """);
    assertThatThrownBy(() -> kernel(two, PtxTarget.SM_90))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("packets of two formats in one move have no PTX form");
  }

  @Test
  void everyOperationWithAPtxFormAssembles() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = kernel(FormParser.parse(EVERYTHING), target);
      assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
    }
  }

  @Test
  void theAssemblerRejectsInvalidPtx() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    PtxKernel kernel = kernel(ShippedPrograms.form("ll_all_gather"), PtxTarget.SM_80);
    String broken = kernel.ptx().replace("bar.sync 0", "bar.sink 0");
    assertThatThrownBy(() -> Assembler.assemble(broken, PtxTarget.SM_80))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Unknown modifier");
  }

  /** Over mapped memory, calls that need no atomic are made of operations with a PTX form. */
  @Test
  void putsBarriersAndNarrowWordsAssemble() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form =
        FormParser.parse(
            """
            form calls
            scratch box[64]
            scratch mine[64]
            signal S[1]
            team even = r % 2 == 0
            barrier all_in
            barrier evens of even
            lane main: sm(32) {
              state s
              put box@((r + 1) % n)[0] <- mine[0] bytes 8 count 4 step 16, 8
              put box@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[0] set epoch nb
              get mine[0] <- box@((r + 1) % n)[0] bytes 8
              fence
              load x <- box[3] width 1
              store box[6] width 2 <- x + s
              barrier all_in
              if r % 2 == 0 {
                meet evens
              }
            }
            """);
    for (PtxTarget target : PtxTarget.values()) {
      String ptx = kernel(form, target).ptx();
      assertThat(Assembler.assemble(ptx, target)).isNotEmpty();
      assertThat(ptx).contains("ld.global.u8 ", "st.global.u16 ", "+8]", "+16]", "+24]");
    }
  }

  /** Single words, sums, locks, and lanes that wait for the end of others. */
  @Test
  void wordsSumsAndSeveralLanesAssemble() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form =
        FormParser.parse(
            """
            form words
            scratch word[64]
            scratch mine[64]
            window door[8]
            signal S[1]
            lane first(i < 3): sm(64) {
              state s
              atomic word@((r + 1) % n)[0] add 1
              atomic mine[0] <- word@((r + 1) % n)[8] cas 0, 1
              atomic mine[8] <- word@((r + 1) % n)[8] fetch
              atomic mine[16] <- word@((r + 1) % n)[8] set 7
              atomic mine[24] <- word@((r + 1) % n)[8] add 7
              wait word[0] >= 1 acquire
              load x <- word[16] acquire
              store word[16] <- x + 1 release
              read y <- S[0]@((r - 1) % n) acquire
              read z <- S[0]@((r - 1) % n) acquire until reached epoch within 5us
              load v <- word[16] acquire until == 1 within 5us
              set s = y + z + v
              signal S[0]@peers add 1 release
              await sum S[0]@peers >= n - 1 acquire
            }
            lane second: sm(32) {
              join first
              lock door@0[0]
              unlock door@0[0]
            }
            """);
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = kernel(form, target);
      assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
      assertThat(kernel.entry()).isEqualTo("words__all");
      assertThat(kernel.threads()).isEqualTo(64);
      assertThat(kernel.ptx())
          .contains("bar.sync 0, 64;", "bar.sync 0, 32;", "// lane first", "// lane second")
          .contains("red.relaxed.sys.global.add.u64", "atom.relaxed.sys.global.cas.b64")
          .contains("atom.acquire.sys.global.cas.b64", "st.release.sys.global.u64")
          .contains("st.release.gpu.global.u64", "ld.acquire.gpu.global.u64");
    }
  }

  @Test
  void fencesAndSignalsHaveTheirScope() throws Exception {
    Form form =
        FormParser.parse(
            """
            form fences
            signal S[1]
            lane main: sm(32) {
              order sc gpu
              order cta
              order sc sys
              signal S[0]@((r + 1) % n) set 1 release cta
            }
            """);
    for (PtxTarget target : PtxTarget.values()) {
      String ptx = kernel(form, target).ptx();
      assertThat(Assembler.assemble(ptx, target)).isNotEmpty();
      assertThat(ptx)
          .containsSubsequence("fence.sc.gpu;", "fence.acq_rel.cta;", "fence.sc.sys;", ".cta");
    }
  }

  /** Generations newer than the compiler in JCuda, if a toolkit is installed. */
  @Test
  void theToolkitAssemblesForNewerGpus(@TempDir Path folder) throws Exception {
    assumeTrue(toolkit(), "no ptxas on the PATH");
    for (String name : kernels()) {
      if (!Thorough.takes(6, name)) {
        continue;
      }
      PtxKernel kernel = kernel(ShippedPrograms.form(name), PtxTarget.SM_90);
      Path text = Files.writeString(folder.resolve(kernel.entry() + ".ptx"), kernel.ptx());
      Process ptxas =
          new ProcessBuilder(
                  "ptxas", "-arch=sm_100", text.toString(), "-o", folder.resolve("out").toString())
              .redirectErrorStream(true)
              .start();
      String log = new String(ptxas.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(ptxas.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(ptxas.exitValue()).as(log).isZero();
    }
  }

  private static boolean toolkit() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, "ptxas"))) {
        return true;
      }
    }
    return false;
  }

  @Test
  void everyBarrierNamesItsEdge() {
    for (String name : kernels()) {
      for (PtxTarget target : PtxTarget.values()) {
        assertThat(Edges.unnamed(kernel(ShippedPrograms.form(name), target).ptx()))
            .as(name)
            .isEmpty();
      }
    }
  }

  /** Test of the detector: without their comments, it finds all of the edges. */
  @ParameterizedTest
  @ValueSource(strings = {"signal_barrier", "push_all_gather", "ll128_all_gather"})
  void anEdgeWithoutACommentIsDetected(String name) {
    String ptx = kernel(ShippedPrograms.form(name), PtxTarget.SM_90).ptx();
    String silent = ptx.replaceAll("(?m)^ *// .*\n", "");
    List<String> edges = Edges.all(ptx);
    assertThat(edges)
        .anyMatch(edge -> edge.startsWith("bar.sync"))
        .anyMatch(edge -> edge.startsWith("griddepcontrol"));
    assertThat(Edges.unnamed(silent).stream().map(line -> line.replaceFirst("line \\d+: ", "")))
        .containsSubsequence(edges.getFirst(), edges.getLast());
    assertThat(Edges.all(silent)).isEqualTo(edges);
  }

  @Test
  void orderingInstructionsAreRecognised() {
    String text =
        """
        bar.sync 0;
        @!%p1 griddepcontrol.wait;
        fence.sc.sys;
        st.release.gpu.global.u64 [%rd1], 1;
        @%p2 ld.acquire.sys.global.u64 %rd1, [%rd2];
        atom.acq_rel.sys.global.cas.b64 %rd1, [%rd2], 0, 1;
        bar.warp.sync 0xffffffff;
        cp.async.bulk.wait_group 0;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%rd1], %r1;
        """;
    assertThat(Edges.unnamed(text)).hasSize(9);
    assertThat(Edges.unnamed(text.replaceAll("(?m)^", "// said\n"))).isEmpty();
    assertThat(Edges.all("ld.relaxed.sys.global.u64 %rd1, [%rd2];\nbra $barrier;\n")).isEmpty();
  }

  @Test
  void operationsWithoutAPtxFormAreRejectedByName() {
    Form copyLane =
        FormParser.parse(
            """
            form lanes
            input in[8]
            output out[8]
            lane engine: copy {
              move out[0] <- in[0] bytes 8
            }
            """);
    assertThatThrownBy(() -> kernel(copyLane, PtxTarget.SM_90))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("lane=engine");
  }

  private static PtxKernel kernel(Form form, PtxTarget target) {
    return Edges.named(
        new PtxCompiler(target).compile(FormLowering.lower(form, Set.of(PeerKind.NVLINK))));
  }
}
