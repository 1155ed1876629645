package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.queue.MailboxLayout.Box;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One rank's exchange of messages with one peer: requests of this rank, and those of the peer that
 * this rank executes in its own memory.
 *
 * <p>The peer executes and answers requests in their order. At most {@link MailboxLayout#SLOTS} are
 * unanswered. So neither a request nor an answer overwrites one that was not read, and a slot in
 * which a message was put together is free when its turn comes again.
 */
final class MailboxPeer implements RequestCarrier.OnwardQueue {
  private final int rank;
  private final int peer;
  private final SendQueue queue;
  private final ReachedMemory own;
  private final HostMemory boxes;
  private final int key;
  private final long theirs;
  private final int theirKey;

  /** Requests that were posted and not yet sent. */
  private final Deque<PostedRequest> held = new ArrayDeque<>();

  /** The requests without an answer, by slot. */
  private final @Nullable SentRequest[] sentRequests = new SentRequest[MailboxLayout.SLOTS];

  private long sent;
  private long answered;

  /** The number of the last sent request that has a result. */
  private long fetched;

  /** How many requests of the peer were executed here. */
  private long executed;

  /** Whether a request of the peer was refused. As in a queue pair, later ones are refused too. */
  private boolean refused;

  private Optional<String> failure = Optional.empty();

  private record PostedRequest(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {}

  /**
   * A request without an answer.
   *
   * @param result the bytes of its result, which go to {@code local}
   */
  private record SentRequest(RequestKind kind, long local, long remote, long length, long result) {}

  /**
   * An exchange in which nothing has been sent.
   *
   * @param key of this rank's mailboxes
   */
  MailboxPeer(
      int rank, int peer, ReachedMemory own, HostMemory boxes, int key, UcxPeers.Peer reached) {
    this.rank = rank;
    this.peer = peer;
    this.own = own;
    this.boxes = boxes;
    this.key = key;
    this.queue = reached.queue();
    this.theirs = reached.host();
    this.theirKey = reached.key();
  }

  @Override
  public boolean room() {
    return !failed() && held.size() + sent - answered < MailboxLayout.SLOTS;
  }

  @Override
  public void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    if (kind != RequestKind.WRITE_WORD) {
      requireInside(field(fields, RequestField.LOCAL), length(kind, fields));
    }
    held.add(new PostedRequest(kind, fenced, fields));
    boolean _ = guarded(this::start);
  }

  @Override
  public long completed() {
    return answered;
  }

  @Override
  public boolean failed() {
    return failure().isPresent();
  }

  Optional<String> failure() {
    return failure.or(queue::failure);
  }

  /**
   * Takes messages, executes requests and sends answers; returns whether there were any. After a
   * failure nothing is executed or sent: a later request may be a signal for a failed one.
   */
  boolean progress() {
    if (failed()) {
      return false;
    }
    return guarded(this::exchange);
  }

  private boolean guarded(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (RuntimeException e) {
      failure =
          Optional.of(
              "exchange with a peer failed: rank=%d, peer=%d: %s"
                  .formatted(rank, peer, e.getMessage()));
      throw e;
    }
  }

  private boolean exchange() {
    boolean any = false;
    while (answered < sent && !failed() && arrived(Box.ANSWERS_IN, answered + 1)) {
      take(
          Objects.requireNonNull(sentRequests[slot(answered + 1)]),
          message(Box.ANSWERS_IN, answered + 1));
      any = true;
    }
    while (!failed() && queue.room(2) && arrived(Box.REQUESTS_IN, executed + 1)) {
      long number = ++executed;
      MailboxMessage answer =
          refused ? MailboxMessage.refusal() : execute(message(Box.REQUESTS_IN, number));
      refused = answer.kind() == MailboxMessage.REFUSED;
      send(Box.ANSWERS_OUT, Box.ANSWERS_IN, number, answer);
      any = true;
    }
    return (!failed() && start()) || any;
  }

  private MailboxMessage message(Box box, long number) {
    return MailboxMessage.read(boxes, MailboxLayout.slot(peer, box, number));
  }

  private boolean arrived(Box box, long number) {
    return boxes.getAcquire(MailboxLayout.slot(peer, box, number)) == number;
  }

  /** Sends what was posted; a fenced request waits until earlier results are there. */
  private boolean start() {
    boolean any = false;
    while (!held.isEmpty() && (!held.getFirst().fenced() || answered >= fetched) && queue.room(2)) {
      start(held.removeFirst());
      any = true;
    }
    return any;
  }

  private void start(PostedRequest posted) {
    Map<RequestField, Long> fields = posted.fields();
    long length = length(posted.kind(), fields);
    long local = field(fields, RequestField.LOCAL);
    long remote = field(fields, RequestField.REMOTE);
    byte[] payload = MailboxMessage.NOTHING;
    long result = 0;
    switch (posted.kind()) {
      case WRITE -> payload = own.read(local - own.address(), (int) length);
      case READ, ADD, COMPARE_SWAP -> {
        result = length;
        fetched = sent + 1;
      }
      case WRITE_WORD, WAIT -> {
        // Nothing of own memory is read or written.
      }
    }
    sent++;
    sentRequests[slot(sent)] = new SentRequest(posted.kind(), local, remote, length, result);
    send(
        Box.REQUESTS_OUT,
        Box.REQUESTS_IN,
        sent,
        MailboxMessage.request(
            posted.kind(),
            remote,
            length,
            field(fields, RequestField.VALUE),
            field(fields, RequestField.COMPARE),
            payload));
  }

  private static long length(RequestKind kind, Map<RequestField, Long> fields) {
    return switch (kind) {
      case WRITE, READ -> field(fields, RequestField.LENGTH);
      case WRITE_WORD, ADD, COMPARE_SWAP -> Long.BYTES;
      case WAIT ->
          throw new MachineException(
              "no mailbox waits for another queue: kind=WAIT; post it to the queue's companion");
    };
  }

  private static int slot(long number) {
    return (int) (number % MailboxLayout.SLOTS);
  }

  private void requireInside(long address, long length) {
    if (length > MailboxLayout.PAYLOAD || !inside(address, length)) {
      throw new MachineException(
          "no memory of the rank: rank=%d, address=0x%x, length=%d, memory=0x%x, size=%d; use own memory, at most %d bytes at once"
              .formatted(rank, address, length, own.address(), own.size(), MailboxLayout.PAYLOAD));
    }
  }

  private boolean inside(long address, long length) {
    long offset = address - own.address();
    return length >= 0 && offset >= 0 && offset <= own.size() - length;
  }

  private void send(Box out, Box in, long number, MailboxMessage message) {
    byte[] bytes = message.bytes();
    long from = MailboxLayout.slot(peer, out, number);
    long to = theirs + MailboxLayout.slot(rank, in, number);
    boxes.write(from + MailboxLayout.WORDS, bytes);
    WorkRequest.Local source =
        new WorkRequest.Local(boxes.address() + from + MailboxLayout.WORDS, bytes.length, key);
    WorkRequest.Remote target = new WorkRequest.Remote(to + MailboxLayout.WORDS, theirKey);
    WorkRequest.Remote last = new WorkRequest.Remote(to, theirKey);
    queue.post(
        RequestEffect.WRITES,
        (id, signalled, fenced) -> new WorkRequest.Write(id, signalled, fenced, source, target));
    queue.post(
        RequestEffect.WRITES,
        (id, signalled, fenced) -> new WorkRequest.WriteWord(id, signalled, fenced, number, last));
  }

  /** Executes a request of the peer, and refuses one that is not inside own memory. */
  private MailboxMessage execute(MailboxMessage request) {
    Optional<RequestKind> kind = request.requested();
    if (kind.isEmpty() || !inside(request.remote(), request.length())) {
      return MailboxMessage.refusal();
    }
    long at = request.remote() - own.address();
    boolean word = request.length() == Long.BYTES && at % Long.BYTES == 0;
    return switch (kind.get()) {
      case WRITE -> {
        own.write(at, request.payload());
        yield MailboxMessage.done(MailboxMessage.NOTHING);
      }
      case READ -> MailboxMessage.done(own.read(at, (int) request.length()));
      case WRITE_WORD, ADD, COMPARE_SWAP ->
          word ? MailboxMessage.done(changed(kind.get(), at, request)) : MailboxMessage.refusal();
      case WAIT -> MailboxMessage.refusal();
    };
  }

  /** Changes a word; returns the old one. */
  private byte[] changed(RequestKind kind, long at, MailboxMessage request) {
    if (kind == RequestKind.WRITE_WORD) {
      own.write(at, word(request.value()));
      return MailboxMessage.NOTHING;
    }
    return word(
        kind == RequestKind.ADD
            ? own.add(at, request.value())
            : own.compareAndSwap(at, request.compare(), request.value()));
  }

  /** Stores the result of a request. */
  private void take(SentRequest request, MailboxMessage answer) {
    if (answer.kind() != MailboxMessage.DONE || answer.length() != request.result()) {
      failure =
          Optional.of(
              "peer refuses a request: rank=%d, peer=%d, kind=%s, remote=0x%x, length=%d; name the peer's own memory, and run one version on all ranks"
                  .formatted(rank, peer, request.kind(), request.remote(), request.length()));
      return;
    }
    if (request.result() > 0) {
      own.write(request.local() - own.address(), answer.payload());
    }
    answered++;
  }

  private static byte[] word(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value).array();
  }

  private static long field(Map<RequestField, Long> fields, RequestField field) {
    return fields.getOrDefault(field, 0L);
  }
}
