package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionElement.Failed;
import dev.oriel.ibverbs.mlx5.CompletionElement.Side;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementReader;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a reliable connection. It fetches elements in order up to the count in the doorbell
 * record, executes them as the ordering rules allow, and completes them in order. After the first
 * failure it executes nothing more: later elements are flushed.
 */
public final class SoftQueuePair {
  private final int number;
  private final SoftDomain domain;
  private final SoftNic nic;
  private final QueueMemory memory;
  private final SoftCompletionQueue completions;
  private final SoftCompletionQueue arrivals;
  private final ReceiveQueue receives;
  private final OrderingRules rules;
  private final ElementAdmission admission;
  private final QueueRing ring;
  private final List<ElementExecution> underWay = new ArrayList<>();
  private final ByteBuffer block = ByteBuffer.allocate(SendElement.BLOCK);
  private @Nullable SoftQueuePair peer;

  /** Counts of elements: completed ≤ fetched ≤ posted ≤ completed + slots. */
  private long posted;

  private long fetched;
  private long completed;
  private int retries;
  private boolean stopped;

  SoftQueuePair(
      int number,
      SoftDomain domain,
      SoftNic nic,
      QueueMemory memory,
      SoftCompletionQueue completions,
      SoftCompletionQueue arrivals) {
    this.number = number;
    this.domain = domain;
    this.nic = nic;
    this.memory = memory;
    this.completions = completions;
    this.arrivals = arrivals;
    receives = new ReceiveQueue(memory);
    rules = new OrderingRules(nic.ordering());
    admission = new ElementAdmission(this, nic.limits());
    ring = new QueueRing(memory.sends().capacity() / SendElement.BLOCK);
  }

  /** 24 bits, never 0. */
  public int number() {
    return number;
  }

  /**
   * Connects both ends; the other end may be this one.
   *
   * @throws MachineException if one is connected
   */
  public void connect(SoftQueuePair other) {
    if (peer != null || other.peer != null) {
      throw new MachineException(
          "already connected: queuePair=%d, other=%d; make new ones"
              .formatted(number, other.number));
    }
    peer = other;
    other.peer = this;
  }

  /** Whether the queue pair is in error. */
  public boolean stopped() {
    return stopped;
  }

  /**
   * Puts the queue pair into error: elements under way that have not acted, and all posted ones,
   * are flushed.
   */
  public void stop() {
    if (!stopped) {
      stopped = true;
      for (ElementExecution request : underWay) {
        if (!request.acted() && request.failure() == null) {
          request.fail(Syndrome.FLUSHED);
        }
      }
    }
  }

  /** Whether the register was rung and not read since. */
  boolean rung() {
    return BigEndian.getLongAcquire(memory.register(), 0) != Doorbell.IDLE;
  }

  /** Appends its part of {@link SoftNic#state}. */
  void describe(StringBuilder state) {
    state.append(posted).append(' ').append(fetched).append(' ').append(completed);
    state.append(' ').append(retries).append(' ').append(stopped);
    state.append(' ').append(receives.index()).append(' ').append(completions.count());
    state.append(' ').append(arrivals.count());
    underWay.forEach(request -> request.describe(state));
    state.append(';');
  }

  /** Reads the register, and if it was rung, the count of posted elements. */
  void listen() {
    if (!rung()) {
      return;
    }
    long word = BigEndian.exchangeLong(memory.register(), 0, Doorbell.IDLE);
    int rung = Doorbell.of(word).queuePair();
    if (rung != number) {
      nic.complain(
          "doorbell of another queue pair: queuePair=%d, expected=%d, word=0x%x; ring the queue's own"
              .formatted(rung, number, word));
      return;
    }
    int index = DoorbellRecord.sends(memory.record(), 0);
    long next = QueueRing.countFrom(posted, index);
    if (next - completed <= ring.slots()) {
      posted = next;
    } else if (!stopped) {
      nic.complain(
          "doorbell record beyond the queue: queuePair=%d, record=%d, posted=%d, completed=%d, slots=%d; wait for room, and never write a smaller count"
              .formatted(number, index, posted, completed, ring.slots()));
      underWay.add(
          ElementExecution.failed(QueueRing.index(posted), number, 0, Syndrome.LOCAL_OPERATION));
      stop();
    }
  }

