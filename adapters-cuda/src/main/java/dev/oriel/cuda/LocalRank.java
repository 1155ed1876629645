package dev.oriel.cuda;

import dev.oriel.cuda.driver.Fork;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Stream;

/** The work that one rank of this process launches, and its GPU and stream. */
record LocalRank(int rank, Gpu gpu, RankMemory memory, Stream stream, Fork work) {
  /** One launch. */
  void launch() {
    stream.launch(work);
  }
}
