package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.rewrite.OperationPlace;

/**
 * A form that is wrong in one place.
 *
 * @param mutation the name of the mistake
 * @param place the operation or declaration with the mistake, as it is in the original
 * @param number distinguishes several mistakes of one kind at one place, from 1
 */
public record Mutant(String mutation, OperationPlace place, int number, Form form) {

  /** The mistake and its place; unique among the mutants of a form. */
  public String name() {
    return mutation + "." + number + " at " + place;
  }
}
