package dev.oriel.ports.contract;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import dev.oriel.ports.persistent.StepMachine;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The requirements on persistent calls over the windows and streams of any machine. */
@ParameterizedClass
@EnumSource(ExchangePattern.class)
public abstract class PersistentContract extends WorldFixture
    implements PersistentCallTests, PersistentLifeTests, PersistentFailureTests {
  @Parameter ExchangePattern exchange = ExchangePattern.ALL_GATHER;

  @Override
  public final ExchangePattern exchange() {
    return exchange;
  }

  /** A stream of the window's rank; equal numbers mean the same stream. */
  protected abstract CallStream stream(Window window, long id);

  /** The machine that makes calls over the window. */
  protected CallMachine machine(Window window, CallSpec spec) {
    return new StepMachine(window, spec);
  }

  @Override
  public final CallingRank rank(Window window, PersistentCalls calls) {
    return new CallingRank(exchange, window, calls, id -> stream(window, id));
  }

  @Override
  public final PersistentCalls over(Window window, CallSpec spec) throws TimeoutException {
    return PersistentCalls.over(window, spec, machine(window, spec), LONG);
  }
}
