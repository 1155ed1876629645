package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.RequestTable.BYTES;
import static dev.oriel.sim.machine.layout.RequestTable.FETCHED;
import static dev.oriel.sim.machine.layout.RequestTable.FIELDS;
import static dev.oriel.sim.machine.layout.RequestTable.HEADER;
import static dev.oriel.sim.machine.layout.RequestTable.KIND;
import static dev.oriel.sim.machine.layout.RequestTable.POSTED;
import static dev.oriel.sim.machine.layout.RequestTable.RETIRED;
import static dev.oriel.sim.machine.layout.RequestTable.STAGE;

import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.RequestTable;

/**
 * Each queue's ring of requests, by their numbers: where they lie, and how many are under way. See
 * {@link RequestTable} for what lies there.
 */
final class RequestRing {
  private final Model model;
  private final int room;
  private final int bytes;
  private final int fieldsOfQueue;

  RequestRing(Model model) {
    this.model = model;
    room = RequestTable.room(model);
    bytes = RequestTable.bytes(model);
    fieldsOfQueue = HEADER + room * FIELDS;
  }

  int header(int queue) {
    return queue * fieldsOfQueue;
  }

  /** Where the fields of the request of that number are. */
  int entry(int queue, int number) {
    return header(queue) + HEADER + (number & room - 1) * FIELDS;
  }

  /** Its place among the values of all requests, which are two each. */
  int slot(int queue, int number) {
    return queue * room + (number & room - 1);
  }

  /** Where the bytes begin that it carries. */
  int payload(int queue, int number) {
    return slot(queue, number) * bytes;
  }

  /** Makes sure that the queue can hold one request more. */
  void requireRoom(State s, int queue) {
    int h = header(queue);
    if (s.requests[h + POSTED] - s.requests[h + RETIRED] == room) {
      throw model.sizes.grow("requests of a queue", room + 1);
    }
  }

  /** Counts a request's bytes, which must have room to travel. */
  void bytes(State s, int entry, int length) {
    if (length > bytes) {
      throw model.sizes.grow("bytes of a request", length);
    }
    s.requests[entry + BYTES] = length;
  }

  /** How many bytes the request of that number moves. */
  int bytesOf(State s, int queue, int number) {
    return s.requests[entry(queue, number) + BYTES];
  }

  /** Drops what is done from the front. */
  void retire(State s, int queue) {
    int h = header(queue);
    while (s.requests[h + RETIRED] < s.requests[h + FETCHED]) {
      int e = entry(queue, s.requests[h + RETIRED]);
      int needed = RequestTable.returns(s.requests[e + KIND]) ? 3 : 2;
      if (s.requests[e + STAGE] < needed) {
        return;
      }
      s.requests[h + RETIRED]++;
    }
  }

  /** How many requests of the queue have been fetched. */
  int fetched(State s, int queue) {
    return s.requests[header(queue) + FETCHED];
  }

  /** The oldest request that was fetched and did nothing yet at the far side; else the next. */
  int oldestUnderWay(State s, int queue) {
    int fetched = fetched(s, queue);
    int n = s.requests[header(queue) + RETIRED];
    while (n < fetched && s.requests[entry(queue, n) + STAGE] != 1) {
      n++;
    }
    return n;
  }

  /** Whether nothing is under way on the queue. */
  boolean idle(State s, int queue) {
    int h = header(queue);
    return s.requests[h + RETIRED] == s.requests[h + POSTED];
  }
}
