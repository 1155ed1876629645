package dev.oriel.it.readback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.cuda.ptx.LaneStatus;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.BulkGather;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels perform the actions that the simulator executes: read back from their text, program by
 * program.
 */
class KernelReadbackTest {
  private long kernels;
  private long lanes;
  private long actions;

  /** Every shipped program except those of copy engines, which are no kernels. */
  private static List<String> programs() {
    List<String> names = new ArrayList<>(ShippedPrograms.all());
    names.addAll(ShippedPrograms.HOOKED);
    names.removeAll(ShippedPrograms.ENGINES);
    return names;
  }

  @Test
  void everyProgramOverNvlink() {
    for (String name : programs()) {
      if (!Thorough.takes(4, "nvlink", name)) {
        continue;
      }
      Form form = ShippedPrograms.form(name);
      Kernels two = Kernels.of(form, 1, 2);
      read(two, ShippedPrograms.params(form, 40, 1), 2);
      read(two.on(4), ShippedPrograms.params(form, 1004, 3), 1);
      if (!two.passedOver().isEmpty()) {
        // Code for worlds that are no power of two, and for lanes with several pieces.
        read(two.on(3), ShippedPrograms.params(form, 70_004, 2), 1);
      }
      assertThat(two.passedOver())
          .as("%s: what orders something and no thread came to", name)
          .isEmpty();
    }
    publish("nvlink");
    assertThat(kernels).isGreaterThanOrEqualTo(Thorough.count(2L, 2L * programs().size()));
  }

  /** Reasons to give up, on NVLink and with requests; a failed check is none. */
  @Test
  void afterALaunchThatGaveUpNoLaneActs() {
    int run = 0;
    for (String name : programs()) {
      if (!Thorough.takes(4, "gave up", name)) {
        continue;
      }
      Form form = ShippedPrograms.form(name);
      run += gaveUp(Kernels.of(form, 1, 2), ShippedPrograms.params(form, 1004, 1));
      if (!ShippedPrograms.MAPPED.contains(name)) {
        run += gaveUp(Kernels.of(form, 2, 1), ShippedPrograms.params(form, 40, 1));
      }
    }
    for (BulkGather gather : BulkGather.values()) {
      run += gaveUp(Kernels.of(gather.form(), 1, 2), Map.of("B", 1008L));
    }
    System.out.println("read back, lanes after a launch that gave up: " + run);
    assertThat(run).isGreaterThan(10);
  }

  private static int gaveUp(Kernels k, Map<String, Long> params) {
    Readback readback = k.reader(params);
    assertThatThrownBy(() -> readback.afterGivingUp(LaneStatus.FAILED))
        .as("a failed check is no reason to give up")
        .isInstanceOf(Mismatch.class);
    return readback.afterGivingUp(LaneStatus.ABORTED)
        + readback.afterGivingUp(LaneStatus.TIMED_OUT);
  }

  /** Three ranks, so a rank has a peer before and after it; three launches. */
  @Test
  void statesAndParitiesContinueAcrossLaunches() {
    for (String name : List.of("ring_send_recv", "ll_all_gather", "ring_reduce_scatter")) {
      Form form = ShippedPrograms.form(name);
      read(Kernels.of(form, 1, 3), ShippedPrograms.params(form, 100, 2), 3);
    }
    publish("launches");
  }

  /** Whole vectors, four per thread at once, and the rest after them. */
  @Test
  void longMovesToo() {
    Form form = ShippedPrograms.form("push_send_recv");
    read(Kernels.of(form, 1, 2), ShippedPrograms.params(form, 300_012, 1), 1);
    publish("long");
  }

  /** A loop over peers that unpacks is one loop of all threads only if its bytes stay here. */
  @Test
  void packetsOfEachPeerGoToAllRanks() {
    String text =
        """
        form passed_on
        input own[40]
        scratch box[512]
        scratch every[512]
        lane main: sm(32) {
          move box@peers[r * 80] pkt8(epoch) <- own[0] bytes 40
          each p in peers {
            move every@all[p * 40 + r * 160] <- box[p * 80] pkt8(epoch) bytes 40
          }
        }
        """;
    read(Kernels.of(FormParser.parse(text), 1, 3), Map.of(), 2);
  }

