package dev.oriel.sim.machine.settings;

/**
 * An order that the machine supplies in addition to the program.
 *
 * @param context the context whose calls the remedy orders, if it is one for contexts; {@link
 *     #EVERY} for all
 */
public record SuppliedOrder(OrderRemedy remedy, int context) {
  /** The calls of all contexts. */
  public static final int EVERY = -1;

  /** The program as it is. */
  public static final SuppliedOrder NONE = new SuppliedOrder(OrderRemedy.NONE, EVERY);

  /** The change of the program that supplies this order, in words. */
  public String advice() {
    return remedy.advice(context);
  }
}
