package dev.oriel.domain.binding;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.Region;
import java.util.List;
import java.util.function.IntFunction;

/** Proves that a post-condition speaks of ranks and bytes that exist. */
final class EnsureCheck {
  private EnsureCheck() {}

  static void check(
      RankProgram rank, IntFunction<RankProgram> ranks, Ensure ensure, Effort effort) {
    String where = "rank=" + rank.rank() + ", ensure=" + Printer.print(ensure.actual());
    Proofs proofs = new Proofs(rank, ranks, effort, () -> where);
    Abstract values = proofs.values();
    if (ensure.grouping() instanceof Grouping.By(Expr size) && rank.value(size) < 1) {
      throw proofs.fail(
          "group without a size", "by=" + Printer.print(size), "give a number from 1 on");
    }
    List<Integer> over = proofs.owners(ensure.over());
    for (int peer : over) {
      effort.spend();
      if (!ensure.variable().isEmpty()) {
        values.put(ensure.variable(), peer == Traffic.ANY ? values.anyRank() : Linear.of(peer));
      }
      Linear bytes = proofs.bytes(ensure.bytes());
      proofs.inside(ensure.actual(), bytes, rank.rank());
      if (rank.bound(ensure.combine()) instanceof Combine.Apply(HookForm hook)) {
        hook(proofs, ensure, hook);
        continue;
      }
      SeriesWalk.each(
          rank,
          proofs,
          ensure.expected(),
          effort,
          source ->
              proofs.owners(source.at()).forEach(owner -> proofs.inside(source, bytes, owner)));
      if (ensure.combine() instanceof Combine.Reduce(var op, var type, var accumulator)
          && !values.multiple(ensure.bytes(), type.bytes())) {
        throw proofs.fail(
            "length is not whole elements",
            "bytes=" + Printer.print(ensure.bytes()) + ", element=" + type.bytes(),
            "use a multiple of the element's size");
      }
    }
  }

  private static void hook(Proofs proofs, Ensure ensure, HookForm form) {
    HookProof proof = new HookProof(proofs, BoundHook.of(form));
    proof.outputs(ensure.bytes());
    for (int k = 0; k < ensure.expected().size(); k++) {
      Region source = ensure.expected().get(k).region();
      Linear taken = proof.taken(k, source, ensure.bytes());
      proofs.owners(source.at()).forEach(owner -> proofs.inside(source, taken, owner));
    }
  }
}