  /** No barrier is before, in or after what one thread does, and a fence there is its own. */
  @Test
  void whatOneThreadDoes() {
    String text =
        """
        form by_hand
        input in[1040]
        window box[1040]
        window arrived[8]
        scratch seen[16]
        output out[1040]
        signal DATA[1]
        barrier done
        lane main: sm(64) {
          let succ = (r + 1) % n
          let pred = (r - 1) % n
          move box@succ[0] <- in[0] bytes 1040
          sync
          thread0 {
            order sys
            signal DATA[0]@succ set epoch release
            await DATA[0]@pred reached epoch acquire
            atomic arrived@succ[0] add 1
            store seen[0] <- epoch
            store seen[8] <- 1 release
            wait arrived[0] reached epoch relaxed
            order sc gpu
          }
          sync
          move out[0] <- box[0] bytes 1040
          barrier done
        }
        """;
    Form form = FormParser.parse(text);
    read(Kernels.of(form, 1, 2), Map.of(), 2);
    read(Kernels.of(form, 2, 1), Map.of(), 2);
    assertThat(gaveUp(Kernels.of(form, 1, 2), Map.of())).isPositive();
  }

  /** A block of one thread is as ordered as its text, beside a block of several. */
  @ParameterizedTest
  @ValueSource(strings = {"", "pkt8", "pkt16"})
  void blocksOfOneThread(String packet) {
    String form = packet.isEmpty() ? "[0]" : "[0] " + packet + "(epoch)";
    String text =
        """
        form single
        input in[64]
        window box[128]
        window tale[64]
        scratch seen[8]
        output out[64]
        signal DATA[1]
        signal TOLD[1]
        barrier done
        lane one: sm(1) {
          let succ = (r + 1) %% n
          let pred = (r - 1) %% n
          move box@succ%1$s <- in[0] bytes 64
          signal DATA[0]@succ set epoch release
          await DATA[0]@pred reached epoch acquire
          move out[0] <- box%1$s bytes 64
          atomic seen[0] add 1
          barrier done
        }
        lane many: sm(64) {
          move tale@((r + 1) %% n)[0] <- in[0] bytes 64
          sync
          signal TOLD[0]@((r + 1) %% n) set epoch release
          await TOLD[0]@((r - 1) %% n) reached epoch acquire
        }
        """
            .formatted(form);
    Form single = FormParser.parse(text);
    read(Kernels.of(single, 1, 2), Map.of(), 2);
    read(Kernels.of(single, 2, 1), Map.of(), 2);
    assertThat(gaveUp(Kernels.of(single, 1, 2), Map.of())).isPositive();
  }

  /** A read that waits ends with its condition. */
  @Test
  void aReadThatWaitsIsALoopOfLoads() {
    String text =
        """
        form limited
        output seen[8]
        scratch flag[8]
        signal S[1]
        lane main: sm(32) {
          signal S[0]@r set epoch release
          read there <- S[0]@r acquire until reached epoch within 30s
          store flag[0] <- 1 release
          load also <- flag[0] acquire until == 1 within 30s
          store seen[0] <- there + also
        }
        """;
    read(Kernels.of(FormParser.parse(text), 1, 2), Map.of(), 2);
  }

  /**
   * A kernel for each rank does what the steps say, and has no step of another rank. It is also
   * read back for programs whose ranks all do the same, and for worlds with network peers.
   */
  @Test
  void aKernelForEachRank() {
    String text =
        """
        form of_ranks
        input own[40]
        output got[40]
        signal GIVEN[1]
        signal BACK[1]
        lane main: sm(32) {
          if r == 0 {
            move got@1[0] <- own[0] bytes 40
            sync
            signal GIVEN[0]@1 set epoch release
            await BACK[0]@2 reached epoch acquire
          } else {
            if r == 1 {
              await GIVEN[0]@0 reached epoch acquire
              signal GIVEN[0]@2 set epoch release
            } else {
              await GIVEN[0]@1 reached epoch acquire
              move got@0[0] <- own[0] bytes 20
              sync
              signal BACK[0]@0 set epoch release
            }
          }
        }
        """;
    Kernels k = Kernels.of(FormParser.parse(text), 1, 3);
    count(k.compare(Map.of(), 2));
    count(k.compareEachRank(Map.of(), 2));
    String second = new PtxCompiler(PtxTarget.SM_90).compile(k.lowered(), 1).ptx();
    assertThat(second).hasSizeLessThan(k.kernel().ptx().length());
    assertThat(second).contains("signal GIVEN[0]@(2)").doesNotContain("signal GIVEN[0]@(1)");
    for (String name : programs()) {
      if (Thorough.takes(4, "each rank", name)) {
        Form form = ShippedPrograms.form(name);
        if (!ShippedPrograms.MAPPED.contains(name)) {
          count(Kernels.of(form, 2, 2).compareEachRank(ShippedPrograms.params(form, 40, 1), 1));
        }
      }
    }
    publish("each rank");
  }

