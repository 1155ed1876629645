package dev.oriel.cuda.driver;

/** What recording on a stream and replaying there asks of the driver; handles are its own. */
interface GraphCalls {

  /** Begins to record what is put into the stream. */
  void begin();

  /** Ends that, also where it has failed meanwhile; the graph of it. */
  long end();

  /** An executable form of a graph. */
  long instantiate(long graph);

  void destroyGraph(long graph);

  void destroyExecutable(long executable);

  /** Puts all of it into the stream. */
  void launch(long executable);

  /** A point of a stream, not yet in it. */
  long event();

  void destroyEvent(long event);

  /** Puts a point into the stream. */
  void mark(long event);

  /** Milliseconds between two points that the stream has passed. */
  float between(long start, long end);

  /** Waits for all that is in the stream. */
  void synchronize();
}
