package dev.oriel.domain.binding;

import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.Region;

/** Proves of one operation that a hook's maps stay inside the arrays that it is handed. */
final class HookProof {
  private final Proofs proofs;
  private final BoundHook hook;

  HookProof(Proofs proofs, BoundHook hook) {
    this.proofs = proofs;
    this.hook = hook;
  }

  /** What is made is whole elements. */
  void outputs(Expr bytes) {
    int size = hook.hook().result().bytes();
    if (!proofs.values().multiple(bytes, size)) {
      throw proofs.fail(
          "length is not whole elements",
          "bytes=" + Printer.print(bytes) + ", element=" + size,
          "use a multiple of the element's size");
    }
  }

  void destination(Region region) {
    proofs.aligned(region, hook.hook().result().bytes(), "misaligned elements");
  }

  /** How many bytes of a source are taken, from its region's first one on. */
  Linear taken(int source, Region region, Expr bytes) {
    proofs.aligned(region, type(source).type().bytes(), "misaligned elements");
    if (!proofs.prover().nonNegative(proofs.values().of(hook.least(source, bytes)))) {
      throw proofs.fail(
          "index map leaves its array",
          "hook=%s, source=in%d, map=%s, buffer=%s, least=%s"
              .formatted(
                  hook.hook().name(),
                  source,
                  MapForm.of(type(source).map()).text(),
                  region.buffer(),
                  Printer.print(hook.least(source, bytes))),
          "keep every index from 0 on");
    }
    return proofs.values().of(hook.taken(source, bytes));
  }

  /** Whether a source may lie where the outputs go: output i is made of element i alone. */
  boolean inPlace(int source) {
    return type(source).map().equals(IndexMap.IDENTITY)
        && type(source).type().bytes() == hook.hook().result().bytes();
  }

  private HookSource type(int source) {
    return hook.hook().sources().get(source);
  }
}
