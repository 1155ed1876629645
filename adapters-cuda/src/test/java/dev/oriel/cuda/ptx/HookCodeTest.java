package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookCodeTest {
  /** Set to rewrite the reviewed files: {@code -Doriel.golden=write}. */
  private static final boolean WRITE = "write".equals(System.getProperty("oriel.golden"));

  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "transposing_all_to_all",
        "quantised_all_gather",
        "weighted_moe_combine",
        "expert_counts"
      })
  void generatedPtxIsTheReviewedOne(String name) throws IOException {
    PtxKernel kernel = kernel(ShippedPrograms.form(name), PtxTarget.SM_90);
    Path golden = GOLDEN.resolve(kernel.entry() + ".ptx");
    if (WRITE) {
      Files.writeString(golden, kernel.ptx());
    }
    assertThat(kernel.ptx())
        .as("%s; review the change, then run with -Doriel.golden=write", golden)
        .isEqualTo(Files.readString(golden));
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    assertThat(Assembler.assemble(kernel.ptx(), PtxTarget.SM_90)).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyConversionAssembles(DataType from) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (DataType to : DataType.values()) {
      if (!Thorough.takes(6, from, to)) {
        continue;
      }
      String hook =
          "hook h(in0: %s) -> %s = %s(in0)".formatted(from.symbol(), to.symbol(), to.symbol());
      assembles(hook, "move out[0] <- h (in[0]) bytes 1024", oldest(from, to));
    }
  }

  private static PtxTarget oldest(DataType from, DataType to) {
    boolean eight =
        from != to && List.of(from, to).stream().anyMatch(t -> t.isFloat() && t.bytes() == 1);
    return eight ? PtxTarget.SM_90 : PtxTarget.SM_80;
  }

  @ParameterizedTest
  @ValueSource(strings = {"i32", "i64", "f32", "f64"})
  void everyOperationAssembles(String type) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    List<String> values = new ArrayList<>();
    for (String op : List.of("+", "-", "*", "/")) {
      values.add("in0 " + op + " in1");
    }
    for (String relation : List.of("<", "<=", ">", ">=", "==", "!=")) {
      values.add("select(in0 " + relation + " in1, in1, in0)");
    }
    values.addAll(List.of("min(in0, in1)", "max(in0, in1)", "neg(in0) + in1", "abs(in0) - in1"));
    if (type.startsWith("f")) {
      values.add("fma(in0, in1, 1.5:" + type + ")");
    } else {
      for (String op : List.of("|", "^", "&", "<<", ">>", "%")) {
        values.add("in0 " + op + " in1");
      }
      values.add("not(in0) + in1 + %s(i + rank + world + count)".formatted(type));
    }
    for (String value : values) {
      if (!Thorough.takes(6, type, value)) {
        continue;
      }
      String hook = "hook h(in0: %s, in1: %s) -> %s = %s".formatted(type, type, type, value);
      String ptx = assembles(hook, "move out[0] <- h (in[0], more[0]) bytes 1024", PtxTarget.SM_80);
      assertThat(ptx).as(value).doesNotContain(".ftz", ".approx");
      assertThat(ptx.contains("fma")).as(value).isEqualTo(value.startsWith("fma"));
    }
  }

  @Test
  void everyMapAssembles() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    String maps =
        List.of(
                "affine(offset=n, stride=3)",
                "blocks(size=16)",
                "blocks(size=n + 2)",
                "transpose(rows=n, columns=7)",
                "permutation(2, 0, 1)",
                "gather(in6, rows=n, width=4)")
            .stream()
            .collect(Collectors.collectingAndThen(Collectors.toList(), HookCodeTest::sources));
    String hook =
        "hook h(%s, in6: i32 at blocks(size=4)) -> i8 = i8(i32(in0) + i32(in1) + i32(in2)"
                .formatted(maps)
            + " + i32(in3) + i32(in4) + i32(in5))";
    String sources = "in[0], in[0], in[0], in[0], in[0], in[0], more[0]";
    assembles(hook, "move out[0], ll[0] <- h (" + sources + ") bytes 64", PtxTarget.SM_80);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "affine(offset=n, stride=3)",
        "affine(offset=peer + n, stride=1)",
        "affine(offset=tile * 8 + 1000, stride=-2)",
        "blocks(size=1)",
        "transpose(rows=n, columns=7)",
        "permutation(2, 0, 1)"
      })
  @Sampled(every = 3)
  void everyTargetMapAssembles(String map) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    String hook =
        "hook h(in0: bf16, in1: f32 at affine(offset=peer, stride=0)) -> i16 to "
            + map
            + " = i16(i64(in0) + i64(in1) + i + tile + slot * step - block / (role + 1:i64))";
    String sources = "in[0], more[0], peer=r, tile=r + 1, slot=r % 2, step=epoch, block=n, role=3";
    assembles(hook, "move out[0], ll[0] <- h (" + sources + ") bytes 64", PtxTarget.SM_80);
  }

  /**
   * A matrix is transposed in blocks, at either end: rows are stored as widely as they are read.
   */
  @Test
  void aTransposingStoreWorksInBlocks() {
    String read = "hook h(in0: f32 at transpose(rows=64, columns=32)) -> f32 = in0";
    String written = "hook h(in0: f32) -> f32 to transpose(rows=64, columns=32) = in0";
    for (String hook : List.of(read, written)) {
      assertThat(kernel(form(hook, "move out[0] <- h (in[0]) bytes 8192"), PtxTarget.SM_90).ptx())
          .as(hook)
          .contains("ld.global.v4.u32", "st.global.v4.u32");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pkt8", "pkt16", "line128"})
  void packetsAssemble(String format) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    String hook = "hook h(in0: bf16, in1: f32 at blocks(size=8)) -> e4m3 = e4m3(f32(in0) / in1)";
    for (String move :
        List.of(
            "move ll[0] %s(1) <- h (in[0], more[0]) bytes 1024",
            "move out[0] <- h (ll[0] %s(1), more[0]) bytes 1024")) {
      assembles(hook, move.formatted(format), PtxTarget.SM_90);
    }
    String gathered =
        "hook g(in0: i8 at gather(in1, rows=n, width=4), in1: i32 at blocks(size=4), in2: f32) -> i16 = i16(i32(in0) + i32(in2))";
    assembles(
        gathered,
        "move out[0] <- g (in[0], more[0], ll[0] %s(1)) bytes 64".formatted(format),
        PtxTarget.SM_80);
  }

  /**
   * The host learns the cause only after all ranks have ended: the failing block ends them itself.
   */
  @Test
  void aRowOutOfRangeEndsAllRanks() {
    String hook =
        "hook h(in0: i8 at gather(in1, rows=n, width=4), in1: i32 at blocks(size=4)) -> i8 = in0";
    assertThat(
            kernel(form(hook, "move out[0] <- h (in[0], more[0]) bytes 64"), PtxTarget.SM_90).ptx())
        .contains("ld.param.u64 %rd2, [status]", "ld.param.u64 %rd6, [abort]")
        .containsSubsequence(
            "st.relaxed.gpu.global.u64 [%rd2], " + LaneStatus.NO_ROW,
            "st.release.sys.global.u64 [%rd6], 1",
            "st.shared.u32 [block_dead], 1");
  }

  private static String sources(List<String> maps) {
    List<String> sources = new ArrayList<>();
    for (String map : maps) {
      sources.add("in%d: i16 at %s".formatted(sources.size(), map));
    }
    return String.join(", ", sources);
  }

  @Test
  void hooksWithoutAPtxFormAreRefusedByName() {
    refused(
        "hook h(in0: f64, in1: f64 at blocks(size=2)) -> f64 = in0 + in1",
        "h (ll[0] pkt8(1), more[0])",
        "element does not fit into a packet: element=f64, format=pkt8; use pkt16");
    refused(
        "hook h = transpose(f32, 2, 4)",
        "h (ll[0] pkt16(1))",
        "hook of packets out of turn has no PTX form: hook=h, source=in0, type=f32, map=transpose(rows=2, columns=4)");
    refused(
        "hook h(in0: f32, in1: f32) -> f32 = in0 + in1",
        "h (ll[0] pkt16(1), ll[1024] pkt8(1))",
        "hook on packets of several kinds has no PTX form: hook=h, formats=[pkt16, pkt8]; move twice");
    String order =
        IntStream.range(0, 65).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    refused(
        "hook h(in0: f32 at permutation(" + order + ")) -> f32 = in0",
        "h (ll[0])",
        "permutation has no PTX form: entries=65, most=64");
    Form fp8 = form("hook h(in0: e4m3) -> bf16 = bf16(in0)", "move out[0] <- h (in[0]) bytes 64");
    assertThatThrownBy(() -> kernel(fp8, PtxTarget.SM_80))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("GPU does not convert this type: element=fp8_e4m3, target=sm_80");
    Form moved = form("hook h = copy(e4m3)", "move out[0] <- h (in[0]) bytes 64");
    assertThat(kernel(moved, PtxTarget.SM_80).ptx()).isNotEmpty();
  }

  private static void refused(String hook, String source, String message) {
    Form form = form(hook, "move out[0] <- " + source + " bytes 64");
    assertThatThrownBy(() -> kernel(form, PtxTarget.SM_90))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(message);
  }

  /** Compiles for every target from the oldest possible on; returns the text for the oldest. */
  private static String assembles(String hook, String move, PtxTarget oldest) {
    Form form = form(hook, move);
    for (PtxTarget target : EnumSet.range(oldest, PtxTarget.SM_90)) {
      assertThat(Assembler.assemble(kernel(form, target).ptx(), target)).isNotEmpty();
    }
    return kernel(form, oldest).ptx();
  }

  private static Form form(String hook, String move) {
    return FormParser.parse(
        """
        form hooked
        input in[65536]
        input more[65536]
        output out[65536]
        scratch ll[65536]
        %s
        lane main: sm(128) {
          %s
        }
        """
            .formatted(hook, move));
  }

  private static PtxKernel kernel(Form form, PtxTarget target) {
    return Edges.named(
        new PtxCompiler(target).compile(FormLowering.lower(form, Set.of(PeerKind.NVLINK))));
  }
}
