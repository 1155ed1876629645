package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.RequestKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes that post to queues of interfaces. */
class QueueCodeTest {
  private static final boolean WRITE = "write".equals(System.getProperty("oriel.golden"));
  private static final Set<PeerKind> MIXED = Set.of(PeerKind.NVLINK, PeerKind.RDMA);

  /** Every request that has an element. */
  private static final String CALLS =
      """
      form calls
      param B <= 4096
      input in[B]
      scratch box[n * B + 64]
      scratch mine[B + 64]
      signal S[2]
      barrier all_in
      lane main: sm(64) {
        put box@((r + 1) % n)[r * B] <- in[0] bytes B nb
        put box@((r + 1) % n)[0] <- in[0] bytes 8 count 4 step 16, 8 via 3
        put box@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[1] set epoch nb
        put box@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[0] add 1 nb
        put box@((r + 1) % n)[16] <- mine[0] bytes 8 counter mine[B + 56] nb
        get mine[0] <- box@((r + 1) % n)[0] bytes B
        fence
        atomic box@((r + 1) % n)[n * B] add 1
        atomic box@((r + 1) % n)[n * B] set epoch
        atomic mine[B] <- box@((r + 1) % n)[n * B] add 1
        atomic mine[B] <- box@((r + 1) % n)[n * B] fetch
        atomic mine[B] <- box@((r + 1) % n)[n * B] cas 0, 1 nb
        signal S[1]@peers add 1 release
        await sum S[1]@peers >= n - 1 acquire
        flush peers remote
        quiet via 3
        lock box@0[n * B + 8]
        unlock box@0[n * B + 8]
        barrier all_in
      }
      """;

  private static PtxKernel kernel(
      Form form, Set<PeerKind> links, PtxTarget target, QueueFormat format) {
    return Edges.named(
        new PtxCompiler(target, Optional.of(format)).compile(FormLowering.lower(form, links)));
  }

