package dev.oriel.ports.contract;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.SetupStatus;
import java.time.Duration;
import java.util.List;

/**
 * A rank's end of a group in which a test overrides some methods; the real end handles all others.
 */
public abstract class DelegatingBootstrap implements Bootstrap {
  private final Bootstrap real;

  protected DelegatingBootstrap(Bootstrap real) {
    this.real = real;
  }

  @Override
  public int rank() {
    return real.rank();
  }

  @Override
  public int world() {
    return real.world();
  }

  @Override
  public Duration deadline() {
    return real.deadline();
  }

  @Override
  public List<byte[]> allGather(String step, byte[] mine, Duration deadline) {
    return real.allGather(step, mine, deadline);
  }

  @Override
  public void barrier(String step, Duration deadline) {
    real.barrier(step, deadline);
  }

  @Override
  public void agree(String step, SetupStatus mine, Duration deadline) {
    real.agree(step, mine, deadline);
  }

  @Override
  public void close() {
    real.close();
  }
}
