package dev.oriel.ibverbs.verbs;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any requests, with addresses, keys and words from the whole of their range. */
final class SomeRequests {
  private SomeRequests() {}

  static Arbitrary<WorkRequest> any() {
    return Arbitraries.oneOf(
        ofKind(0), ofKind(1), ofKind(2), ofKind(3), ofKind(4), ofKind(5), ofKind(6));
  }

  private static Arbitrary<WorkRequest> ofKind(int kind) {
    return Combinators.combine(Arbitraries.of(true, false), Arbitraries.of(true, false))
        .flatAs((signalled, fenced) -> ofKind(kind, signalled, fenced));
  }

  private static Arbitrary<WorkRequest> ofKind(int kind, boolean signalled, boolean fenced) {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.longs(),
            Arbitraries.longs().between(0, WorkRequest.MAX_BYTES),
            Arbitraries.integers(),
            Arbitraries.longs(),
            Arbitraries.integers(),
            Arbitraries.longs())
        .as((id, address, bytes, lkey, peer, rkey, value) -> {
          Local local = new Local(address, bytes, lkey);
          Remote remote = new Remote(peer, rkey);
          return switch (kind) {
            case 0 -> new WorkRequest.Write(id, signalled, fenced, local, remote);
            case 1 -> new WorkRequest.Read(id, signalled, fenced, local, remote);
            case 2 -> new WorkRequest.WriteWord(id, signalled, fenced, value, remote);
            case 3 ->
                new WorkRequest.WriteImmediate(id, signalled, fenced, local, remote, 0x01020304);
            case 4 -> new WorkRequest.Send(id, signalled, fenced, local);
            case 5 ->
                new WorkRequest.CompareSwap(
                    id,
                    signalled,
                    fenced,
                    value,
                    -1,
                    new Local(address, Long.BYTES, lkey),
                    new Remote(peer & -Long.BYTES, rkey));
            default ->
                new WorkRequest.FetchAdd(
                    id,
                    signalled,
                    fenced,
                    value,
                    new Local(address, Long.BYTES, lkey),
                    new Remote(peer & -Long.BYTES, rkey));
          };
        });
  }
}
