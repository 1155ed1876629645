package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.driver.Stream;

/** What one rank of this process launches, and where. */
record LocalRank(int rank, Gpu gpu, RankMemory memory, Stream stream, Launch launch) {}
