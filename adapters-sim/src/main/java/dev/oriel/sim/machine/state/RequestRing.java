package dev.oriel.sim.machine.state;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.FIELDS;
import static dev.oriel.sim.machine.layout.RequestLayout.HEADER;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.POSTED;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;

/**
 * The ring of requests of each queue: the places of requests, and how many are pending. {@link
 * RequestLayout} gives the layout of one request.
 */
public final class RequestRing {
  private final MachineModel model;
  private final int room;
  private final int bytes;
  private final int fieldsOfQueue;

  public RequestRing(MachineModel model) {
    this.model = model;
    room = RequestLayout.room(model);
    bytes = RequestLayout.bytes(model);
    fieldsOfQueue = HEADER + room * FIELDS;
  }

  public int header(int queue) {
    return queue * fieldsOfQueue;
  }

  /** The place of the fields of the request of that number. */
  public int entry(int queue, int number) {
    return header(queue) + HEADER + (number & room - 1) * FIELDS;
  }

  /** The request's slot, counted over the rings of all queues. */
  public int slot(int queue, int number) {
    return queue * room + (number & room - 1);
  }

  /** The place of the first byte that the request carries. */
  public int payload(int queue, int number) {
    return slot(queue, number) * bytes;
  }

  /** Requires room for one more request in the queue. */
  public void requireRoom(MachineState s, int queue) {
    int h = header(queue);
    if (s.requests[h + POSTED] - s.requests[h + RETIRED] == room) {
      throw model.sizes.grow("requests of a queue", room + 1);
    }
  }

  /** Sets the number of the request's bytes, which must fit. */
  public void bytes(MachineState s, int entry, int length) {
    if (length > bytes) {
      throw model.sizes.grow("bytes of a request", length);
    }
    s.requests[entry + BYTES] = length;
  }

  /** How many bytes the request of that number moves. */
  public int bytesOf(MachineState s, int queue, int number) {
    return s.requests[entry(queue, number) + BYTES];
  }

  /** Drops completed requests from the front. */
  public void retire(MachineState s, int queue) {
    int h = header(queue);
    while (s.requests[h + RETIRED] < s.requests[h + FETCHED]) {
      int e = entry(queue, s.requests[h + RETIRED]);
      int needed = RequestLayout.returns(s.requests[e + KIND]) ? 3 : 2;
      if (s.requests[e + STAGE] < needed) {
        return;
      }
      s.requests[h + RETIRED]++;
    }
  }

  /** How many requests of the queue have been fetched. */
  public int fetched(MachineState s, int queue) {
    return s.requests[header(queue) + FETCHED];
  }

  /**
   * The oldest fetched request without an effect at the far side; if there is none, the next
   * request.
   */
  public int oldestUnderWay(MachineState s, int queue) {
    int fetched = fetched(s, queue);
    int n = s.requests[header(queue) + RETIRED];
    while (n < fetched && s.requests[entry(queue, n) + STAGE] != 1) {
      n++;
    }
    return n;
  }

  /** Whether the queue has no pending request. */
  public boolean idle(MachineState s, int queue) {
    int h = header(queue);
    return s.requests[h + RETIRED] == s.requests[h + POSTED];
  }
}
