/**
 * ConnectX queues as others post to them, GPUs among them: their layout in the words of {@link
 * dev.oriel.ports.queue}, and an interface in software behind it.
 */
@NullMarked
package dev.oriel.ibverbs.queue;

import org.jspecify.annotations.NullMarked;
