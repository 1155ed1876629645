package dev.oriel.it.export;

import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.cuda.ptx.RankLayout;
import dev.oriel.domain.binding.RankProgram;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The header of C that the loader in {@code oriel_launch.h} reads. */
final class HeaderText {
  private final ExportedProgram program;
  private final String symbol;
  private final StringBuilder text = new StringBuilder();

  private HeaderText(ExportedProgram program) {
    this.program = program;
    this.symbol = "oriel_" + program.symbol();
  }

  static String of(ExportedProgram program) {
    return new HeaderText(program).print();
  }

  private String print() {
    String guard = symbol + "_h";
    line("/* %s for %d ranks; see oriel_launch.h. */", program.form().name(), program.world());
    line("#ifndef %s", guard);
    line("#define %s", guard);
    line("#include \"oriel_launch.h\"");
    String older = kernel("ptx_80", program.targets().get(PtxTarget.SM_80));
    String newer = kernel("ptx_90", program.targets().get(PtxTarget.SM_90));
    names("buffers", program.buffers());
    names("signals", program.signals());
    names("families", program.families());
    for (int i = 0; i < program.cases().size(); i++) {
      ranks(i, program.cases().get(i));
    }
    line("static const oriel_case_t %s_cases[] = {", symbol);
    for (int i = 0; i < program.cases().size(); i++) {
      ExportedProgram.Case one = program.cases().get(i);
      line(
          "  {%s, %s, %s, %s_%d_ranks},",
          quoted(one.params()), quoted(one.digest()), quoted(one.proved()), symbol, i);
    }
    line("};");
    line("static const oriel_program %s = {", symbol);
    line("  .name = %s,", quoted(program.form().name()));
    line("  .entry = %s,", quoted(program.kernel().entry()));
    line("  .ptx_80 = %s, .ptx_90 = %s,", older, newer);
    line(
        "  .world = %d, .threads = %d, .cluster = %d, .atomics = %d,",
        program.world(),
        program.kernel().threads(),
        program.kernel().cluster(),
        program.kernels().atomics() ? 1 : 0);
    line(
        "  .buffer_count = %d, .signal_count = %d, .family_count = %d, .value_count = %d, .case_count = %d,",
        program.buffers().size(),
        program.signals().size(),
        program.families().size(),
        program.kernel().values().size(),
        program.cases().size());
    line(
        "  .buffers = %1$s_buffers, .signals = %1$s_signals, .families = %1$s_families, .cases = %1$s_cases,",
        symbol);
    line("};");
    line("#endif");
    return text.toString();
  }

  private void line(String format, Object... arguments) {
    text.append(format.formatted(arguments)).append('\n');
  }

  /** Writes a kernel's lines; returns the name of their array. */
  private String kernel(String name, @Nullable PtxKernel kernel) {
    if (kernel == null) {
      return "0";
    }
    line("static const char *const %s_%s[] = {", symbol, name);
    kernel.ptx().lines().forEach(row -> line("  %s,", quoted(row + "\n")));
    line("  0};");
    return symbol + "_" + name;
  }

  private void names(String what, List<String> names) {
    line(
        "static const char *const %s_%s[] = {%s0};",
        symbol,
        what,
        names.stream().map(name -> quoted(name) + ", ").collect(Collectors.joining()));
  }

  private void ranks(int number, ExportedProgram.Case one) {
    String start = symbol + "_" + number;
    StringBuilder rows = new StringBuilder();
    List<List<List<Long>>> sent = program.packets(one);
    for (RankLayout layout : one.ranks()) {
      RankProgram rank = layout.rank();
      String own = start + "_" + rank.rank();
      array("uint64_t", own + "_values", program.values(rank));
      array("uint64_t", own + "_offsets", program.offsets(layout));
      array("uint64_t", own + "_bytes", program.bytes(rank));
      array("uint32_t", own + "_signals", program.slots(rank));
      array("uint32_t", own + "_families", program.lanes(rank));
      List<List<Long>> packets = sent.get(rank.rank());
      array("uint64_t", own + "_packets", packets.stream().flatMap(List::stream).toList());
      rows.append(
          "  {%1$du, %2$du, %3$du, %5$du, %4$s_values, %4$s_offsets, %4$s_bytes, %4$s_packets, %4$s_signals, %4$s_families},\n"
              .formatted(
                  layout.reached(), layout.slots(), rank.lanes().size(), own, packets.size()));
    }
    line("static const oriel_rank %s_ranks[] = {", start);
    text.append(rows);
    line("};");
  }

  /** An array; C has none without elements. */
  private void array(String type, String name, List<Long> values) {
    line(
        "static const %s %s[] = {%s};",
        type,
        name,
        values.isEmpty()
            ? "0"
            : values.stream()
                .map(value -> Long.toUnsignedString(value) + "u")
                .collect(Collectors.joining(", ")));
  }

  /** A string literal of printable ASCII. */
  private static String quoted(String plain) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        // A question mark could begin a trigraph.
        case '?' -> out.append("\\?");
        default -> {
          if (c < ' ' || c > '~') {
            throw new IllegalArgumentException(
                "not printable: character=%d, text=%s; use ASCII".formatted((int) c, plain));
          }
          out.append(c);
        }
      }
    }
    return out.append('"').toString();
  }
}
