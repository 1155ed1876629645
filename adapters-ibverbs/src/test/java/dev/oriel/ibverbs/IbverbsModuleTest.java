package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.Test;

class IbverbsModuleTest {

  @Test
  void whoPicksRdmaIsToldThatNothingIsPostedYet() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(IbverbsModule::executor)
        .withMessageContaining("nothing posts them yet")
        .matches(MachineException::environment);
  }
}
