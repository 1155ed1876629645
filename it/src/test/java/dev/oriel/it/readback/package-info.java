/**
 * Reads the output of adapters back, and compares it with the lowered steps that the simulator
 * executes: the text of kernels as instructions that threads execute, requests as the bytes that an
 * interface takes.
 *
 * <p>Nothing here uses the printers: a kernel is its text, a request is its bytes.
 */
package dev.oriel.it.readback;
