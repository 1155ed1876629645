package dev.oriel.sim.trace;

import java.io.IOException;
import java.io.UncheckedIOException;

/** One way to show a recording; the same recording gives the same characters everywhere. */
public interface TracePicture {

  /** Writes the picture of a recording. */
  void draw(TraceRecording recording, Appendable out) throws IOException;

  /** The picture of a recording. */
  default String text(TraceRecording recording) {
    StringBuilder out = new StringBuilder();
    try {
      draw(recording, out);
    } catch (IOException e) {
      throw new UncheckedIOException("a string builder does not fail", e);
    }
    return out.toString();
  }
}
