package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.nic.RequestQueues;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/** Steps of lanes that post requests to network interfaces. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class PostingSteps {
  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;
  private final OrderingAssumptions kept;
  private final LaneOperands names;
  private final RequestRing ring;
  private final RequestQueues queues;

  public PostingSteps(
      SharedSubsystems shared, LaneOperands names, RequestRing ring, RequestQueues queues) {
    model = shared.model;
    agents = model.agents;
    memory = shared.memory;
    clocks = shared.clocks;
    kept = shared.kept;
    this.names = names;
    this.ring = ring;
    this.queues = queues;
  }

  /** Computes the queue of the lane's next request, once, when the lane arrives at it. */
  void aim(MachineState s, int lane, int[] ops, int at) {
    s.wantedQueue[lane] = names.queue(s, lane, ops[at + 2], ops[at + 3]);
  }

  void post(MachineState s, int lane, int[] ops, int at, boolean failed) {
    int kind = ops[at + 1];
    if (failed && movesOrChanges(kind)) {
      return;
    }
    int queue = s.wantedQueue[lane];
    int peer = agents.queuePeer[queue];
    if (kind == Request.SLOT && kept.releases) {
      clocks.barrier(s, lane);
      clocks.fence(s, lane, model.levels - 1);
    }
    int e = queues.post(s, queue, kind, ops[at + 4] == 1, ops[at + 5] == 1, at);
    int a = at + 6;
    switch (kind) {
      case Request.WRITE, Request.READ -> transfer(s, lane, peer, e, ops, a);
      case Request.SLOT -> {
        slotChange(s, lane, peer, queue, e, ops, a);
        queues.covers(s, queue, e, AccessOrders.releases(ops[a + 4]) || kept.releases, ops[a + 5]);
      }
      case Request.WRITE_AND_SIGNAL -> {
        transfer(s, lane, peer, e, ops, a);
        slotChange(s, lane, peer, queue, e, ops, a + 5);
      }
      case Request.CHANGE -> {
        s.requests[e + RequestLayout.LOCAL] = ops[a];
        if (ops[a] >= 0) {
          long to = names.value(s, lane, ops[a + 1]);
          s.requests[e + RequestLayout.LOCAL_AT] =
              memory.checked(model.rank(lane), ops[a], to, Long.BYTES);
        }
        s.requests[e + RequestLayout.WORD] = names.word(s, lane, peer, ops[a + 2], ops[a + 3]);
        s.requests[e + RequestLayout.CHANGE] = ops[a + 4];
        queues.operands(
            s,
            queue,
            names.value(s, lane, ops[a + 5]),
            names.origin(s, lane, ops[a + 5]),
            names.value(s, lane, ops[a + 6]));
      }
      case Request.COUNT -> {
        s.requests[e + RequestLayout.WORD] =
            names.word(s, lane, model.rank(lane), ops[a], ops[a + 1]);
        s.requests[e + RequestLayout.CHANGE] = Atomic.ADD.ordinal();
        queues.operands(s, queue, 1, 0, 0);
      }
      case Request.LOCK -> {
        s.requests[e + RequestLayout.WORD] = names.word(s, lane, peer, ops[a], ops[a + 1]);
        s.requests[e + RequestLayout.CHANGE] = Atomic.SET.ordinal();
        queues.operands(s, queue, 1, 0, 0);
      }
      default -> {}
    }
  }

  /** Whether a failed lane skips the request. It still signals, and still reports completion. */
  private static boolean movesOrChanges(int kind) {
    return switch (kind) {
      case Request.WRITE, Request.READ, Request.CHANGE, Request.LOCK, Request.COUNT -> true;
      default -> false;
    };
  }

  private void transfer(MachineState s, int lane, int peer, int e, int[] ops, int a) {
    long length = s.failure[lane] == 0 ? names.value(s, lane, ops[a + 4]) : 0;
    s.requests[e + RequestLayout.LOCAL] = ops[a];
    s.requests[e + RequestLayout.LOCAL_AT] =
        memory.checked(model.rank(lane), ops[a], names.value(s, lane, ops[a + 1]), length);
    s.requests[e + RequestLayout.REMOTE] = ops[a + 2];
    s.requests[e + RequestLayout.REMOTE_AT] =
        memory.checked(peer, ops[a + 2], names.value(s, lane, ops[a + 3]), length);
    ring.bytes(s, e, (int) length);
  }

  private void slotChange(MachineState s, int lane, int peer, int queue, int e, int[] ops, int a) {
    int rank = model.rank(lane);
    s.requests[e + RequestLayout.WORD] =
        names.slot(peer, ops[a], rank, names.value(s, lane, ops[a + 1]));
    s.requests[e + RequestLayout.CHANGE] =
        ops[a + 2] == 0 ? Atomic.SET.ordinal() : Atomic.ADD.ordinal();
    long operand = names.value(s, lane, ops[a + 3]);
    queues.operands(s, queue, operand, names.origin(s, lane, ops[a + 3]), 0);
  }
}
