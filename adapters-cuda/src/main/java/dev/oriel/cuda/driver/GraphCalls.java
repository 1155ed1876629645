package dev.oriel.cuda.driver;

/** The driver's calls for recording on a stream and replaying there, with its own handles. */
interface GraphCalls {

  /** Begins to record work that is put into the stream. */
  void begin();

  /** Ends the recording, even one that has failed meanwhile; returns the graph. */
  long end();

  /** Instantiates a graph. */
  long instantiate(long graph);

  void destroyGraph(long graph);

  void destroyExecutable(long executable);

  /** Launches an executable graph into the stream. */
  void launch(long executable);

  /** Makes an event, not yet in the stream. */
  long event();

  void destroyEvent(long event);

  /** Records an event in the stream. */
  void mark(long event);

  /** Milliseconds between two events that the stream has passed. */
  float between(long start, long end);

  /** Waits for all work in the stream. */
  void synchronize();
}
