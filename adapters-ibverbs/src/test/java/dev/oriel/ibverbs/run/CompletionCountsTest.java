package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.CompletionStatus;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.WorkCompletion;
import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.Test;

final class CompletionCountsTest {
  private static SendQueue posted() {
    SendQueue queue = new SendQueue(1, 0, 8, _ -> {});
    long ignored =
        queue.post(
            RequestEffect.WRITES,
            (id, signalled, fenced) ->
                new WorkRequest.WriteWord(id, signalled, fenced, 1, WorkRequest.Remote.NOWHERE));
    return queue;
  }

  private static void end(SendQueue queue, CompletionStatus status) {
    queue.end(new WorkCompletion(1, 7, status, 0, 0, 0, 0));
  }

  @Test
  void everyEndedRequestCountsOnce() {
    HostMemory memory = HostMemory.allocate(64);
    CompletionCounts counts = new CompletionCounts(memory);
    SendQueue queue = posted();
    counts.after(queue, 1, 8);
    counts.after(queue, 0, 16);
    assertThat(counts.progress()).isTrue();
    assertThat(counts.progress()).isFalse();
    assertThat(counts.isEmpty()).isFalse();
    end(queue, CompletionStatus.SUCCESS);
    assertThat(counts.progress()).isTrue();
    assertThat(counts.progress()).isFalse();
    assertThat(counts.isEmpty()).isTrue();
    assertThat(memory.getAcquire(8)).isEqualTo(1);
    assertThat(memory.getAcquire(16)).isEqualTo(1);
    memory.close();
  }

  @Test
  void aFailedQueueCountsNothingTwice() {
    HostMemory memory = HostMemory.allocate(64);
    CompletionCounts counts = new CompletionCounts(memory);
    SendQueue fine = posted();
    SendQueue lost = posted();
    counts.after(fine, 1, 8);
    counts.after(lost, 1, 16);
    end(fine, CompletionStatus.SUCCESS);
    end(lost, CompletionStatus.RETRIES);
    for (int look = 0; look < 3; look++) {
      assertThatExceptionOfType(MachineException.class).isThrownBy(counts::progress);
    }
    assertThat(memory.getAcquire(8)).isEqualTo(1);
    assertThat(memory.getAcquire(16)).isZero();
    memory.close();
  }
}
