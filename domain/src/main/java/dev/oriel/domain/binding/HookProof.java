package dev.oriel.domain.binding;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;

/** Proves for one operation that a hook's maps stay inside the hook's arrays. */
final class HookProof {
  private final OperationProof proofs;

  /** The hook, with its symbolic operands. */
  private final HookForm hook;

  /**
   * @param apply the hook bound to the rank, see {@link RankProgram#bound(Combine)}
   */
  HookProof(OperationProof proofs, Combine.Apply apply) {
    this.proofs = proofs;
    this.hook = apply.boundHook();
    // The fields that a move sets only shift maps as a whole; all other requirements on a hook hold
    // without them.
    HookOperands zero = apply.operands().with(operand -> Expr.of(0));
    BoundHook.of(new Combine.Apply(apply.hook(), zero).boundHook());
    Expr peer = apply.operands().fields().get(ContextField.PEER);
    if (peer != null) {
      proofs.owners(Peers.one(peer));
    }
  }

  /** Requires that the result consists of whole elements. */
  void outputs(Expr bytes) {
    proofs.whole(bytes, hook.result().bytes(), "element");
  }

  /** The end of the bytes written in a destination, from its region's first byte. */
  LinearExpression destination(Region region, Expr bytes) {
    return reach("target", hook.target(), hook.result().bytes(), region, bytes);
  }

  /** The end of the bytes taken from a source, from its region's first byte. */
  LinearExpression taken(int source, Region region, Expr bytes) {
    HookForm.Source from = hook.sources().get(source);
    return reach("source=in" + source, from.map(), from.type().bytes(), region, bytes);
  }

  private LinearExpression reach(
      String array, MapForm map, int element, Region region, Expr bytes) {
    proofs.aligned(region, element, "elements");
    HookMapRange reach = new HookMapRange(map, element, hook.result().bytes());
    Expr least = reach.least(bytes);
    if (!proofs.prover().nonNegative(proofs.values().of(least))) {
      throw proofs.fail(
          region,
          "index map leaves its array",
          "hook=%s, %s, map=%s, buffer=%s, least=%s"
              .formatted(hook.name(), array, map.text(), region.buffer(), FormPrinter.print(least)),
          "keep every index from 0 on");
    }
    return proofs.values().of(reach.end(bytes));
  }

  /** Whether a source may coincide with the destination: output i replaces its element for i. */
  boolean inPlace(int source) {
    HookForm.Source from = hook.sources().get(source);
    return from.map().equals(hook.target()) && from.type().bytes() == hook.result().bytes();
  }
}