  @Test
  void everyProgramAssemblesForRemotePeers() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    List<String> names = new ArrayList<>(ShippedPrograms.NAMES);
    names.addAll(ShippedPrograms.REDUCING);
    names.addAll(ShippedPrograms.COUNTED);
    names.addAll(ShippedPrograms.ROOTED);
    for (String name : names) {
      for (PtxTarget target : PtxTarget.values()) {
        if (!Thorough.takes(6, name, target)) {
          continue;
        }
        PtxKernel kernel = kernel(ShippedPrograms.form(name), MIXED, target, SomeQueues.BIG);
        assertThat(kernel.networked()).isTrue();
        assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "push_all_gather",
        "ll_all_gather",
        "ll_all_to_all",
        "ll_all_reduce",
        "direct_reduce_scatter",
        "ring_all_reduce"
      })
  @Sampled(every = 3)
  void formsInPlaceAssembleForRemotePeers(String name) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form = BufferOffsets.of(InPlace.of(ShippedPrograms.form(name)), Map.of("out", 4L));
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = kernel(form, MIXED, target, SomeQueues.LITTLE);
      assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
    }
  }

  @Test
  void everyRequestAssembles() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    Form form = FormParser.parse(CALLS);
    List<QueueFormat> formats = List.of(SomeQueues.BIG, SomeQueues.LITTLE, SomeQueues.REGISTER);
    for (PtxTarget target : PtxTarget.values()) {
      for (QueueFormat format : formats) {
        for (Set<PeerKind> links : List.of(MIXED, Set.of(PeerKind.RDMA))) {
          if (!Thorough.takes(6, target, formats.indexOf(format), links.size())) {
            continue;
          }
          PtxKernel kernel = kernel(form, links, target, format);
          assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
        }
      }
    }
  }

  @Test
  void generatedPtxIsTheReviewedOne() throws IOException {
    PtxKernel kernel =
        kernel(
            ShippedPrograms.form("push_send_recv"),
            Set.of(PeerKind.RDMA),
            PtxTarget.SM_90,
            SomeQueues.BIG);
    Path golden = Path.of("src/test/resources/golden", kernel.entry() + ".rdma.ptx");
    if (WRITE) {
      Files.writeString(golden, kernel.ptx());
    }
    assertThat(kernel.ptx())
        .as("%s; review the change, then run with -Doriel.golden=write", golden)
        .isEqualTo(Files.readString(golden));
  }

  /**
   * The host learns the cause only after all ranks have ended: the failing block ends them itself.
   */
  @Test
  void aQueueThatFailedEndsAllRanks() {
    Form form = ShippedPrograms.form("push_send_recv");
    assertThat(kernel(form, Set.of(PeerKind.RDMA), PtxTarget.SM_90, SomeQueues.BIG).ptx())
        .containsSubsequence(
            "// the queue failed",
            "st.relaxed.gpu.global.u64",
            "], " + LaneStatus.QUEUE_FAILED,
            "st.release.sys.global.u64",
            "], 1",
            "st.shared.u32 [block_dead], 1");
  }

  /**
   * A failed lane's peer has 64 bits. A shift takes an amount of 32 bits, and clamps it to the
   * width.
   */
  @Test
  void onlyARankIsTestedForBeingRemote() {
    Form form =
        FormParser.parse(
            """
            form f
            input way[8]
            scratch box[64]
            scratch mine[64]
            lane main: sm(32) {
              load p <- way[0] <= 100 else 8
              check p < n else 9
              put box@p[0] <- mine[0] bytes 8 nb
            }
            """);
    assertThat(kernel(form, MIXED, PtxTarget.SM_90, SomeQueues.BIG).ptx())
        .containsPattern(
            "min\\.u64 (%\\w+), %\\w+, 64;\\s+cvt\\.u32\\.u64 (%\\w+), \\1;\\s+shr\\.u64 %\\w+, %\\w+, \\2;");
  }

  /** A register is stored to once, after all earlier stores, and by no other instruction. */
  @Test
  void aRegisterIsRungOnceAfterItsRecord() {
    Form form = ShippedPrograms.form("push_send_recv");
    String ptx = kernel(form, Set.of(PeerKind.RDMA), PtxTarget.SM_90, SomeQueues.REGISTER).ptx();
    assertThat(ptx)
        .containsSubsequence(
            "// ring",
            "st.release.sys.global.u32",
            "fence.acq_rel.sys;",
            "st.volatile.global.u64",
            "st.release.sys.global.u64");
    assertThat(kernel(form, Set.of(PeerKind.RDMA), PtxTarget.SM_90, SomeQueues.BIG).ptx())
        .doesNotContain("st.volatile");
  }

  /** The steps of the checked protocol, in its order, each at least as strong as there. */
  @Test
  void elementsArePostedInTheExploredOrder() {
    String ptx =
        kernel(
                ShippedPrograms.form("push_send_recv"),
                Set.of(PeerKind.RDMA),
                PtxTarget.SM_90,
                SomeQueues.BIG)
            .ptx();
    assertThat(ptx)
        .containsSubsequence(
            "fence.acq_rel.sys;",
            "atom.relaxed.sys.global.add.u64",
            "// fill",
            "st.global.v2.u64",
            "// publish",
            "ld.acquire.sys.global.u64",
            "st.release.sys.global.u64",
            "// ring",
            "atom.acquire.sys.global.cas.b64",
            "ld.acquire.sys.global.u64",
            "st.release.sys.global.u32",
            "st.release.sys.global.u64",
            "st.release.sys.global.u64");
  }

  /**
   * After the put's own publication, the count is posted to the queue's companion, which waits
   * before it adds.
   */
  @Test
  void aCountIsPostedToTheCompanionAfterItsPut() {
    Form form =
        FormParser.parse(
            """
            form f
            scratch box[64]
            scratch mine[64]
            lane main: sm(32) {
              put box@((r + 1) % n)[0] <- mine[0] bytes 8 counter mine[8] nb
            }
            """);
    int companion = QueueTable.companion(SomeQueues.BIG);
    int image = QueueTable.image(SomeQueues.BIG, RequestKind.WAIT, false);
    int add = QueueTable.image(SomeQueues.BIG, RequestKind.ADD, false);
    assertThat(kernel(form, Set.of(PeerKind.RDMA), PtxTarget.SM_90, SomeQueues.BIG).ptx())
        .containsSubsequence(
            "// publish",
            ", " + companion + ";",
            "+" + QueueTable.READY + "];",
            ", -1;",
            "// fill",
            "+" + image + "]",
            "// publish",
            "// fill",
            "+" + add + "]",
            "// publish");
  }

  @Test
  void requestsWithoutAnElementAreRejectedByName() {
    String text =
        """
        form f
        scratch box[64]
        scratch mine[64]
        lane main: sm(32) {
          CALL
        }
        """;
    for (String call : List.of("atomic mine[0] <- box@0[0] set 1")) {
      assertThatThrownBy(() ->
              kernel(
                  FormParser.parse(text.replace("CALL", call)),
                  MIXED,
                  PtxTarget.SM_90,
                  SomeQueues.BIG))
          .as(call)
          .isInstanceOf(ProgramException.class)
          .hasMessageStartingWith("no element does that yet: lane=main");
    }
  }

  @Test
  void remotePeersNeedANetwork() {
    assertThatThrownBy(() ->
            new PtxCompiler(PtxTarget.SM_90)
                .compile(FormLowering.lower(ShippedPrograms.form("push_send_recv"), MIXED)))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("network peers without queues");
  }
}
