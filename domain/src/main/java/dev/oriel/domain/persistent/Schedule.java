package dev.oriel.domain.persistent;

import dev.oriel.domain.persistent.Step.Hear;
import dev.oriel.domain.persistent.Step.Put;
import dev.oriel.domain.persistent.Step.Settle;
import dev.oriel.domain.persistent.Step.Tell;
import dev.oriel.domain.persistent.Step.Word;
import java.util.ArrayList;
import java.util.List;

/** What a rank does in a call. */
@FunctionalInterface
public interface Schedule {

  /**
   * Each rank's share to each rank, at the place of the rank that it is from. Each begins with the
   * next rank, so that no rank is written to by all at once. A range is written only once its owner
   * has begun this very call: what it made of the last one has been read by then.
   */
  Schedule DIRECT = Schedule::direct;

  /**
   * The steps in order.
   *
   * @param bytes from each rank to each
   * @param there whether what the rank has for itself stands at its place already
   */
  List<Step> steps(Exchange exchange, int rank, int world, long bytes, boolean there);

  private static List<Step> direct(
      Exchange exchange, int rank, int world, long bytes, boolean there) {
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i < world; i++) {
      steps.add(new Tell((rank + i) % world, Word.READY));
    }
    if (!there) {
      steps.add(new Put(rank, exchange.share(rank, bytes), rank * bytes, bytes));
    }
    for (int i = 1; i < world; i++) {
      int peer = (rank + i) % world;
      steps.add(new Hear(peer, Word.READY));
      steps.add(new Put(peer, exchange.share(peer, bytes), rank * bytes, bytes));
      steps.add(new Tell(peer, Word.DATA));
    }
    for (int i = 1; i < world; i++) {
      steps.add(new Hear((rank + i) % world, Word.DATA));
    }
    for (int i = there ? 1 : 0; i < world; i++) {
      steps.add(new Settle((rank + i) % world));
    }
    return steps;
  }
}
