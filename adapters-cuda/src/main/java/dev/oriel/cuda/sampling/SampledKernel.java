package dev.oriel.cuda.sampling;

import java.util.List;

/**
 * A kernel that runs many copies of a small concurrent program at once, distributed over the GPUs.
 *
 * @param ptx its text, for the target that {@code entry} is compiled for
 * @param entry its name; its parameters are {@code cells[8 words], out, meet, gpu, seed, lanes,
 *     groups, turns}
 * @param blocks thread blocks of one copy on each GPU
 * @param threads threads of a block that belong to one copy
 * @param initial the initial value of each word of a copy
 * @param outputs words that a copy reports
 * @param stride bytes from a word of one copy to the same word of the next
 */
public record SampledKernel(
    String ptx,
    String entry,
    List<Integer> blocks,
    int threads,
    List<Long> initial,
    int outputs,
    int stride) {
  public SampledKernel {
    blocks = List.copyOf(blocks);
    initial = List.copyOf(initial);
  }

  /** The number of GPUs it runs on. */
  public int gpus() {
    return blocks.size();
  }
}
