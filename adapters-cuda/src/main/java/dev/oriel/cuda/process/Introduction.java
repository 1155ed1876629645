package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.cuda.driver.UnixSocket.Received;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * How processes get a line to each other: every rank listens, tells the group where and a secret,
 * calls those below it with their secret, and answers those above it with theirs. Who does not know
 * the secret, or belongs to another user, is not let in.
 */
final class Introduction {
  private static final long TURN = Duration.ofNanos(100_000).toNanos();

  private final int rank;
  private final int world;
  private final Deadline deadline;
  private final Secret secret = Secret.draw();
  private final List<Place> places = new ArrayList<>();
  private final List<UnixSocket> strangers = new ArrayList<>();
  private final NavigableMap<Integer, UnixSocket> called = new TreeMap<>();
  private final NavigableMap<Integer, UnixSocket> lines = new TreeMap<>();
  private final Resources lasting;

  /** Where a rank listens. */
  private record Place(String name, Secret secret) {}

  private Introduction(Bootstrap ranks, Clock clock, Resources lasting) {
    this.rank = ranks.rank();
    this.world = ranks.world();
    this.deadline = Deadline.in(ranks.deadline(), clock);
    this.lasting = lasting;
  }

  /**
   * A line to every other rank, kept by {@code lasting}.
   *
   * @throws MachineException on every rank if one could not
   */
  static NavigableMap<Integer, UnixSocket> of(Bootstrap ranks, Clock clock, Resources lasting) {
    Introduction mine = new Introduction(ranks, clock, lasting);
    Agreement agreement = new Agreement(ranks);
    String name = "oriel-" + Long.toHexString(Secret.draw().high());
    try (Resources passing = new Resources()) {
      UnixSocket door =
          agreement.on("lines: listen", () -> passing.add(UnixSocket.listen(name, mine.world)));
      ranks.allGather("lines: place", mine.place(name)).forEach(mine::heard);
      return agreement.on("lines: meet", () -> mine.meet(door));
    } finally {
      mine.strangers.forEach(UnixSocket::close);
    }
  }

  private byte[] place(String name) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(Secret.BYTES + text.length);
    secret.into(bytes);
    return bytes.put(text).array();
  }

  private void heard(byte[] place) {
    ByteBuffer bytes = ByteBuffer.wrap(place);
    Secret theirs = Secret.from(bytes);
    places.add(new Place(StandardCharsets.US_ASCII.decode(bytes).toString(), theirs));
  }

  private NavigableMap<Integer, UnixSocket> meet(UnixSocket door) {
    while (lines.size() < world - 1) {
      if (deadline.passed()) {
        throw new MachineException(
            "ranks did not call: rank=%d, heard=%s, world=%d; run all ranks on one host in one network namespace"
                .formatted(rank, lines.keySet(), world));
      }
      call();
      door.accept().ifPresent(strangers::add);
      strangers.removeIf(this::admitted);
      called.entrySet().removeIf(line -> welcomed(line.getKey(), line.getValue()));
      if (lines.size() < world - 1) {
        LockSupport.parkNanos(TURN);
      }
    }
    return lines;
  }

  private void call() {
    for (int below = 0; below < rank; below++) {
      if (!called.containsKey(below) && !lines.containsKey(below)) {
        Optional<UnixSocket> line = UnixSocket.connect(places.get(below).name());
        if (line.isPresent()) {
          called.put(below, lasting.add(line.get()));
          line.get().send(new Message.Hello(rank, places.get(below).secret()).encoded());
        }
      }
    }
  }

  /** Whether the caller need not be looked at again: it is a member now, or was turned away. */
  private boolean admitted(UnixSocket caller) {
    Optional<Message> said = said(caller);
    if (said == null) {
      return true;
    }
    if (said.isEmpty()) {
      return false;
    }
    if (said.get() instanceof Message.Hello(int from, Secret mine)
        && mine.equals(secret)
        && from > rank
        && from < world
        && !lines.containsKey(from)
        && caller.ofThisUser()) {
      caller.send(new Message.Welcome(places.get(from).secret()).encoded());
      lines.put(from, lasting.add(caller));
    } else {
      caller.close();
    }
    return true;
  }

  private boolean welcomed(int below, UnixSocket line) {
    Optional<Message> said = said(line);
    if (said != null && said.isEmpty()) {
      return false;
    }
    if (said != null
        && said.get() instanceof Message.Welcome(Secret mine)
        && mine.equals(secret)
        && line.ofThisUser()) {
      lines.put(below, line);
      return true;
    }
    throw new MachineException(
        "rank did not answer as a member: rank=%d, of=%d; see why it ended"
            .formatted(below, world));
  }

  /** What the other end said, empty if nothing yet, null if it is gone or speaks another way. */
  private static @org.jspecify.annotations.Nullable Optional<Message> said(UnixSocket line) {
    return switch (line.receive()) {
      case Received.Nothing() -> Optional.empty();
      case Received.End() -> {
        line.close();
        yield null;
      }
      case Received.Message(byte[] bytes, var files) -> {
        files.forEach(f -> f.close());
        try {
          yield Optional.of(Message.parse(bytes));
        } catch (MachineException e) {
          line.close();
          yield null;
        }
      }
    };
  }
}
