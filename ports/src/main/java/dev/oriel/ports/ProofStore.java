package dev.oriel.ports;

import java.util.List;

/**
 * Remembers verdicts, so that an adapter can refuse to run what was never proved.
 *
 * <p>Scope: one process or one host. Several threads may use one store. Order: what one thread
 * kept, every later {@link #find} sees.
 *
 * <p>Verdicts of different models, strategies or numbers of launches stand beside each other: a
 * lucky search never hides what another one found, and a weak model never stands for a strong one.
 */
public interface ProofStore {

  /**
   * Every verdict on exactly that program, lowered exactly so, the last kept first.
   *
   * @return at most one for each model, strategy and number of launches
   * @throws MachineException if what was kept cannot be read
   */
  List<Verdict> find(String program, String lowered);

  /**
   * Keeps a verdict, in the place of an earlier one of the same program, lowering, model, strategy
   * and number of launches; all of it or nothing.
   *
   * @throws MachineException if it cannot be kept
   */
  void keep(Verdict verdict);
}
