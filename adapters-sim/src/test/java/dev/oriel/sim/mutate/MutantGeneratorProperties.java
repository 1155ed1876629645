package dev.oriel.sim.mutate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MutantGeneratorProperties {

  @Provide
  Arbitrary<Form> forms() {
    return Arbitraries.integers()
        .between(0, 9_999)
        .list()
        .ofMinSize(30)
        .ofMaxSize(300)
        .map(FormTape::form);
  }

  @Property(tries = 200)
  void everyMutantIsADifferentProgramAndParsesBack(@ForAll("forms") Form form) {
    Set<String> digests = new HashSet<>(Set.of(form.digest()));
    for (Mutant mutant : MutantGenerator.of(form)) {
      assertThat(digests.add(mutant.form().digest())).as(mutant.name()).isTrue();
      assertThat(FormParser.parse(FormPrinter.print(mutant.form()))).isEqualTo(mutant.form());
    }
  }

  @Property(tries = 50)
  void namesAreUniqueAndTheOrderIsFixed(@ForAll("forms") Form form) {
    List<Mutant> mutants = MutantGenerator.of(form);
    assertThat(mutants).extracting(Mutant::name).doesNotHaveDuplicates();
    assertThat(MutantGenerator.of(form)).isEqualTo(mutants);
  }

  @Property(tries = 50)
  void bindingAcceptsMutantsOrExplainsTheRejection(@ForAll("forms") Form form) {
    for (Mutant mutant : MutantGenerator.of(form)) {
      try {
        Program.bind(mutant.form(), 2, Map.of());
      } catch (ProgramException e) {
        assertThat(e).hasMessageContaining(";");
      }
    }
  }
}
