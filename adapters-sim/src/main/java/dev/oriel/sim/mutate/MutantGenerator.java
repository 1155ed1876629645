package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.rewrite.OperationPlace;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every program that differs from a given one by one mistake, each once, in a fixed order. */
public final class MutantGenerator {
  private final Set<String> digests = new HashSet<>();
  private final List<Mutant> mutants = new ArrayList<>();

  private MutantGenerator(Form original) {
    digests.add(original.digest());
  }

  /** The valid mutants; their digests differ from one another and from the original's. */
  public static List<Mutant> of(Form form) {
    MutantGenerator mutants = new MutantGenerator(form);
    List<RewriteSite> spots = RewriteSite.of(form);
    for (Mutation mutation : Mutation.ALL) {
      spots.forEach(spot -> mutants.add(mutation.id(), spot.place(), mutation.at(spot)));
    }
    for (DeclarationMutation mutation : DeclarationMutation.values()) {
      mutation.of(form).forEach(d -> mutants.add(mutation.id(), d.place(), Stream.of(d.form())));
    }
    return List.copyOf(mutants.mutants);
  }

  private void add(String mutation, OperationPlace place, Stream<Form> wrong) {
    int before = mutants.size();
    wrong
        .filter(MutantGenerator::isProgram)
        .filter(form -> digests.add(form.digest()))
        .forEach(
            form -> mutants.add(new Mutant(mutation, place, mutants.size() - before + 1, form)));
  }

  private static boolean isProgram(Form form) {
    try {
      FormValidator.validate(form);
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }
}