  /** Received packets are forwarded, reduced with own bytes, and results packed, in one move. */
  @ParameterizedTest
  @EnumSource(PacketFormat.class)
  void movesOfPacketsAndPlainBytes(PacketFormat format) {
    String text =
        """
        form mixed
        input own[B]
        scratch box[8192]
        scratch back[8192]
        scratch sums[8192]
        output got[B]
        output out[B]
        lane main: sm(64) {
          move back@((r + 1) % n)[0] FLAGGED(epoch), got[0] <- box[0] FLAGGED(epoch) bytes B
          move out[0], sums@((r + 1) % n)[0] FLAGGED(epoch) <- sum int32 in int32 (back[0] FLAGGED(epoch), own[0]) bytes B
          move box@peers[0] FLAGGED(epoch), sums@((r + 1) % n)[4096] FLAGGED(epoch) <- sum int32 in int32 (own[0], got[0]) bytes B
          move out[0] <- sum int32 in int32 (for i < 2: own[0], for i < 2: sums[i * 4096] FLAGGED(epoch)) bytes B
        }
        """
            .replace("FLAGGED", format.spelling());
    for (long bytes : new long[] {4, 124, 484}) {
      Form form = FormParser.parse(text.replace("B", Long.toString(bytes)));
      read(Kernels.of(form, 1, 3), Map.of(), 2);
    }
    publish("mixed " + format.spelling());
  }

  @Test
  void copiesOfBulkCopyUnits() {
    for (BulkGather gather : BulkGather.values()) {
      // Two lanes with pieces of three places, then lanes with one piece, to each peer.
      read(Kernels.of(gather.form(), 1, 2), Map.of("B", 48_000L), 1);
      read(Kernels.of(gather.form(), 1, 3), Map.of("B", 1008L), 2);
    }
    publish("bulk");
  }

  @Test
  void everyProgramThatPostsRequests() {
    Map<String, String> refused = new TreeMap<>();
    Set<String> mapped = new TreeSet<>(ShippedPrograms.MAPPED);
    for (String name : programs()) {
      if (!Thorough.takes(4, "requests", name)) {
        mapped.remove(name);
        continue;
      }
      Form form = ShippedPrograms.form(name);
      try {
        read(Kernels.of(form, 2, 1), ShippedPrograms.params(form, 200, 1), 2);
        read(Kernels.of(form, 2, 2), ShippedPrograms.params(form, 40, 1), 1);
      } catch (ProgramException noForm) {
        refused.put(name, String.valueOf(noForm.getMessage()));
      }
    }
    publish("requests");
    assertThat(refused.keySet()).isEqualTo(mapped);
  }

  /** One-sided calls, atomics, locks, fences, scopes and joins: the museum's repaired programs. */
  @Test
  void exhibits() {
    Map<String, Integer> refused = new TreeMap<>();
    for (CaseStudy exhibit : CaseStudyCatalogue.read().exhibits()) {
      if (exhibit.showcase().isEmpty()) {
        refused.merge("no program says it", 1, Integer::sum);
        continue;
      }
      int world = Topology.parse(exhibit.showcase().get().world()).world();
      for (int host : new int[] {world, 1}) {
        try {
          Form form = FormParser.parse(exhibit.showcase().get().edit().twin());
          read(Kernels.of(form, world / host, host), Map.of(), 2);
        } catch (ProgramException noForm) {
          refused.merge(
              String.valueOf(noForm.getMessage()).replaceFirst(":.*", ""), 1, Integer::sum);
        }
      }
    }
    publish("exhibits");
    System.out.println("read back, exhibits refused: " + refused);
    assertThat(kernels).isGreaterThan(100);
  }

  private void read(Kernels k, Map<String, Long> params, int launches) {
    count(k.compare(params, launches));
  }

  private void count(Readback readback) {
    kernels++;
    lanes += readback.lanes();
    actions += readback.actions();
  }

  private void publish(String what) {
    System.out.printf(
        "read back, %s: kernels=%d, lanes=%d, actions=%d%n", what, kernels, lanes, actions);
    assertThat(actions).isPositive();
  }
}
