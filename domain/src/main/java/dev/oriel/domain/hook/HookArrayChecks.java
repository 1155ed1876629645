package dev.oriel.domain.hook;

import java.util.List;

/** The requirements on the arrays that a hook is applied to. */
final class HookArrayChecks {

  private HookArrayChecks() {}

  static void require(Hook hook, List<HookArray> sources, HookArray output) {
    if (sources.size() != hook.sources().size()) {
      throw new IllegalArgumentException(
          "wrong number of sources: hook=%s, given=%d, declared=%d; give each declared one"
              .formatted(hook.name(), sources.size(), hook.sources().size()));
    }
    if (output.elements().type() != hook.result()) {
      throw new IllegalArgumentException(
          "output of another type: hook=%s, type=%s, expected=%s; give one of that type"
              .formatted(hook.name(), output.elements().type(), hook.result()));
    }
    for (int k = 0; k < sources.size(); k++) {
      requireSource(hook, k, sources.get(k), output);
    }
  }

  private static void requireSource(Hook hook, int k, HookArray source, HookArray output) {
    HookSource declared = hook.sources().get(k);
    if (source.elements().type() != declared.type()) {
      throw new IllegalArgumentException(
          "source of another type: hook=%s, source=in%d, type=%s, expected=%s; %s"
              .formatted(
                  hook.name(),
                  k,
                  source.elements().type(),
                  declared.type(),
                  "give one of that type"));
    }
    boolean inPlace =
        source.elements().startsLike(output.elements())
            && source.origin() == output.origin()
            && declared.map().equals(hook.target());
    if (source.elements().overlaps(output.elements()) && !inPlace) {
      throw new IllegalArgumentException(
          "output overlaps a source: hook=%s, source=in%d; give it memory of its own"
              .formatted(hook.name(), k));
    }
  }

  static void requireRange(long first, long count) {
    if (first < 0 || count < 0 || first > IndexMap.MAX_INDEX - count) {
      throw new IllegalArgumentException(
          "bad range of outputs: first=%d, count=%d, most=%d; stay inside"
              .formatted(first, count, IndexMap.MAX_INDEX));
    }
  }

  static IllegalArgumentException outside(
      String what, String name, Hook hook, long i, long index, HookArray array) {
    return new IllegalArgumentException(
        "%s index out of range: hook=%s, array=%s, i=%d, index=%d, origin=%d, count=%d; %s"
            .formatted(
                what,
                hook.name(),
                name,
                i,
                index,
                array.origin(),
                array.elements().count(),
                "give a longer array or shorten the range"));
  }
}
