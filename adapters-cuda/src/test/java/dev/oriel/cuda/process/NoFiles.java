package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.OpenDescriptor;

/** For memory of which no files are sent. */
public final class NoFiles implements PeerFiles {
  @Override
  public void hand(OpenDescriptor file) {
    throw new AssertionError("memory of this kind has no files");
  }

  @Override
  public OpenDescriptor take(int peer) {
    throw new AssertionError("memory of this kind has no files");
  }
}
