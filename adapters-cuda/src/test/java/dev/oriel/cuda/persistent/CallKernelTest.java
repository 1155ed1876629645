package dev.oriel.cuda.persistent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.ptx.Assembler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.persistent.ExchangePattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallKernelTest {

  /** The text contains nothing that a call changes, and no epoch is a parameter. */
  @ParameterizedTest
  @EnumSource(ExchangePattern.class)
  void valuesThatCallsChangeAreParameters(ExchangePattern exchange) {
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = CallKernel.compile(CallKernel.form(exchange), target);
      assertThat(kernel.values()).containsExactly("n", "r", "B", "K", "S");
      assertThat(kernel.threads()).isEqualTo(512);
      assertThat(kernel.networked()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(ExchangePattern.class)
  void theCompilerAcceptsTheKernel(ExchangePattern exchange) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (PtxTarget target : PtxTarget.values()) {
      PtxKernel kernel = CallKernel.compile(CallKernel.form(exchange), target);
      assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
    }
  }

  @Test
  void boundsEqualThoseOfTheForms() {
    for (ExchangePattern exchange : ExchangePattern.values()) {
      assertThat(CallKernel.form(exchange).params())
          .anySatisfy(p -> assertThat(p.max()).isEqualTo(CallKernel.MAX_BYTES))
          .anySatisfy(p -> assertThat(p.max()).isEqualTo(CallKernel.MAX_LANES));
    }
  }

  @Test
  void aRequestHasLanesForItsLongestCall() {
    assertThat(CallKernel.lanes(0)).isEqualTo(1);
    assertThat(CallKernel.lanes(1 << 14)).isEqualTo(1);
    assertThat(CallKernel.lanes((1 << 14) + 1)).isEqualTo(2);
    assertThat(CallKernel.lanes(1 << 18)).isEqualTo(4);
    assertThat(CallKernel.lanes((1 << 18) + 1)).isEqualTo(5);
    assertThat(CallKernel.lanes(1L << 28)).isEqualTo(CallKernel.MAX_LANES);
  }
}
