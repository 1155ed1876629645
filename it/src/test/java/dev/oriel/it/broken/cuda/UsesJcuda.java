package dev.oriel.it.broken.cuda;

import jcuda.driver.CUcontext;

/** Touches the driver outside the one package that may. */
final class UsesJcuda {
  private final CUcontext context = new CUcontext();

  CUcontext context() {
    return context;
  }
}
