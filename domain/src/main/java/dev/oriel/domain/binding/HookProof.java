package dev.oriel.domain.binding;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Told;

/** Proves of one operation that a hook's maps stay inside the arrays that it is handed. */
final class HookProof {
  private final Proofs proofs;

  /** The hook with the operands that it is told. */
  private final HookForm hook;

  /**
   * @param apply of the rank, see {@link RankProgram#bound(Combine)}
   */
  HookProof(Proofs proofs, Combine.Apply apply) {
    this.proofs = proofs;
    this.hook = apply.toldHook();
    // What is told moves maps as a whole; all else that must hold of a hook does so without it.
    Told zero = apply.told().with(operand -> Expr.of(0));
    BoundHook.of(new Combine.Apply(apply.hook(), zero).toldHook());
    Expr peer = apply.told().fields().get(ContextField.PEER);
    if (peer != null) {
      proofs.owners(Peers.one(peer));
    }
  }

  /** What is made is whole elements. */
  void outputs(Expr bytes) {
    int size = hook.result().bytes();
    if (!proofs.values().multiple(bytes, size)) {
      throw proofs.fail(
          "length is not whole elements",
          "bytes=" + Printer.print(bytes) + ", element=" + size,
          "use a multiple of the element's size");
    }
  }

  /** Up to where a destination is written, from its region's first byte on. */
  Linear destination(Region region, Expr bytes) {
    return reach("target", hook.target(), hook.result().bytes(), region, bytes);
  }

  /** How many bytes of a source are taken, from its region's first one on. */
  Linear taken(int source, Region region, Expr bytes) {
    HookForm.Source from = hook.sources().get(source);
    return reach("source=in" + source, from.map(), from.type().bytes(), region, bytes);
  }

  private Linear reach(String array, MapForm map, int element, Region region, Expr bytes) {
    proofs.aligned(region, element, "misaligned elements");
    Reach reach = new Reach(map, element, hook.result().bytes());
    Expr least = reach.least(bytes);
    if (!proofs.prover().nonNegative(proofs.values().of(least))) {
      throw proofs.fail(
          "index map leaves its array",
          "hook=%s, %s, map=%s, buffer=%s, least=%s"
              .formatted(hook.name(), array, map.text(), region.buffer(), Printer.print(least)),
          "keep every index from 0 on");
    }
    return proofs.values().of(reach.end(bytes));
  }

  /** Whether a source may lie where the outputs go: output i replaces its element for i. */
  boolean inPlace(int source) {
    HookForm.Source from = hook.sources().get(source);
    return from.map().equals(hook.target()) && from.type().bytes() == hook.result().bytes();
  }
}
