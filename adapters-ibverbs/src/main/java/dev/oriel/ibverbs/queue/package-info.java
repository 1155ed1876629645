/**
 * ConnectX queues as others post to them, GPUs among them: their layout in the words of {@link
 * dev.oriel.ports.queue}, with an interface in software behind it or a device's own; and what
 * carries out requests that were handed to the host.
 */
@NullMarked
package dev.oriel.ibverbs.queue;

import org.jspecify.annotations.NullMarked;
