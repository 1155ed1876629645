package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.cuda.driver.UnixSocket.Received;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.StepAgreement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Connects the processes of a group with each other. Every rank listens, and announces to the group
 * its socket's name and a secret. It calls the ranks below it with their secrets, and answers the
 * ranks above it with theirs. A process that does not know the secret, or that runs as another
 * user, is refused.
 *
 * <p>No rank blocks on a socket. The group agrees on each step: the messages of the previous step
 * have then arrived, and the group notices a peer that is gone.
 */
final class MeshConnector {
  /** The most connections from non-members that may be pending as well. */
  private static final int CROWD = 64;

  private final int rank;
  private final int world;
  private final ResourceStack lasting;
  private final ProcessSecret secret = ProcessSecret.draw();
  private final List<Place> places = new ArrayList<>();
  private final NavigableMap<Integer, UnixSocket> lines = new TreeMap<>();

  /** The name of a rank's listening socket, and its secret. */
  private record Place(String name, ProcessSecret secret) {}

  private MeshConnector(Bootstrap ranks, ResourceStack lasting) {
    this.rank = ranks.rank();
    this.world = ranks.world();
    this.lasting = lasting;
  }

  /**
   * Connects this rank to every other; {@code lasting} owns the sockets.
   *
   * @throws MachineException on every rank if one rank could not connect
   */
  static NavigableMap<Integer, UnixSocket> of(Bootstrap ranks, ResourceStack lasting) {
    MeshConnector mine = new MeshConnector(ranks, lasting);
    String name = "oriel-" + Long.toHexString(ProcessSecret.draw().high());
    try (ResourceStack passing = new ResourceStack()) {
      UnixSocket door =
          StepAgreement.all(
              ranks,
              "lines: listen",
              () -> passing.add(UnixSocket.listen(name, mine.world + CROWD)));
      ranks.allGather("lines: place", mine.place(name)).forEach(mine::heard);
      StepAgreement.all(ranks, "lines: call", mine::call);
      StepAgreement.all(ranks, "lines: answer", () -> mine.answer(door));
      return StepAgreement.all(ranks, "lines: welcome", mine::welcomed);
    }
  }

  private byte[] place(String name) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(ProcessSecret.BYTES + text.length);
    secret.into(bytes);
    return bytes.put(text).array();
  }

  private void heard(byte[] place) {
    ByteBuffer bytes = ByteBuffer.wrap(place);
    ProcessSecret theirs = ProcessSecret.from(bytes);
    places.add(new Place(StandardCharsets.US_ASCII.decode(bytes).toString(), theirs));
  }

  private NavigableMap<Integer, UnixSocket> call() {
    for (int below = 0; below < rank; below++) {
      Place place = places.get(below);
      UnixSocket line = lasting.add(UnixSocket.connect(place.name()));
      line.send(new MeshMessage.Hello(rank, place.secret()).encoded());
      lines.put(below, line);
    }
    return lines;
  }

  private NavigableMap<Integer, UnixSocket> answer(UnixSocket door) {
    Optional<UnixSocket> caller = door.accept();
    while (caller.isPresent()) {
      UnixSocket here = caller.get();
      boolean ignored = ResourceStack.making(made -> answered(made.add(here)));
      caller = door.accept();
    }
    for (int above = rank + 1; above < world; above++) {
      if (!lines.containsKey(above)) {
        throw new MachineException(
            "rank did not call as a member: rank=%d, called=%d; see why it ended"
                .formatted(above, rank));
      }
    }
    return lines;
  }

  /** Whether the caller is accepted; otherwise its socket is closed. */
  private boolean answered(UnixSocket caller) {
    if (said(caller).orElse(null) instanceof MeshMessage.Hello(int from, ProcessSecret mine)
        && mine.equals(secret)
        && from > rank
        && from < world
        && !lines.containsKey(from)
        && caller.ofThisUser()) {
      caller.send(new MeshMessage.Welcome(places.get(from).secret()).encoded());
      lines.put(from, lasting.add(caller));
      return true;
    }
    caller.close();
    return false;
  }

  private NavigableMap<Integer, UnixSocket> welcomed() {
    for (var line : lines.headMap(rank).entrySet()) {
      if (!(said(line.getValue()).orElse(null) instanceof MeshMessage.Welcome(ProcessSecret mine)
          && mine.equals(secret)
          && line.getValue().ofThisUser())) {
        throw new MachineException(
            "rank did not answer as a member: rank=%d, caller=%d; see why it ended"
                .formatted(line.getKey(), rank));
      }
    }
    return lines;
  }

  /** The message from the other end, if it is readable. */
  private static Optional<MeshMessage> said(UnixSocket line) {
    if (line.receive() instanceof Received.Message(byte[] bytes, var files)) {
      files.forEach(file -> file.close());
      try {
        return Optional.of(MeshMessage.parse(bytes));
      } catch (MachineException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
