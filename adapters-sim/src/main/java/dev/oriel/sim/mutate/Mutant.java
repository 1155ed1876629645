package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.rewrite.Place;

/**
 * A form that is wrong in one place.
 *
 * @param mutation the name of the mistake
 * @param place the operation or declaration that it was made at, as it stands in the original
 * @param number tells apart several mistakes of one kind at one place, from 1 on
 */
public record Mutant(String mutation, Place place, int number, Form form) {

  /** The mistake and its place; unique among the mutants of a form. */
  public String name() {
    return mutation + "." + number + " at " + place;
  }
}
