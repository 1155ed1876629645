package dev.oriel.sim.weak;

import dev.oriel.domain.program.PacketFormat;
import java.util.Optional;

/**
 * Requests to network interfaces. Each queue is four agents, its stages: source fetch, remote
 * place, remote read, local fill. A completion is known of the fetch or the fill, never of the
 * place.
 */
final class Queues {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final SyncAccess words;

  Queues(Model model, Memory memory, Orders orders, SyncAccess words) {
    this.model = model;
    this.memory = memory;
    this.orders = orders;
    this.words = words;
  }

  /** Posts one request: the queue learns what the lane's last fence ordered. */
  private int post(LaneRun run, int peer) {
    int queue = model.queue(run.lane, peer);
    int[] causal = orders.seen[model.causal(queue)];
    Clock.join(causal, orders.seen[run.leader]);
    for (int stage = 0; stage < Model.STAGES; stage++) {
      Clock.join(orders.known[model.stage(queue, stage)], orders.fenced[run.lane]);
    }
    return queue;
  }

  /** Writes this rank's bytes into the peer's buffer. */
  void write(LaneRun run, Act.PostWrite p, int site) {
    int rank = run.rank();
    int peer = (int) run.value(p.peer());
    int length = Math.toIntExact(run.value(p.bytes()));
    int queue = post(run, peer);
    int fetch = model.stage(queue, Model.FETCH);
    int place = model.stage(queue, Model.PLACE);
    long from = run.value(p.local().offset());
    long to = run.value(p.remote().offset());
    orders.access(fetch, rank, p.local().buffer(), from, length, false, site);
    int causalSelf = model.causal(queue);
    orders.seen[causalSelf][causalSelf] = orders.known[fetch][fetch];
    byte[] data = memory.copy(rank, p.local().buffer(), (int) from, length);
    orders.order(fetch, place);
    orders.access(place, peer, p.remote().buffer(), to, length, true, site);
    System.arraycopy(data, 0, memory.bytes[peer][p.remote().buffer()], (int) to, length);
    Optional<PacketFormat> format = model.packetFormat(p.remote().buffer());
    if (format.isPresent()) {
      words.sendPackets(
          run,
          place,
          peer,
          p.remote().buffer(),
          (int) to,
          format.get(),
          data,
          orders.seen[causalSelf],
          site);
    }
    orders.known[place][place]++;
  }

  /** Reads the peer's bytes into this rank's buffer. */
  void read(LaneRun run, Act.PostRead p, int site) {
    int rank = run.rank();
    int peer = (int) run.value(p.peer());
    int length = Math.toIntExact(run.value(p.bytes()));
    int queue = post(run, peer);
    int read = model.stage(queue, Model.READ);
    int fill = model.stage(queue, Model.FILL);
    orders.order(model.stage(queue, Model.PLACE), read);
    long from = run.value(p.remote().offset());
    long to = run.value(p.local().offset());
    orders.access(read, peer, p.remote().buffer(), from, length, false, site);
    byte[] data = memory.copy(peer, p.remote().buffer(), (int) from, length);
    orders.order(read, fill);
    orders.access(fill, rank, p.local().buffer(), to, length, true, site);
    System.arraycopy(data, 0, memory.bytes[rank][p.local().buffer()], (int) to, length);
  }

  /** Changes a slot of this rank's row at the peer. */
  void slot(LaneRun run, Act.PostSlot p, int site) {
    int peer = (int) run.value(p.peer());
    int queue = post(run, peer);
    int place = model.stage(queue, Model.PLACE);
    int[] head = orders.known[place].clone();
    words.put(
        run,
        place,
        peer,
        p.word(),
        p.change(),
        p.value(),
        head,
        false,
        -1,
        orders.seen[model.causal(queue)],
        site);
    orders.known[place][place]++;
  }

  /** A read behind the writes of the queue: when it has completed, they are placed. */
  void readBack(LaneRun run, int peer) {
    int queue = post(run, peer);
    orders.order(model.stage(queue, Model.PLACE), model.stage(queue, Model.READ));
    orders.order(model.stage(queue, Model.READ), model.stage(queue, Model.FILL));
  }

  /** Every request of the queue has completed: sources are fetched, reads have filled. */
  void await(LaneRun run, int peer) {
    int queue = model.queue(run.lane, peer);
    orders.order(model.stage(queue, Model.FETCH), run.leader, run.worker);
    orders.order(model.stage(queue, Model.FILL), run.leader, run.worker);
  }
}
