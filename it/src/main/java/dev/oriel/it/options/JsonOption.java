package dev.oriel.it.options;

import dev.oriel.sim.replay.JsonValue;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The option of every command whose result a program may read. */
public final class JsonOption {
  @Option(names = "--json", description = "print one JSON object instead, on one line")
  private boolean json;

  public boolean on() {
    return json;
  }

  /** Prints the object. */
  public void print(JsonValue object, PrintWriter out) {
    out.println(object.print());
  }
}
