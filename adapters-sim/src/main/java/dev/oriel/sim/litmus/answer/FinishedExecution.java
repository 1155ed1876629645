package dev.oriel.sim.litmus.answer;

import java.util.List;

/** An execution in which all threads have finished, of either engine. */
public interface FinishedExecution {
  /** The final value of a register of the thread with that number in the text. */
  long register(int thread, String name);

  /** The values that a memory may hold at the end. */
  List<Long> last(int memory);
}
