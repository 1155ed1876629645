package dev.oriel.it.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Speaks as a rank of {@link KillCampaign} does, without a GPU: ranks of a world of two hold a
 * connection, which ends with either. How it is wrong, if it is, is its argument.
 */
final class PretendedRank {
  private PretendedRank() {}

  public static void main(String[] args) throws IOException {
    String how = args[0];
    BufferedReader told =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    say("ready 0");
    String line = told.readLine();
    while (line != null) {
      String[] words = line.split(" ", -1);
      int rank = Integer.parseInt(words[1]);
      try (Socket other = meet(rank, Integer.parseInt(words[3]))) {
        say("joined");
        say("formed");
        if (how.equals("wrong")) {
          say("wrong bytes");
        }
        say("checked");
        waitForEnd(other);
      }
      if (how.equals("late")) {
        sleep(2_000);
      }
      if (!how.equals("mute")) {
        int lost = how.equals("blames") ? rank : 1 - rank;
        say("ended 3 30 rank is lost: rank=%d; form a new world".formatted(lost));
        say("left 7");
      }
      line = told.readLine();
    }
  }

  private static Socket meet(int rank, int port) throws IOException {
    if (rank == 0) {
      try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return server.accept();
      }
    }
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        sleep(5);
      }
    }
  }

  private static void waitForEnd(Socket other) {
    try {
      while (other.getInputStream().read() >= 0) {
        // Nothing is ever sent.
      }
    } catch (IOException e) {
      // The other was killed.
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
