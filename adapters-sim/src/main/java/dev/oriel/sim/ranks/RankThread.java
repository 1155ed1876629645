package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs the code of one rank, in each execution on a thread of its own that ends with it. */
final class RankThread implements Rank {
  private final RankCode code;
  private final WindowSpec spec;
  private final int world;
  private final int rank;
  private final Executor threads;
  private Desk desk = new Desk();
  private @Nullable Throwable thrown;
  private boolean told;
  private boolean running;

  RankThread(RankCode code, WindowSpec spec, int world, int rank, Executor threads) {
    this.code = code;
    this.spec = spec;
    this.world = world;
    this.rank = rank;
    this.threads = threads;
  }

  @Override
  public void restart(boolean tells) {
    stop();
    desk = new Desk();
    thrown = null;
    told = tells;
  }

  @Override
  public Optional<Request> next(Optional<Reply> reply) {
    Optional<Request> next;
    if (reply.isPresent()) {
      next = desk.answer(reply.get());
    } else {
      next = desk.first(() -> start(Thread.currentThread()));
    }
    running = next.isPresent();
    return next;
  }

  private void start(Thread machine) {
    threads.execute(() -> {
      if (Thread.currentThread().equals(machine)) {
        throw new MachineException(
            "executor runs tasks on the thread that passes them: rank=%d; pass one that has a thread for each rank and one more, as Thread::startVirtualThread"
                .formatted(rank));
      }
      run();
    });
  }

  private void run() {
    try (RankWindow window = new RankWindow(spec, world, rank, desk, told, () -> {})) {
      code.run(window, rank);
    } catch (Over e) {
      // The machine ended it, or it would not have been thrown.
    } catch (Throwable e) {
      thrown = e;
    } finally {
      desk.leave();
    }
  }

  @Override
  public Optional<Throwable> thrown() {
    return Optional.ofNullable(thrown);
  }

  @Override
  public String where(Throwable failure) {
    String file = code.getClass().getName().replaceAll("[$/].*", "");
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (frame.getClassName().replaceAll("[$/].*", "").equals(file)) {
        return frame.getFileName() + ":" + frame.getLineNumber();
      }
    }
    return "unknown place";
  }

  @Override
  public void stop() {
    if (running) {
      desk.end();
      running = false;
    }
  }
}
