package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.Completion.Failed;
import dev.oriel.ibverbs.mlx5.Completion.Side;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.ElementReader;
import dev.oriel.ibverbs.mlx5.Ring;
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
public final class QueuePair {
  private final int number;
  private final Domain domain;
  private final SoftNic nic;
  private final QueueMemory memory;
  private final CompletionQueue completions;
  private final CompletionQueue arrivals;
  private final ReceiveQueue receives;
  private final Rules rules;
  private final Admission admission;
  private final Ring ring;
  private final List<Request> underWay = new ArrayList<>();
  private final ByteBuffer block = ByteBuffer.allocate(Element.BLOCK);
  private @Nullable QueuePair peer;

  /** Counts of elements: completed ≤ fetched ≤ posted ≤ completed + slots. */
  private long posted;

  private long fetched;
  private long completed;
  private int retries;
  private boolean stopped;

  QueuePair(
      int number,
      Domain domain,
      SoftNic nic,
      QueueMemory memory,
      CompletionQueue completions,
      CompletionQueue arrivals) {
    this.number = number;
    this.domain = domain;
    this.nic = nic;
    this.memory = memory;
    this.completions = completions;
    this.arrivals = arrivals;
    receives = new ReceiveQueue(memory);
    rules = new Rules(nic.ordering());
    admission = new Admission(this, nic.limits());
    ring = new Ring(memory.sends().capacity() / Element.BLOCK);
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
  public void connect(QueuePair other) {
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
      for (Request request : underWay) {
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
  void tell(StringBuilder state) {
    state.append(posted).append(' ').append(fetched).append(' ').append(completed);
    state.append(' ').append(retries).append(' ').append(stopped);
    state.append(' ').append(receives.index()).append(' ').append(completions.count());
    state.append(' ').append(arrivals.count());
    underWay.forEach(request -> request.tell(state));
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
    long next = Ring.countFrom(posted, index);
    if (next - completed <= ring.slots()) {
      posted = next;
    } else if (!stopped) {
      nic.complain(
          "doorbell record beyond the queue: queuePair=%d, record=%d, posted=%d, completed=%d, slots=%d; wait for room, and never write a smaller count"
              .formatted(number, index, posted, completed, ring.slots()));
      underWay.add(Request.failed(Ring.index(posted), number, 0, Syndrome.LOCAL_OPERATION));
      stop();
    }
  }

  /** Collects its possible next steps, the oldest first. */
  void steps(List<Runnable> steps) {
    boolean headSeen = false;
    boolean held = false;
    for (int i = 0; i < underWay.size(); i++) {
      Request request = underWay.get(i);
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
      held |= request.element instanceof Element.Wait && !request.acted();
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

  private boolean released(Request request) {
    return !(request.element instanceof Element.Wait w)
        || domain.completions(w.completionQueue()).orElseThrow().reached(w.completion());
  }

  private void fetch() {
    int index = Ring.index(fetched);
    block.put(0, memory.sends(), Element.BLOCK * ring.slot(fetched), Element.BLOCK);
    try {
      underWay.add(admission.admit(ElementReader.read(block, 0), index));
    } catch (Refusal e) {
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
    underWay.add(Request.failed(index, number, opcode, syndrome));
    stop();
  }

  private void act(Request request) {
    if (peer != null && peer.stopped && request.kind != Kind.LOCAL) {
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

  private void land(Request request) {
    try {
      request.land();
    } catch (RuntimeException e) {
      Syndrome where = request.kind.answers() ? Syndrome.LOCAL_PROTECTION : Syndrome.REMOTE_ACCESS;
      lose(request, where, e.toString());
    }
    underWay.removeIf(Request::ended);
  }

  /** The memory or the peer went away after the element had been admitted. */
  private void lose(Request request, Syndrome syndrome, String why) {
    nic.complain(
        "lost: queuePair=%d, index=%d, syndrome=%s: %s; give back memory when nothing is under way"
            .formatted(number, request.element.head().index(), syndrome, why));
    request.fail(syndrome);
    stop();
  }

  private void complete(Request request) {
    if (request.failure() != null || request.element.head().reporting().ofSuccess()) {
      report(completions, request.completion(number));
    }
    request.complete();
    completed++;
    underWay.removeIf(Request::ended);
  }

  private void flush() {
    int opcode = Byte.toUnsignedInt(memory.sends().get(Element.BLOCK * ring.slot(fetched) + 3));
    int index = Ring.index(fetched);
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
  void arrived(Completion.Kind kind, int immediate, int bytes, int index) {
    report(arrivals, new Completion.Arrived(kind, immediate, bytes, number, index));
  }

  private void report(CompletionQueue queue, Completion completion) {
    if (!queue.write(completion)) {
      nic.complain(
          "completion queue overrun: number=%d, queuePair=%d, lost=%s; make it longer, or read it in time"
              .formatted(queue.number(), number, completion));
      stop();
    }
  }

  Domain domain() {
    return domain;
  }

  @Nullable QueuePair peer() {
    return peer;
  }

  ReceiveQueue receives() {
    return receives;
  }
}
