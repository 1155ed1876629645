package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.QueuePairContract;

/** Queue pairs of a device that is there. */
final class QueuePairSuite extends QueuePairContract {
  @Override
  protected DeviceContext open() {
    return Guest.device();
  }
}
