package dev.oriel.sim.trace;

/** The class of an event: one symbol each, the same in every picture. */
public enum TraceEventKind {
  BEGIN('(', "an actor begins"),
  STEP('.', "a step of its own"),
  WAIT('?', "starts to wait"),
  SIGNAL('s', "writes a signal"),
  OBSERVE('o', "sees what it waited for"),
  POST('p', "hands a request to a queue"),
  FETCH('f', "the queue reads the source"),
  PLACE('w', "the queue writes the target"),
  COMPLETE('c', "the request is complete"),
  READ('R', "reads data"),
  WRITE('W', "writes data"),
  FAULT('X', "a fault happens"),
  TIMEOUT('T', "gives up waiting"),
  END(')', "an actor ends");

  private final char symbol;
  private final String meaning;

  TraceEventKind(char symbol, String meaning) {
    this.symbol = symbol;
    this.meaning = meaning;
  }

  /** One printable ASCII character that no other kind has. */
  public char symbol() {
    return symbol;
  }

  /** A few words for a legend. */
  public String meaning() {
    return meaning;
  }
}
