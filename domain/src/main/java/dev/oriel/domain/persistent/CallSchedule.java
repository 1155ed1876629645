package dev.oriel.domain.persistent;

import dev.oriel.domain.persistent.CallStep.PeerSignal;
import dev.oriel.domain.persistent.CallStep.PeerWait;
import dev.oriel.domain.persistent.CallStep.Put;
import dev.oriel.domain.persistent.CallStep.Settle;
import dev.oriel.domain.persistent.CallStep.Word;
import java.util.ArrayList;
import java.util.List;

/** The order of one rank's steps in a call. */
@FunctionalInterface
public interface CallSchedule {

  /**
   * Copies each rank's share directly to each rank, at the place of the sending rank. Each rank
   * starts with the next one, so that the ranks do not all write to the same one at once. A range
   * is written only after its owner has begun this call, and has thus read the result of the last
   * one.
   */
  CallSchedule DIRECT = CallSchedule::direct;

  /**
   * The steps in order.
   *
   * @param bytes from each rank to each rank
   * @param there whether the rank's bytes for itself are already in place
   */
  List<CallStep> steps(ExchangePattern exchange, int rank, int world, long bytes, boolean there);

  private static List<CallStep> direct(
      ExchangePattern exchange, int rank, int world, long bytes, boolean there) {
    List<CallStep> steps = new ArrayList<>();
    for (int i = 1; i < world; i++) {
      steps.add(new PeerSignal((rank + i) % world, Word.READY));
    }
    if (!there) {
      steps.add(new Put(rank, exchange.share(rank, bytes), rank * bytes, bytes));
    }
    for (int i = 1; i < world; i++) {
      int peer = (rank + i) % world;
      steps.add(new PeerWait(peer, Word.READY));
      steps.add(new Put(peer, exchange.share(peer, bytes), rank * bytes, bytes));
      steps.add(new PeerSignal(peer, Word.DATA));
    }
    for (int i = 1; i < world; i++) {
      steps.add(new PeerWait((rank + i) % world, Word.DATA));
    }
    for (int i = there ? 1 : 0; i < world; i++) {
      steps.add(new Settle((rank + i) % world));
    }
    return steps;
  }
}
