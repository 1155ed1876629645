package dev.oriel.domain.persistent;

import dev.oriel.domain.persistent.Step.Hear;
import dev.oriel.domain.persistent.Step.Put;
import dev.oriel.domain.persistent.Step.Settle;
import dev.oriel.domain.persistent.Step.Tell;
import dev.oriel.domain.persistent.Step.Word;
import java.util.ArrayList;
import java.util.List;

/** What a rank does in a call in which every rank contributes as many bytes. */
@FunctionalInterface
public interface Schedule {

  /**
   * Every rank's bytes to every rank, at the place of their rank. Each begins with the next rank,
   * so that no rank is written to by all at once. A range is written only once its owner has begun
   * this very call: what it made of the last one has been read by then.
   */
  Schedule ALL_GATHER = Schedule::allGather;

  /**
   * The steps in order.
   *
   * @param there whether the rank's own bytes stand at their place already
   */
  List<Step> steps(int rank, int world, long bytes, boolean there);

  private static List<Step> allGather(int rank, int world, long bytes, boolean there) {
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i < world; i++) {
      steps.add(new Tell((rank + i) % world, Word.READY));
    }
    if (!there) {
      steps.add(new Put(rank, rank * bytes, bytes));
    }
    for (int i = 1; i < world; i++) {
      int peer = (rank + i) % world;
      steps.add(new Hear(peer, Word.READY));
      steps.add(new Put(peer, rank * bytes, bytes));
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
