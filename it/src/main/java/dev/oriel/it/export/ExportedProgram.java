package dev.oriel.it.export;

import dev.oriel.cuda.ProgramKernels;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.cuda.ptx.RankLayout;
import dev.oriel.domain.binding.PacketSenders;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.release.ReleaseName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program in the cases that a folder holds. Every number that a kernel takes from its binding is
 * here, so that loaders compute none.
 */
record ExportedProgram(Form form, ProgramKernels kernels, List<Case> cases) {

  /**
   * One binding.
   *
   * @param proved the memory rules under which it was proved; empty if it was not
   */
  record Case(Program program, String proved) {
    /**
     * Differs between cases, worlds, texts and releases: ranks that open different ones get an
     * error.
     */
    String digest() {
      return TextDigest.of(program.digest() + " " + ReleaseName.NAME);
    }

    /** The parameters as the C loader compares them. */
    String params() {
      return program.params().entrySet().stream()
          .map(param -> param.getKey() + "=" + param.getValue())
          .collect(Collectors.joining(","));
    }

    List<RankLayout> ranks() {
      return IntStream.range(0, program.world())
          .mapToObj(rank -> new RankLayout(program.rank(rank), Set.of()))
          .toList();
    }
  }

  ExportedProgram {
    cases = List.copyOf(cases);
  }

  static ExportedProgram of(List<Case> cases) {
    Form form = cases.getFirst().program().form();
    return new ExportedProgram(form, ProgramKernels.of(form), cases);
  }

  int world() {
    return cases.getFirst().program().world();
  }

  /** The form's name as a part of file names and of names in C. */
  String symbol() {
    return form.name().replaceAll("[^A-Za-z0-9_]", "_");
  }

  /** The kernel of the newest target; others have the same entry, threads and values. */
  PtxKernel kernel() {
    return Objects.requireNonNull(kernels.kernels().get(PtxTarget.SM_90));
  }

  Map<PtxTarget, PtxKernel> targets() {
    return kernels.kernels();
  }

  List<String> buffers() {
    return form.buffers().stream().map(Buffer::name).toList();
  }

  List<String> signals() {
    return form.signals().stream().map(SignalArray::name).toList();
  }

  List<String> families() {
    return form.lanes().stream().map(LaneFamily::name).toList();
  }

  /** The kernel's values for a rank, in the order of its parameters. */
  List<Long> values(RankProgram rank) {
    return kernel().values().stream().map(rank::known).toList();
  }

  List<Long> offsets(RankLayout layout) {
    return buffers().stream().map(layout::buffer).toList();
  }

  List<Long> bytes(RankProgram rank) {
    return buffers().stream().map(rank::bytes).toList();
  }

  /** The slots of each signal in the row of one source. */
  List<Long> slots(RankProgram rank) {
    return signals().stream().map(signal -> (long) rank.slots(signal)).toList();
  }

  /**
   * For each rank where others may send packets to it: the buffer's number, both ends and the
   * sender. A loader names them if a lane waits there.
   */
  List<List<List<Long>>> packets(Case one) {
    List<List<List<Long>>> ranks =
        IntStream.range(0, world()).<List<List<Long>>>mapToObj(_ -> new ArrayList<>()).toList();
    for (PacketSenders.Sent sent : PacketSenders.of(one.program())) {
      long buffer = buffers().indexOf(sent.buffer());
      ranks.get(sent.owner()).add(List.of(buffer, sent.low(), sent.high(), (long) sent.sender()));
    }
    return ranks;
  }

  /** The lanes of each family. */
  List<Long> lanes(RankProgram rank) {
    return families().stream()
        .map(name -> rank.lanes().stream().filter(lane -> lane.lane().name().equals(name)).count())
        .toList();
  }
}
