package dev.oriel.it.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Communicates like a rank of {@link KillCampaign}, without a GPU: every rank holds a connection to
 * rank 0, which reports the rank whose connection has ended. Its argument names its fault, if any.
 */
final class PretendedRank {
  private PretendedRank() {}

  public static void main(String[] args) throws IOException {
    String how = args[0];
    if (how.equals("lacks")) {
      say("oriel: no driver: reason=none; install one");
      System.exit(3);
    }
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    say("ready 0");
    String line = commands.readLine();
    while (line != null) {
      String[] words = line.split(" ", -1);
      world(
          how,
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]),
          !words[5].equals("0"));
      line = commands.readLine();
    }
  }

  private static void world(String how, int rank, int world, int port, boolean toCheck)
      throws IOException {
    List<Socket> others = meet(rank, world, port);
    say("joined");
    say("formed");
    if (how.equals("wrong")) {
      say("wrong bytes");
    }
    if (toCheck && how.equals("stuck")) {
      say("ended 0 0 timed out");
    } else if (toCheck) {
      say("checked 1 10");
    } else {
      int lost = rank == 0 ? firstThatEnds(others) : namedRank(others.getFirst());
      if (how.equals("late")) {
        sleep(2_000);
      }
      int blamed = how.equals("blames") ? rank : lost;
      say("ended 3 30 rank is lost: rank=%d; form a new world".formatted(blamed));
    }
    for (Socket other : others) {
      other.close();
    }
    say("left 7");
  }

  /** For rank 0 the connections to ranks 1, 2, …; for another rank that to rank 0. */
  private static List<Socket> meet(int rank, int world, int port) throws IOException {
    if (rank != 0) {
      Socket root = connect(port);
      root.getOutputStream().write(rank);
      return List.of(root);
    }
    Socket[] others = new Socket[world - 1];
    if (world > 1) {
      try (ServerSocket server = new ServerSocket(port, world, InetAddress.getLoopbackAddress())) {
        for (int i = 1; i < world; i++) {
          Socket other = server.accept();
          others[other.getInputStream().read() - 1] = other;
        }
      }
    }
    return List.of(others);
  }

  private static Socket connect(int port) {
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        sleep(5);
      }
    }
  }

  /** The rank whose connection ends first; reports it to the others. */
  private static int firstThatEnds(List<Socket> others) throws IOException {
    BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
    for (int i = 0; i < others.size(); i++) {
      int rank = i + 1;
      Socket other = others.get(i);
      Thread.ofVirtual()
          .start(() -> {
            namedRank(other);
            ended.add(rank);
          });
    }
    int lost;
    try {
      lost = ended.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < others.size(); i++) {
      if (i + 1 != lost) {
        others.get(i).getOutputStream().write(lost);
      }
    }
    return lost;
  }

  /** The rank that the other end names; 0 if it ended without a message. */
  private static int namedRank(Socket other) {
    try {
      return Math.max(0, other.getInputStream().read());
    } catch (IOException e) {
      return 0;
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
