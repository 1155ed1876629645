/**
 * Reads what adapters printed back, and holds it against the lowered steps that the simulator
 * executes: the text of kernels as instructions that threads execute, requests as the bytes that an
 * interface takes.
 *
 * <p>Nothing here asks the printers anything: a kernel is its text, a request is its bytes.
 */
package dev.oriel.it.readback;
