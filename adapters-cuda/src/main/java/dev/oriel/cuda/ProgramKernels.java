package dev.oriel.cuda;

import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A form's kernels for GPUs that reach one another, one for each target that can run it. Something
 * other than this library launches them.
 *
 * @param atomics whether a GPU changes words of another by atomic instructions
 */
public record ProgramKernels(Map<PtxTarget, PtxKernel> kernels, boolean atomics) {

  public ProgramKernels {
    kernels = Map.copyOf(kernels);
  }

  /**
   * Compiles the form.
   *
   * @throws ProgramException if no target can run it as one kernel
   */
  public static ProgramKernels of(Form form) {
    var lowered = FormLowering.lower(form, Set.of(PeerKind.NVLINK));
    if (ChainLoader.serves(lowered)) {
      throw new ProgramException(
          "copy engines run these lanes, not a kernel: form=%s; use a program of sm lanes"
              .formatted(form.name()));
    }
    Map<PtxTarget, PtxKernel> kernels = new TreeMap<>();
    kernels.put(PtxTarget.SM_90, new PtxCompiler(PtxTarget.SM_90).compile(lowered));
    try {
      kernels.put(PtxTarget.SM_80, new PtxCompiler(PtxTarget.SM_80).compile(lowered));
    } catch (ProgramException _) {
      // The newer target has what this one lacks.
    }
    return new ProgramKernels(kernels, PeerAccessRequirement.of(lowered).atomic().isPresent());
  }
}
