package dev.oriel.cuda;

import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.StreamFork;

/** The work that one rank of this process launches, and its GPU and stream. */
record LocalRank(int rank, Gpu gpu, RankMemory memory, DriverStream stream, StreamFork work) {
  /** One launch. */
  void launch() {
    stream.launch(work);
  }
}