  /** Collects its possible next steps, the oldest first. */
  void steps(List<Runnable> steps) {
    boolean headSeen = false;
    boolean held = false;
    for (int i = 0; i < underWay.size(); i++) {
      ElementExecution request = underWay.get(i);
      if (!headSeen && !request.completed()) {
        headSeen = true;
        if (rules.mayComplete(request)) {
          steps.add(() -> complete(request));
        }
      }
      if (rules.mayAct(underWay, i) && released(request)) {
        steps.add(() -> act(request));
      } else if (rules.mayLand(underWay, i)) {
        steps.add(() -> land(request));
      }
      held |= request.element instanceof SendElement.Wait && !request.acted();
    }
    if (!stopped
        && peer != null
        && !held
        && fetched < posted
        && underWay.size() < nic.limits().window()) {
      steps.add(this::fetch);
    } else if (stopped && underWay.isEmpty()) {
      if (fetched < posted) {
        steps.add(this::flush);
      } else if (receives.waiting() > 0) {
        steps.add(this::flushReceive);
      }
    }
  }

  private boolean released(ElementExecution request) {
    return !(request.element instanceof SendElement.Wait w)
        || domain.completions(w.completionQueue()).orElseThrow().reached(w.completion());
  }

  private void fetch() {
    int index = QueueRing.index(fetched);
    block.put(0, memory.sends(), SendElement.BLOCK * ring.slot(fetched), SendElement.BLOCK);
    try {
      underWay.add(admission.admit(ElementReader.read(block, 0), index));
    } catch (ElementRefusal e) {
      if (e.syndrome() == Syndrome.RECEIVER_NOT_READY && retries < nic.limits().retries()) {
        retries++;
        return;
      }
      refuse(index, e.syndrome(), e.getMessage());
      if (e.foundByPeer() && peer != null) {
        peer.stop();
      }
    } catch (MachineException e) {
      refuse(index, Syndrome.LOCAL_OPERATION, e.getMessage());
    }
    retries = 0;
    fetched++;
  }

  private void refuse(int index, Syndrome syndrome, @Nullable String why) {
    nic.complain(
        "refused: queuePair=%d, index=%d, syndrome=%s: %s".formatted(number, index, syndrome, why));
    int opcode = Byte.toUnsignedInt(block.get(3));
    underWay.add(ElementExecution.failed(index, number, opcode, syndrome));
    stop();
  }

  private void act(ElementExecution request) {
    if (peer != null && peer.stopped && request.kind != ElementKind.LOCAL) {
      lose(request, Syndrome.RETRIES_EXCEEDED, "peer stopped");
      return;
    }
    try {
      request.act(rules.carries());
    } catch (RuntimeException e) {
      Syndrome where = request.kind.answers() ? Syndrome.REMOTE_ACCESS : Syndrome.LOCAL_PROTECTION;
      lose(request, where, e.toString());
    }
  }

  private void land(ElementExecution request) {
    try {
      request.land();
    } catch (RuntimeException e) {
      Syndrome where = request.kind.answers() ? Syndrome.LOCAL_PROTECTION : Syndrome.REMOTE_ACCESS;
      lose(request, where, e.toString());
    }
    underWay.removeIf(ElementExecution::ended);
  }

  /** The memory or the peer went away after the element had been admitted. */
  private void lose(ElementExecution request, Syndrome syndrome, String why) {
    nic.complain(
        "lost: queuePair=%d, index=%d, syndrome=%s: %s; give back memory when nothing is under way"
            .formatted(number, request.element.head().index(), syndrome, why));
    request.fail(syndrome);
    stop();
  }

  private void complete(ElementExecution request) {
    if (request.failure() != null || request.element.head().reporting().ofSuccess()) {
      report(completions, request.completion(number));
    }
    request.complete();
    completed++;
    underWay.removeIf(ElementExecution::ended);
  }

  private void flush() {
    int opcode = Byte.toUnsignedInt(memory.sends().get(SendElement.BLOCK * ring.slot(fetched) + 3));
    int index = QueueRing.index(fetched);
    fetched++;
    completed++;
    report(completions, new Failed(Side.REQUESTER, Syndrome.FLUSHED, 0, opcode, number, index));
  }

  private void flushReceive() {
    int index = receives.index();
    receives.take();
    report(arrivals, new Failed(Side.RESPONDER, Syndrome.FLUSHED, 0, 0, number, index));
  }

  /** A receive of this end was filled. */
  void arrived(CompletionElement.Kind kind, int immediate, int bytes, int index) {
    report(arrivals, new CompletionElement.Arrived(kind, immediate, bytes, number, index));
  }

  private void report(SoftCompletionQueue queue, CompletionElement completion) {
    if (!queue.write(completion)) {
      nic.complain(
          "completion queue overrun: number=%d, queuePair=%d, lost=%s; make it longer, or read it in time"
              .formatted(queue.number(), number, completion));
      stop();
    }
  }

  SoftDomain domain() {
    return domain;
  }

  @Nullable SoftQueuePair peer() {
    return peer;
  }

  ReceiveQueue receives() {
    return receives;
  }
}
