package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The actions of thread 0 on a queue. No step describes how an element gets there, so these rules
 * do. Rule <i>post</i>: reserve a count; acquire completions until its slot is free; store the
 * element, and publish it by a release after the acquire of earlier ones. Then, under a lock that
 * is acquired and released, store the doorbells after everything else: a doorbell in memory by a
 * release, a device's register by a volatile store after a fence. Rule <i>await</i>: acquire the
 * published count, and then completions until that many are done.
 */
final class Queued extends Wanted {
  private static final List<String> COMPLETED = List.of("known", "done");

  /**
   * An element that a step requests.
   *
   * @param fenced whether it must wait for earlier requests of its queue; it may do so anyway
   */
  record Asked(int queue, RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    long field(RequestField field) {
      return fields.getOrDefault(field, 0L);
    }
  }

  private final Rings rings;
  private final int queue;
  private final List<String> wanted = new ArrayList<>();
  private final Optional<Asked> asked;
  private final int number;
  private int at;

  private Queued(String step, Rings rings, int queue, Optional<Asked> asked, int number) {
    super(step);
    this.rings = rings;
    this.queue = queue;
    this.asked = asked;
    this.number = number;
  }

  private static Queued post(String step, Rings rings, Asked asked, int number) {
    Queued post = new Queued(step, rings, asked.queue(), Optional.of(asked), number);
    post.wanted.add("reserve");
    post.wanted.addAll(COMPLETED);
    post.wanted.addAll(Collections.nCopies(Rings.ELEMENT / 16, "fill"));
    post.wanted.addAll(List.of("ready", "publish", "lock", "ready"));
    post.wanted.addAll(List.of("bell", "fence", "register", "rung", "unlock"));
    return post;
  }

  private static Queued await(String step, Rings rings, int queue) {
    Queued await = new Queued(step, rings, queue, Optional.empty(), 0);
    await.wanted.add("ready");
    await.wanted.addAll(COMPLETED);
    return await;
  }

  /** The word of the queue that holds the number of the last element. */
  private static Queued last(String step, Rings rings, int queue) {
    Queued last = new Queued(step, rings, queue, Optional.empty(), 0);
    last.wanted.add("ready");
    return last;
  }

  /** The expectations for the queues of a kernel. */
  static QueueWalk.Asking of(Rings rings) {
    return new QueueWalk.Asking() {
      @Override
      public Wanted post(String step, Asked asked, int number) {
        return Queued.post(step, rings, asked, number);
      }

      @Override
      public Wanted await(String step, int queue) {
        return Queued.await(step, rings, queue);
      }

      @Override
      public Wanted last(String step, int queue) {
        return Queued.last(step, rings, queue);
      }
    };
  }

  @Override
  boolean takes(Event e) {
    if (e.thread() != 0) {
      return false;
    }
    String what = name(e);
    if (at < wanted.size() && what.equals(wanted.get(at))) {
      at++;
      return true;
    }
    boolean looked = at > 0 && wanted.get(at - 1).equals("done");
    if (looked && what.equals("known")) {
      at--;
      return true;
    }
    return looked && what.equals("raise");
  }

  @Override
  boolean needs(Event e) {
    long place = e.place().address() - rings.record(queue);
    return e.thread() == 0 && e.weak() && place >= 0 && place < rings.record(1) - rings.record(0);
  }

  private String name(Event e) {
    long place = e.place().address();
    long word = place - rings.record(queue);
    boolean eight = e.place().bytes() == Long.BYTES;
    if (e.is(Kind.FENCE, "acq_rel", "sys")) {
      return "fence";
    }
    if (e.kind() == Kind.STORE && e.weak()) {
      long inRing = place - rings.ring(queue);
      boolean inside = inRing >= 0 && inRing < (long) Rings.SLOTS * Rings.ELEMENT;
      return inside && e.place().bytes() == 16 ? "fill" : word == 16 && eight ? "rung" : "";
    }
    if (!eight) {
      return "";
    }
    if (place == rings.completion(queue)) {
      return e.is(Kind.LOAD, "acquire", "sys") ? "done" : "";
    }
    if (place == rings.bell(queue)) {
      return e.is(Kind.STORE, "release", "sys") ? "bell" : "";
    }
    if (place == rings.register(queue)) {
      return e.is(Kind.STORE, "volatile", "") ? "register" : "";
    }
    if (word == 0) {
      return e.is(Kind.FETCH_ADD, "relaxed", "sys") ? "reserve" : "";
    }
    if (word == 8) {
      return e.is(Kind.LOAD, "acquire", "sys")
          ? "ready"
          : e.is(Kind.STORE, "release", "sys") ? "publish" : "";
    }
    if (word == 24) {
      return e.is(Kind.LOAD, "acquire", "sys")
          ? "known"
          : e.is(Kind.SWAP, "acq_rel", "sys") ? "raise" : "";
    }
    if (word == 32) {
      return e.is(Kind.SWAP, "acquire", "sys")
          ? "lock"
          : e.is(Kind.STORE, "release", "sys") ? "unlock" : "";
    }
    return "";
  }

  @Override
  Optional<String> missing(Layout layout) {
    if (at < wanted.size()) {
      return Optional.of(
          "thread 0 does not come to `%s` of queue %d".formatted(wanted.get(at), queue));
    }
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    if (number >= rings.taken().size()) {
      return Optional.of("no element of that number: number=" + number);
    }
    Rings.Taken taken = rings.taken().get(number);
    Asked a = asked.get();
    for (Map.Entry<RequestField, Long> field : a.fields().entrySet()) {
      if (!field.getValue().equals(taken.fields().get(field.getKey()))) {
        return Optional.of(
            "element %d: field=%s, wanted=0x%x, is=0x%x"
                .formatted(number, field.getKey(), field.getValue(), taken.field(field.getKey())));
      }
    }
    return taken.queue() == a.queue() && taken.kind() == a.kind() && (taken.fenced() || !a.fenced())
        ? Optional.empty()
        : Optional.of("element %d: wanted=%s, is=%s".formatted(number, a, taken));
  }

  @Override
  int actions() {
    return wanted.size();
  }
}
